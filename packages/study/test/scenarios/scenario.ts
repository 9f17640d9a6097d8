/**
 * Random elections under the conditions that an algorithm allows: a network of its kind, any ids, any initiators at
 * any times, any schedule that it allows, and the faults that it tolerates. Everything is drawn as plain numbers, so
 * that a failure shrinks, and a failure prints the command that replays it.
 */
import fc from 'fast-check';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { deadAtFirst } from '../../src/kernel/setup.ts';
import type { SimulateOptions } from '../../src/simulator/index.ts';
import { casesOf } from '../algorithms/read-cases.ts';

/** A fraction of 1. */
const part = fc.integer({ min: 0, max: 1000 }).map((thousandths) => thousandths / 1000);

export const draws = fc.record({
  /** Most are small: they cover the same faults and cost less. */
  n: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 16 }) }, fc.integer({ min: 1, max: 64 })),
  shape: fc.nat(9),
  shuffle: fc.nat(1_000_000),
  /** One, some, or, in one of four elections, all. */
  initiators: fc.oneof(
    fc.constant(null),
    fc.array(fc.record({ position: part, wakes: part }), { minLength: 1, maxLength: 8 }),
    fc.array(fc.record({ position: part, wakes: fc.constant(0) }), { minLength: 2, maxLength: 8 }),
    fc.array(fc.record({ position: part, wakes: part }), { minLength: 2, maxLength: 8 }),
  ),
  schedule: fc.constantFrom('lockstep' as const, 'random' as const, 'random:nofifo' as const),
  seed: fc.nat(1_000_000),
  crashes: fc.oneof(
    fc.constant([]),
    fc.array(fc.record({ position: part, at: part, back: fc.option(part) }), { minLength: 1, maxLength: 3 }),
  ),
  loss: fc.constantFrom(0, 0, 0.05, 0.3),
  duplicate: fc.constantFrom(0, 0, 0.1),
  /** Where the network is partitioned, if at all, and for how long. */
  parts: fc.option(fc.record({ at: part, from: part, lasts: part })),
  detectors: fc.array(part, { minLength: 1, maxLength: 3 }),
  param: fc.nat(1_000_000),
});

type DrawOf<A> = A extends fc.Arbitrary<infer T> ? T : never;
export type Draw = DrawOf<typeof draws>;

/** The election without faults. */
export function faultlessOptions(algorithm: AnyAlgorithm, draw: Draw): SimulateOptions {
  const own = casesOf(algorithm).scenario;
  const n = own?.nodes?.(draw.n, draw.param) ?? draw.n;
  const topology = networkOf(algorithm, n, draw.shape);
  const { assumes } = algorithm;
  const schedule = scheduleOf(algorithm, draw.schedule);
  const boundedDelay = assumes.timing === 'bounded-delay' && schedule !== 'lockstep' ? { timeout: 6 } : {};
  const who: SimulateOptions =
    assumes.ids === 'anonymous'
      ? { nodes: n }
      : { ids: own?.ids?.(n, draw.shuffle) ?? idsOf(n, draw.shuffle) };
  const dead = deadPositions(algorithm, who);
  const able = Array.from({ length: n }, (_, at) => at).filter((at) => !dead.includes(at));
  return {
    ...who,
    ...(topology === null ? {} : { topology }),
    initiators: assumes.timing === 'synchronous' ? 'all' : initiatorsOf(draw, able),
    schedule,
    seed: draw.seed,
    // To check invariants costs more than to run the election: one in ten does.
    invariants: draw.seed % 10 === 0 ? 'all' : 'none',
    set: { ...boundedDelay, ...own?.set?.(n, draw.param) },
  };
}

/** Distinct, unordered, and with gaps. */
function idsOf(n: number, shuffle: number): number[] {
  const gap = 1 + (shuffle % 7);
  const ids = Array.from({ length: n }, (_, k) => k * gap + (shuffle % 5));
  let state = shuffle + 1;
  for (let k = n - 1; k > 0; k--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (k + 1);
    [ids[k], ids[other]] = [ids[other], ids[k]];
  }
  return ids;
}

/** Null is the default of the algorithm. */
function networkOf({ assumes }: AnyAlgorithm, n: number, shape: number): string | null {
  if (assumes.network === 'tree') return ['random-tree', 'line', 'star', 'tree'][shape % 4];
  if (assumes.network !== 'connected') return null;
  const edges = Math.min((n * (n - 1)) / 2, n - 1 + shape * 3);
  const shapes = ['ring', 'complete', 'star', 'line', 'tree', 'random-tree', `random:${edges}`];
  return shapes[shape % shapes.length];
}

function scheduleOf({ assumes }: AnyAlgorithm, drawn: Draw['schedule']): Draw['schedule'] {
  if (assumes.timing === 'synchronous') return 'lockstep';
  return drawn === 'random:nofifo' && assumes.fifo ? 'random' : drawn;
}

