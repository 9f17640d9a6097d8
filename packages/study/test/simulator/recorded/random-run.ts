/**
 * Random runs of any algorithm over networks, ids, initiators, schedules, parameters and faults. Some violate an assumption
 * on purpose, are cut, or are advanced in small parts. Everything is drawn from the name of the algorithm and a number.
 */
import type { AnyAlgorithm, Params, Setting } from '../../../src/kernel/index.ts';
import { Random } from '../../../src/kernel/random.ts';
import type { Choice, SimulateOptions } from '../../../src/simulator/index.ts';
import { casesOf } from '../../algorithms/read-cases.ts';

export interface RandomRun {
  readonly options: SimulateOptions;
  readonly isTraced: boolean;
  /** The number of events of each part; null if the run is not divided. */
  readonly part: number | null;
}

type Fault = 'crash' | 'recover' | 'loss' | 'duplication' | 'partition';

/** A violated assumption may keep an election from ending, so runs are short. */
const MAX_EVENTS = 3_000;
/** An adversary is offered every message in flight. */
const MAX_CHOICES = 300;
/** In units: some algorithms only count, so their default is long. */
const MAX_UNITS = 400;

export function randomRun(algorithm: AnyAlgorithm, number: number): RandomRun {
  const random = new Random(number, `recorded ${algorithm.name}`);
  const below = (k: number): number => random.below(k);
  const oneIn = (k: number): boolean => below(k) === 0;
  const pick = <T>(all: readonly T[]): T => all[below(all.length)];
  const { assumes } = algorithm;
  const isSynchronous = assumes.timing === 'synchronous';
  const own = casesOf(algorithm).scenario;

  const size = 1 + below(oneIn(4) ? 40 : 12);
  const drawn = below(1_000_000);
  const n = own?.nodes?.(size, drawn) ?? size;
  const isLockstep = isSynchronous ? !oneIn(8) : !oneIn(3);
  const schedule = isLockstep ? 'lockstep' : pick(['random', 'random:nofifo', 'adversary'] as const);
  const set: Record<string, Setting> = { ...own?.set?.(n, drawn) };
  if (assumes.timing === 'bounded-delay') set.timeout = pick([2, 2, 3, 6]);
  for (const [name, { kind, names }] of Object.entries(algorithm.params as Params)) {
    if (name in set || !oneIn(3)) continue;
    if (kind === 'flag') set[name] = oneIn(2);
    else if (kind === 'choice') set[name] = pick(names);
    else if (own === undefined || assumes.network === 'complete') set[name] = 2 + below(6);
  }

  const tolerated = new Set<string>(assumes.faults ?? []);
  const may = (fault: Fault): boolean => (tolerated.has(fault) ? oneIn(2) : oneIn(12));
  /** Half of the times are whole. */
  const time = (most: number): number => (oneIn(2) ? below(most + 1) : below(1000 * most + 1) / 1000);
  const crash =
    may('crash') || may('recover')
      ? Array.from({ length: 1 + below(3) }, () => ({ position: below(n), time: oneIn(3) ? 0 : time(3 * n) }))
      : undefined;
  const recover =
    crash !== undefined && may('recover')
      ? [{ position: crash[0].position, time: crash[0].time + time(20) }]
      : undefined;
  const isLossy = may('loss');
  const wakes = below(isSynchronous ? 1 : 5);
  const starts = Array.from({ length: 1 + below(Math.min(n, 6)) }, () => ({
    position: below(n),
    time: wakes === 1 ? 0 : wakes === 2 ? below(n + 1) : time(n),
  }));
  const cut = Math.floor(0.5 * n) + time(n);
  return {
    options: {
      ...idsOf(algorithm, n, below),
      ...networkOf(algorithm, n, below),
      initiators:
        wakes === 0
          ? 'all'
          : wakes === 4
            ? { random: 1 + below(Math.max(1, n - 3)) }
            : [...new Map(starts.map((start) => [start.position, start])).values()],
      schedule:
        schedule === 'adversary'
          ? { pick: (choices: readonly Choice[]) => below(choices.length), fifo: assumes.fifo || oneIn(2) }
          : schedule,
      set,
      seed: below(1_000_000),
      crash: crash ?? (oneIn(4) ? 'none' : undefined),
      recover,
      ...(isLossy && { loss: pick([0.02, 0.2]), lossUntil: oneIn(2) ? 2 * n : undefined }),
      duplicate: may('duplication') ? 0.1 : undefined,
      partition:
        n > 1 && may('partition')
          ? [{ groups: [[...Array(1 + below(n - 1)).keys()]], from: time(n), until: 2 * n + 1 }]
          : undefined,
      invariants: oneIn(4) ? 'all' : 'none',
      until: oneIn(8) ? cut : assumes.timing === 'asynchronous' && algorithm.horizon ? MAX_UNITS : undefined,
      stepLimit: schedule === 'adversary' ? MAX_CHOICES : MAX_EVENTS,
      despite: [...DESPITE, ...(oneIn(3) ? ['termination'] : [])],
      states: oneIn(4),
    },
    isTraced: oneIn(2),
    part: oneIn(3) ? 1 + below(40) : null,
  };
}

/** Anything may happen, and its result is compared. */
const DESPITE = ['timing', 'fifo', 'crash', 'recover', 'loss', 'duplication', 'partition'];

function idsOf(
  { assumes }: AnyAlgorithm,
  n: number,
  below: (k: number) => number,
): Pick<SimulateOptions, 'ids' | 'nodes' | 'order'> {
  if (assumes.ids !== 'unique' || below(3) > 0)
    return { nodes: n, order: (['random', 'ascending', 'descending'] as const)[below(3)] };
  const gap = 1 + below(4);
  const ids = Int32Array.from({ length: n }, (_, at) => at * gap + below(gap));
  new Random(below(1_000_000)).shuffle(ids);
  return { ids };
}

function networkOf(
  { assumes }: AnyAlgorithm,
  n: number,
  below: (k: number) => number,
): Pick<SimulateOptions, 'topology'> {
  if (assumes.network === 'tree') return { topology: ['random-tree', 'line', 'star', 'tree'][below(4)] };
  if (assumes.network !== 'connected') return {};
  const edges = Math.min((n * (n - 1)) / 2, n - 1 + below(2 * n));
  return { topology: ['ring', 'complete', 'star', 'line', 'tree', `random:${edges}`][below(6)] };
}
