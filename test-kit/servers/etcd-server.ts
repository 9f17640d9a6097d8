/** A real etcd of one member or several, ready in a second or two. */
import { type IncomingMessage, request } from 'node:http';
import { request as requestHttps } from 'node:https';
import { freePort, startServer, type TestServer } from './server-process.ts';

export interface EtcdServerOptions {
  /** Further arguments of the program. */
  readonly args?: readonly string[];
  /** Paths of a key and a certificate: then it speaks TLS to its clients. */
  readonly tls?: { readonly key: string; readonly cert: string };
}

export async function startEtcd({ args = [], tls }: EtcdServerOptions = {}): Promise<TestServer> {
  const peerPort = await freePort();
  return startMember('n1', peerPort, `n1=http://127.0.0.1:${peerPort}`, args, tls);
}

export interface EtcdClusterOptions {
  /** Further arguments of the program, for all members. */
  readonly args?: readonly string[];
  /** May put a proxy in front of the port for peers of each member. */
  readonly reachedAt?: (peerPort: number) => Promise<number>;
  /** A folder for the data of the first member, which has otherwise the one of its server. */
  readonly firstDataIn?: string;
}

/** Members of one cluster, each with its own process. The URL of each names that member alone. */
export async function startEtcdCluster(
  size: number,
  { args = [], reachedAt = async (port) => port, firstDataIn }: EtcdClusterOptions = {},
): Promise<readonly TestServer[]> {
  const ports = await Promise.all(Array.from({ length: size }, () => freePort()));
  const reached = await Promise.all(ports.map(reachedAt));
  const cluster = reached.map((port, index) => `n${index + 1}=http://127.0.0.1:${port}`).join(',');
  // The last of two equal flags counts.
  const first = firstDataIn === undefined ? [] : ['--data-dir', `${firstDataIn}/data`];
  // Together: a member answers only when a majority runs.
  return Promise.all(
    ports.map((port, index) => {
      const own = index === 0 ? [...args, ...first] : args;
      return startMember(`n${index + 1}`, port, cluster, own, undefined, reached[index]);
    }),
  );
}

function startMember(
  name: string,
  peerPort: number,
  cluster: string,
  args: readonly string[] = [],
  tls?: EtcdServerOptions['tls'],
  reachedAt = peerPort,
): Promise<TestServer> {
  const scheme = tls === undefined ? 'http' : 'https';
  return startServer({
    program: 'etcd',
    politeSignal: 'SIGTERM',
    args: (folder, port) => [
      ...['--name', name, '--data-dir', `${folder}/data`, '--log-level', 'error'],
      ...['--listen-client-urls', `${scheme}://127.0.0.1:${port}`],
      ...['--advertise-client-urls', `${scheme}://127.0.0.1:${port}`],
      ...['--listen-peer-urls', `http://127.0.0.1:${peerPort}`],
      ...['--initial-advertise-peer-urls', `http://127.0.0.1:${reachedAt}`],
      ...['--initial-cluster', cluster],
      ...(tls === undefined ? [] : ['--key-file', tls.key, '--cert-file', tls.cert]),
      ...args,
    ],
    answers: (port) => isHealthy(port, tls !== undefined),
    url: (port) => `etcd${tls === undefined ? '' : 's'}://127.0.0.1:${port}`,
  });
}

function isHealthy(port: number, overTls: boolean): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const address = { port, host: '127.0.0.1', path: '/health' };
    const take = (answer: IncomingMessage): void => {
      answer.resume();
      resolve(answer.statusCode === 200);
    };
    const sent = overTls
      ? requestHttps({ ...address, rejectUnauthorized: false }, take)
      : request(address, take);
    sent.setTimeout(1_000, () => sent.destroy(new Error('no answer')));
    sent.on('error', reject);
    sent.end();
  });
}
