/** Three members as real processes, each behind a proxy that holds connections open: of hustings, and of etcd. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { startEtcdCluster } from '../test-kit/servers/etcd-server.ts';
import { freePort, startServer, type TestServer } from '../test-kit/servers/server-process.ts';
import { type HoldingProxy, startHoldingProxy } from './holding-proxy.ts';

/** What one member says about the election now. */
export interface MemberClaim {
  readonly self: string;
  readonly leads: boolean;
  /** Null if it knows none, or follows one without a name. */
  readonly leader: string | null;
  readonly isFollower: boolean;
  /** The term, or the epoch. */
  readonly term: number;
}

export interface ClusterUnderTest {
  readonly title: string;
  /** Members of anonymous algorithms cannot name their leader. */
  readonly isAnonymous: boolean;
  readonly servers: readonly TestServer[];
  /** Rejects if that member does not answer. */
  claimOf(index: number): Promise<MemberClaim>;
  /** From now on nobody learns that a connection was closed. */
  hold(): void;
  release(): void;
  /** Suspicions, of a member by its index, at a time of the wall clock; null where they are not reported. */
  suspicions(): readonly { readonly peer: number; readonly atMs: number }[] | null;
  stop(): Promise<void>;
}

export const MEMBERS = 3;
export const HEARTBEAT_MS = 100;
export const ELECTION_MS = 1_000;

/** The arguments for Raft: an election timeout from `minMs` to `maxMs` after the last heartbeat, and the heartbeats of etcd. */
function raftArgs(minMs: number, maxMs: number): string[] {
  const unitMs = 10;
  return [
    ...['--unit', `${unitMs}ms`, '--set', `timeout=${minMs / 2 / unitMs}`],
    ...['--set', `spread=${(maxMs - minMs) / unitMs}`, '--set', `heartbeats=${minMs / HEARTBEAT_MS}`],
  ];
}

/**
 * etcd counts ticks of one heartbeat since the last heartbeat, 10 to 19 of them for 1,000 ms. The first one is under way, so its
 * timeouts last from 900 to 1,900 ms.
 */
export const RAFT_AS_ETCD = raftArgs(ELECTION_MS - HEARTBEAT_MS, 2 * ELECTION_MS - HEARTBEAT_MS);
/** The same election timeout, with a shorter random addition: faster, with more divided votes. */
export const RAFT_SHORT_ADDITION = raftArgs(ELECTION_MS, ELECTION_MS + 300);

export const ETCD_ARGS = [
  ...['--heartbeat-interval', `${HEARTBEAT_MS}`, '--election-timeout', `${ELECTION_MS}`, '--pre-vote'],
];

interface NodeStatus {
  readonly id: number;
  readonly leads: boolean;
  readonly leader: number | null;
  readonly role: string | null;
  readonly term: number;
}

/** `program` is the file of the program `hustings`. */
export async function startHustings(
  program: string,
  title: string,
  algorithm: string,
  isAnonymous: boolean,
  args: readonly string[] = [],
): Promise<ClusterUnderTest> {
  const ids = Array.from({ length: MEMBERS }, (_, index) => index + 1);
  const peerPorts = await Promise.all(ids.map(() => freePort()));
  const proxies = await Promise.all(peerPorts.map(startHoldingProxy));
  const members = ids.map((id, index) => ({ id, address: `127.0.0.1:${proxies[index].port}` }));
  const secret = randomBytes(32).toString('hex');
  const common = ['--algorithm', algorithm, '--heartbeat', `${HEARTBEAT_MS}ms`, '--events', ...args];
  const servers = await Promise.all(
    ids.map((id, index) =>
      startServer({
        program: process.execPath,
        politeSignal: 'SIGTERM',
        async prepare(folder) {
          writeFileSync(
            join(folder, 'members.json'),
            JSON.stringify({ cluster: 'bench', version: 1, members }),
          );
          writeFileSync(join(folder, 'secret'), secret, { mode: 0o600 });
        },
        args: (folder, port) => [
          ...[program, 'node', '--members', join(folder, 'members.json'), '--id', `${id}`],
          ...['--secret-file', join(folder, 'secret'), '--dir', join(folder, 'state')],
          ...['--listen', `127.0.0.1:${peerPorts[index]}`, '--http', `${port}`, ...common],
        ],
        answers: async (port) => (await askJson<NodeStatus>(port, 'GET', '/status')).id === id,
        url: (port) => `http://127.0.0.1:${port}`,
      }),
    ),
  );
  return {
    title,
    isAnonymous,
    servers,
    ...held(servers, proxies),
    async claimOf(index) {
      const { id, leader, leads, role, term } = await askJson<NodeStatus>(
        servers[index].port,
        'GET',
        '/status',
      );
      return {
        self: `${id}`,
        leads,
        leader: leader === null ? null : `${leader}`,
        isFollower: role === 'follower',
        term,
      };
    },
    suspicions: () => servers.flatMap(({ folder }) => suspicionsIn(join(folder, 'log'))),
  };
}

function suspicionsIn(log: string): { peer: number; atMs: number }[] {
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"type":"suspicion"'))
    .map((line) => JSON.parse(line) as { peer: number; suspected: boolean; at: number })
    .filter(({ suspected }) => suspected)
    .map(({ at, peer }) => ({ peer: peer - 1, atMs: at }));
}

interface EtcdStatus {
  readonly header: { readonly member_id: string };
  readonly leader?: string;
  readonly raftTerm: string;
}

export async function startEtcdUnderTest(title: string): Promise<ClusterUnderTest> {
  const proxies: HoldingProxy[] = [];
  const servers = await startEtcdCluster(MEMBERS, {
    args: ETCD_ARGS,
    async reachedAt(peerPort) {
      const proxy = await startHoldingProxy(peerPort);
      proxies.push(proxy);
      return proxy.port;
    },
  });
  return {
    title,
    isAnonymous: false,
    servers,
    ...held(servers, proxies),
    async claimOf(index) {
      const { port } = servers[index];
      const status = await askJson<EtcdStatus>(port, 'POST', '/v3/maintenance/status', '{}');
      const { header, leader = '0', raftTerm } = status;
      const self = header.member_id;
      const isKnown = leader !== '0';
      return {
        self,
        leads: leader === self,
        leader: isKnown ? leader : null,
        isFollower: isKnown && leader !== self,
        term: Number(raftTerm),
      };
    },
    suspicions: () => null,
  };
}

function held(servers: readonly TestServer[], proxies: readonly HoldingProxy[]) {
  return {
    hold: (): void => {
      for (const proxy of proxies) proxy.hold();
    },
    release: (): void => {
      for (const proxy of proxies) proxy.release();
    },
    async stop(): Promise<void> {
      await Promise.all(servers.map((server) => server.stop()));
      await Promise.all(proxies.map((proxy) => proxy.close()));
    },
  };
}

const agent = new Agent({ keepAlive: true, maxSockets: 4 });

const ANSWER_MS = 500;

export function askJson<T>(
  port: number,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
  timeout = ANSWER_MS,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, port, host: '127.0.0.1', method, path, timeout }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        try {
          resolve(JSON.parse(Buffer.concat(parts).toString()) as T);
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on('timeout', () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end(body);
  });
}
