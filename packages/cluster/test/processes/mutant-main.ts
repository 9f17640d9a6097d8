/**
 * One member of a runtime that lacks one of its guarantees, in a process of its own. It takes the arguments of `hustings node` that
 * the tests give, and `--mutant`, the guarantee that it lacks. Without that it is the right runtime.
 */
import { randomInt } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { registry } from '../../../study/src/algorithms/registry.ts';
import { serveNode } from '../../src/host/node-server.ts';
import { PROCESS_CLOCK } from '../../src/host/process-clock.ts';
import { StateFile } from '../../src/host/state-file.ts';
import { openTraceFile } from '../../src/host/trace-file.ts';
import { parseMemberList } from '../../src/member-list/member-list.ts';
import type { MemberStore } from '../../src/runtime/durable-outbox.ts';
import { defaultUnitMs } from '../../src/runtime/member-options.ts';
import { MemberRuntime } from '../../src/runtime/member-runtime.ts';
import type { Transport } from '../../src/transport.ts';
import { TcpTransport } from '../../src/wire/tcp-transport.ts';
import { dropsEpochs, ignoresOrder } from '../mutant-transports.ts';

const names = [
  'members',
  'id',
  'secret-file',
  'dir',
  'listen',
  'record',
  'http',
  'algorithm',
  'heartbeat',
  'mutant',
];
const text = { type: 'string', default: '' } as const;
const { values } = parseArgs({
  allowPositionals: true,
  options: { ...Object.fromEntries(names.map((name) => [name, text])), events: { type: 'boolean' } },
});
const flag = (name: string): string => String((values as Readonly<Record<string, unknown>>)[name]);

process.stdin.once('close', () => process.exit(0)).resume();
const members = parseMemberList(readFileSync(flag('members'), 'utf8'));
const id = Number(flag('id'));
const heartbeatMs = Number.parseInt(flag('heartbeat'), 10);
const ids = members.members.map((member) => member.id);
const algorithm = registry.find(({ name }) => name === flag('algorithm'));
if (algorithm === undefined) throw new Error(`no algorithm ${flag('algorithm')}`);
mkdirSync(flag('dir'), { recursive: true });
const file = new StateFile(join(flag('dir'), 'state'), { cluster: members.cluster, id });

/** A record counts as saved long before it is on disk. */
const hasty: MemberStore = {
  load: () => file.load(),
  save: async (record) => {
    setTimeout(() => void file.save(record), 60_000).unref();
  },
};

const tcp = new TcpTransport({
  members,
  id,
  security: { type: 'secret', secret: readFileSync(flag('secret-file'), 'utf8') },
  listen: flag('listen'),
  heartbeatMs,
});
const MUTANTS: Readonly<Record<string, (transport: Transport) => Transport>> = {
  'drops-epochs': (transport) => dropsEpochs(transport, () => runtime),
  'ignores-order': ignoresOrder,
};
const runtime: MemberRuntime = new MemberRuntime({
  cluster: members.cluster,
  self: id,
  members: ids,
  algorithm,
  unitMs: defaultUnitMs({ algorithm, members: ids }, heartbeatMs),
  detector: { heartbeatMs },
  transport: MUTANTS[flag('mutant')]?.(tcp) ?? tcp,
  store: flag('mutant') === 'votes-before-sync' ? hasty : file,
  clock: PROCESS_CLOCK,
  draw: (sides) => randomInt(1, sides + 1),
  incarnation: randomInt(2 ** 47),
  trace: openTraceFile(flag('record'), id, (error) => {
    throw error;
  }),
});
await runtime.open();
const server = await serveNode(0, () => {
  const { status } = runtime;
  const leads = status.role === 'leader';
  return {
    ...status,
    cluster: members.cluster,
    pid: process.pid,
    quorum: false,
    version: 1,
    storedVersion: 1,
    exclusive: false,
    elected: status.leader,
    leads,
    isReady: status.leader !== null,
    token: status.term,
    folder: null,
    recovery: null,
    certificateUntilMs: null,
    connected: tcp.connected,
    traffic: tcp.traffic,
  };
});
process.stdout.write(`${JSON.stringify({ type: 'up', url: server.url })}\n`);
