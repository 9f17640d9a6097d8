/** Frames of a peer that is authenticated and hostile: whole frames of every type, in which some fields have wrong values. */
import { bully, changRoberts, raft } from '../../../study/src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../study/src/kernel/algorithm.ts';
import type { Random } from '../../../study/src/kernel/random.ts';
import { frameProblem } from '../../src/frame-fields.ts';
import { QuorumGate } from '../../src/gate/quorum-gate.ts';
import type { SupportFrame } from '../../src/gate/support-frame.ts';
import { NO_SUPPORT } from '../../src/gate/supporter.ts';
import type { Frame, TransportEvents } from '../../src/transport.ts';
import { SimulatedCluster, UNIT_MS } from '../simulated-cluster.ts';

const MEMBERS = [1, 2, 3].map((id) => ({ id, address: `127.0.0.1:700${id}` }));
const listName = { stamp: 1, version: 2, origin: 1 };

/** Each is what a member may send. */
const SAMPLES: readonly Frame[] = [
  {
    type: 'message',
    epoch: 0,
    proposer: 0,
    port: 0,
    key: '1.1.1',
    body: { type: 'heartbeat', term: 1, round: 1 },
  },
  {
    type: 'message',
    ...{ epoch: 1, proposer: 0, port: 0, key: '1.1.2', clock: { 1: 1, 2: 3 } },
    body: { type: 'vote', term: 1, round: 1, granted: true },
  },
  { type: 'message', epoch: 1, proposer: 1, port: 0, key: '1.1.3', body: { type: 'probe', id: 1 } },
  { type: 'message', epoch: 0, proposer: 0, port: 0, key: '1.1.4', body: { type: 'election', term: 4 } },
  {
    type: 'epoch',
    view: { hears: [2, 3], chooses: 1, seen: 3, epoch: { number: 3, proposer: 1, members: [1, 2, 3] } },
  },
  { type: 'support', about: 'request', token: 1, round: 1, version: 1, leads: true },
  { type: 'support', about: 'grant', token: 1, round: 1 },
  { type: 'support', about: 'refusal', token: 1, largest: 2 },
  { type: 'support', about: 'release', token: 1 },
  { type: 'support', about: 'inquiry' },
  { type: 'support', about: 'stored', version: 1, digest: 'ab'.repeat(32), token: 1 },
  { type: 'members', about: 'record', isCommitted: false, record: { ...listName, members: MEMBERS } },
  { type: 'members', about: 'stored', isCommitted: true, isConfirmed: true, name: listName },
];

const WRONG: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  { toString: null },
  { length: 3 },
  {},
  [],
  [1, 2, 3],
  ['request'],
  [[[[[[[[{ a: [] }]]]]]]]],
  JSON.parse('{"__proto__":{"type":"vote"}}'),
  null,
  undefined,
  true,
  '',
  '1',
  'constructor',
  '__proto__',
  'two\nlines\u0000',
  'x'.repeat(60_000),
  -1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 48,
  Number.MAX_SAFE_INTEGER,
  2 ** 53,
  Number.MAX_VALUE,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

type Path = readonly (string | number)[];

/** All places of a value, the nested ones included. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, each]) => pathsOf(each, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}

function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const given = (copy as Record<string, unknown>)[name];
  // An earlier change may have put something else there.
  if (rest.length > 0 && (typeof given !== 'object' || given === null)) return copy;
  (copy as Record<string, unknown>)[name] = replaced(given, rest, by);
  return copy;
}

/** Every wrong value in every field of every type. */
export function eachWrongField(): Frame[] {
  return SAMPLES.flatMap((sample) =>
    pathsOf(sample)
      .filter((path) => path[0] !== 'type')
      .flatMap((path) => WRONG.map((by) => replaced(sample, path, by) as Frame)),
  );
}

/** Frames with one to three wrong fields, the type included. */
export function randomFrame(random: Random): Frame {
  let frame: unknown = SAMPLES[random.below(SAMPLES.length)];
  for (let changes = 1 + random.below(3); changes > 0; changes--) {
    const paths = pathsOf(frame);
    if (paths.length === 0) break;
    frame = replaced(frame, paths[random.below(paths.length)], WRONG[random.below(WRONG.length)]);
  }
  return frame as Frame;
}

/** A member, and what it has refused. */
export interface FrameTarget {
  readonly name: string;
  readonly cluster: SimulatedCluster;
  receive(frame: Frame): void;
}

/** Member 2 of three, which have agreed. Frames of member 1 reach it without a network in between. */
async function memberTarget(name: string, algorithm: AnyAlgorithm, hasLists = false): Promise<FrameTarget> {
  const events = new Map<number, TransportEvents>();
  const record = { stamp: 0, version: 1, origin: 0, members: MEMBERS };
  const cluster = new SimulatedCluster({
    algorithm,
    ids: [1, 2, 3],
    seed: 5,
    mutate: (transport) => ({
      open: (given) => {
        events.set(events.size + 1, given);
        return transport.open(given);
      },
      send: (to, frame) => transport.send(to, frame),
      reset: (to) => transport.reset(to),
      close: () => transport.close(),
    }),
    ...(hasLists && {
      listsOf: () => ({
        record,
        isJoining: false,
        unitMs: () => UNIT_MS,
        save: async () => undefined,
        reaches: () => true,
        connect: () => undefined,
        onCommitted: () => undefined,
      }),
    }),
  });
  cluster.startAll();
  await cluster.agree(20_000);
  return { name, cluster, receive: (frame) => events.get(2)?.onFrame(1, frame) };
}

/** Members of the three ways to run: one list, lists that change, epochs. */
export async function memberTargets(): Promise<FrameTarget[]> {
  return [
    await memberTarget('raft', raft as never),
    await memberTarget('raft with lists', raft as never, true),
    await memberTarget('bully', bully as never),
    await memberTarget('chang-roberts', changRoberts as never),
  ];
}

/** A gate behind the check of the fields, as at a member. */
export function gateTarget(): (frame: Frame) => void {
  const gate = new QuorumGate(
    { id: 2, members: [1, 2, 3], timing: { leaseMs: 1_000, marginMs: 100 }, support: NO_SUPPORT },
    {
      ...{ nowMs: () => 5_000, supportMs: () => 5_000, random: () => 0.5 },
      ...{ send: () => undefined, save: async () => undefined, onLead: () => undefined },
    },
  );
  gate.decided(1);
  return (frame) => {
    if (frame.type === 'support' && frameProblem(frame) === null)
      gate.receive(1, frame as SupportFrame & Frame);
  };
}