/** Some start within the time that a message takes around a ring. */
function initiatorsOf(
  { initiators }: Draw,
  able: readonly number[],
): NonNullable<SimulateOptions['initiators']> {
  if (initiators === null) return 'all';
  const wakes = new Map<number, number>();
  for (const { position, wakes: late } of initiators) {
    wakes.set(pick(able, position), Math.round(late * able.length * 10) / 10);
  }
  return [...wakes].map(([position, time]) => ({ position, time }));
}

function pick<T>(all: readonly T[], where: number): T {
  return all[Math.min(all.length - 1, Math.floor(where * all.length))];
}

export interface Faults {
  readonly options: SimulateOptions;
  readonly kinds: readonly Kind[];
  /** The time when the last of them is over. */
  readonly over: number;
}

export const KINDS = ['crash in mid-election', 'recovery', 'loss', 'several initiators'] as const;
export type Kind = (typeof KINDS)[number];

/** The kinds of faults that an algorithm must tolerate. */
export function kindsFor({ assumes }: AnyAlgorithm): Kind[] {
  const survives = new Set<string>(assumes.faults ?? []);
  return KINDS.filter((kind) => {
    if (kind === 'several initiators') return true;
    return survives.has({ 'crash in mid-election': 'crash', recovery: 'recover', loss: 'loss' }[kind]);
  });
}

/** The same election with faults during its run, which without them lasts until `ends`. */
export function withFaults(
  algorithm: AnyAlgorithm,
  draw: Draw,
  faultless: SimulateOptions,
  ends: number,
): Faults {
  const survives = new Set<string>(algorithm.assumes.faults ?? []);
  const kinds: Kind[] = [];
  const n = nodesOf(faultless);
  const first = deadPositions(algorithm, faultless);
  const crash = first.map((position) => ({ position, time: 0 }));
  const recover: { position: number; time: number }[] = [];
  const most = (casesOf(algorithm).scenario?.mayFail?.(n) ?? n - 1) - crash.length;
  if (survives.has('crash')) {
    for (const { position, at, back } of draw.crashes.slice(0, Math.max(0, most))) {
      const who = Math.min(n - 1, Math.floor(position * n));
      if (crash.some((other) => other.position === who)) continue;
      const time = Math.round(at * ends * 100) / 100;
      crash.push({ position: who, time });
      if (time > 0 && time < ends) kinds.push('crash in mid-election');
      if (back === null || !survives.has('recover')) continue;
      recover.push({ position: who, time: Math.round((time + 0.1 + back * 2 * ends) * 100) / 100 });
      kinds.push('recovery');
    }
  }
  const loses = survives.has('loss') && draw.loss > 0;
  const lossUntil = Math.ceil(2 * ends);
  if (loses) kinds.push('loss');
  const partition = survives.has('partition') ? partitionOf(draw, n, ends) : [];
  const times = [...crash, ...recover].map(({ time }) => time);
  return {
    options: {
      ...faultless,
      crash,
      recover,
      partition,
      ...(survives.has('duplication') ? { duplicate: draw.duplicate } : {}),
      ...(loses ? { loss: draw.loss, lossUntil } : {}),
    },
    kinds,
    over: Math.max(ends, ...times, ...partition.map(({ until }) => until), loses ? lossUntil : 0),
  };
}

function partitionOf(
  { parts }: Draw,
  n: number,
  ends: number,
): { groups: number[][]; from: number; until: number }[] {
  const positions = Array.from({ length: n }, (_, at) => at);
  const cut = parts === null ? 0 : Math.floor(parts.at * n);
  if (parts === null || cut === 0 || cut === n) return [];
  const from = parts.from * ends;
  return [
    { groups: [positions.slice(0, cut), positions.slice(cut)], from, until: from + 1 + parts.lasts * ends },
  ];
}

/**
 * After all faults some live nodes detect that there is no coordinator, like a failure detector: after a lost message
 * or the crash of the coordinator no other event would start an election.
 */
export function withDetection(draw: Draw, { options, over }: Faults): SimulateOptions {
  const n = nodesOf(options);
  const back = new Set((options.recover ?? []).map(({ position }) => position));
  const crashes = options.crash === 'none' ? [] : (options.crash ?? []);
  const dead = new Set(crashes.map(({ position }) => position).filter((position) => !back.has(position)));
  const live = Array.from({ length: n }, (_, at) => at).filter((at) => !dead.has(at));
  const { initiators } = options;
  const before =
    initiators === 'all' || !Array.isArray(initiators)
      ? live.map((position) => ({ position, time: 0 }))
      : initiators;
  const late = new Set(
    draw.detectors.map((one) => live[Math.min(live.length - 1, Math.floor(one * live.length))]),
  );
  const time = Math.ceil(over) + 100;
  return { ...options, initiators: [...before, ...[...late].map((position) => ({ position, time }))] };
}

function nodesOf({ ids, nodes }: SimulateOptions): number {
  return Array.isArray(ids) ? ids.length : (nodes as number);
}

function deadPositions(algorithm: AnyAlgorithm, { ids }: SimulateOptions): number[] {
  return Array.isArray(ids) ? deadAtFirst(algorithm, Int32Array.from(ids)) : [];
}
