/**
 * Plans a sweep, and refuses impossible combinations before anything runs.
 *
 * Guarantees: the chunks and the seed of each run follow from the options alone, so the result does not depend on which
 * thread runs which chunk, or when. The order of chunks gives every cell some of its runs early.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { InputError } from '../kernel/errors.ts';
import { isBuiltIn, type Law } from '../kernel/law.ts';
import { Topology } from '../kernel/network/topology.ts';
import type { Setting } from '../kernel/params.ts';
import { Random } from '../kernel/random.ts';
import { DEFAULT_SEED, type Order } from '../kernel/setup.ts';
import { describeInitiators } from '../simulator/plan/option-text.ts';
import type { SimulateOptions } from '../simulator/plan/options.ts';
import { resolvePlan } from '../simulator/plan/resolve-plan.ts';
import { type Growth, parseGrowth } from './growth.ts';
import { lawsOf, SWEEP_MEASURES, type SweepMeasure } from './sweep-measure.ts';
import { DEFAULT_RUNS, DEFAULT_SIZES, type SweepOptions, type SweepSchedule } from './sweep-options.ts';

/** One algorithm with one order, schedule and setting of its parameters: one curve. */
export interface SweepSeries {
  readonly algorithm: AnyAlgorithm;
  readonly order: Order;
  readonly schedule: SweepSchedule;
  readonly laws: readonly Law[];
  /** Options of a run without nodes and seed. */
  readonly run: SimulateOptions;
}

/** One size of one series. */
export interface SweepCell {
  readonly index: number;
  readonly series: SweepSeries;
  readonly n: number;
}

/** All runs of a sweep. */
export interface SweepPlan {
  readonly measure: SweepMeasure;
  /** The growths of the option `fit`. */
  readonly growths: readonly Growth[];
  readonly seed: number;
  /** Runs per cell. */
  readonly runs: number;
  readonly sizes: readonly number[];
  readonly series: readonly SweepSeries[];
  readonly cells: readonly SweepCell[];
  /** Options of every run that are not the default, as text. */
  readonly setting: Readonly<Record<string, string>>;
}

/** Consecutive runs of a cell. */
export interface SweepChunk {
  readonly cell: number;
  readonly index: number;
  readonly first: number;
  readonly runs: number;
}

const MAX_CELLS = 10_000;
const MAX_RUNS = 1_000_000_000;
/** A chunk takes some milliseconds: long compared with a message between threads, short compared with a second. */
const NODES_A_CHUNK = 1 << 14;
const MAX_RUNS_A_CHUNK = 256;
/** The number of overlays that are kept, for each algorithm. */
const MAX_OVERLAYS = 8;

/** Plans a sweep, and refuses impossible combinations. */
export function planSweep(algorithms: readonly AnyAlgorithm[], options: SweepOptions): SweepPlan {
  const { calledAs, nodes, order, schedule, seed = DEFAULT_SEED, ...others } = options;
  const { runs = DEFAULT_RUNS, measure = 'messages', fit = [], set = {}, ...rest } = others;
  if (algorithms.length === 0) throw new InputError('algorithms must not be empty: name one');
  const sizes = distinct('nodes', nodes ?? DEFAULT_SIZES);
  if (!Number.isInteger(runs) || runs < 1 || runs > MAX_RUNS) {
    throw new InputError(`runs must be a whole number from 1 to ${MAX_RUNS}, not ${runs}`);
  }
  checkMeasure(measure, algorithms);
  const names = algorithms.map(({ name }) => name);
  distinct('algorithm', names);
  refuseUnknown(algorithms, Object.keys(set));
  const series = algorithms.map(withKeptOverlay).flatMap((algorithm, index) =>
    distinct('order', order ?? ['random']).flatMap((eachOrder) =>
      distinct('schedule', schedule ?? ['lockstep']).flatMap((eachSchedule) =>
        settingsOf(algorithm, set).map((eachSet): SweepSeries => {
          const each = { order: eachOrder, schedule: eachSchedule };
          const run = { ...rest, ...each, set: eachSet, calledAs: calledAs?.[index] };
          return { algorithm, ...each, laws: lawsOf(algorithm, measure), run };
        }),
      ),
    ),
  );
  if (series.length * sizes.length > MAX_CELLS) {
    throw new InputError(`a sweep has at most ${MAX_CELLS} points, not ${series.length * sizes.length}`);
  }
  const cells = series
    .flatMap((each) => sizes.map((n) => ({ series: each, n })))
    .map((cell, index) => ({ ...cell, index }));
  const plan = {
    measure,
    growths: fit.map(parseGrowth),
    seed,
    runs,
    sizes,
    series,
    cells,
    setting: settingOf(options),
  };
  for (const cell of cells) resolvePlan(cell.series.algorithm, optionsOf(plan, cell, 0));
  return plan;
}

/**
 * An overlay follows from n and the parameters, and may take longer to build than the election takes to run. The chunks of a
 * sweep alternate between its sizes, so the overlays of several sizes are kept.
 */
function withKeptOverlay(algorithm: AnyAlgorithm): AnyAlgorithm {
  const build = algorithm.overlay;
  if (build === undefined) return algorithm;
  const kept = new Map<string, Topology>();
  const overlay: typeof build = (n, params) => {
    const key = JSON.stringify([n, params]);
    const topology = kept.get(key) ?? build(n, params);
    // The last used comes last.
    kept.delete(key);
    kept.set(key, topology);
    if (kept.size > MAX_OVERLAYS) kept.delete(kept.keys().next().value as string);
    return topology;
  };
  return { ...algorithm, overlay };
}

/** An own measure must be declared by every algorithm. */
function checkMeasure(measure: SweepMeasure, algorithms: readonly AnyAlgorithm[]): void {
  if (isBuiltIn(measure)) return;
  const without = algorithms.filter(({ measures = {} }) => !Object.hasOwn(measures, measure));
  if (without.length === 0) return;
  const own = [...new Set(algorithms.flatMap(({ measures = {} }) => Object.keys(measures)))];
  const known = [...SWEEP_MEASURES, ...own].filter((name) => name !== measure);
  throw new InputError(
    without.length < algorithms.length
      ? `measure '${measure}' must be declared by every algorithm of the sweep, and ${without[0].name} does not`
      : `measure must be one of ${known.join(', ')}, not '${measure}'`,
  );
}

function settingOf({ initiators, topology, crash, despite }: SweepOptions): SweepPlan['setting'] {
  const network = topology instanceof Topology ? topology.name : topology;
  const crashes =
    typeof crash === 'string' ? crash : crash?.map(({ position, time }) => `${position}@${time}`).join();
  return {
    ...(initiators !== undefined && { initiators: describeInitiators(initiators) }),
    ...(network !== undefined && { topology: network }),
    ...(crashes !== undefined && { crash: crashes }),
    ...(despite !== undefined && despite.length > 0 && { despite: despite.join() }),
  };
}

function distinct<V extends Setting>(what: string, values: readonly V[]): readonly V[] {
  if (values.length === 0) throw new InputError(`${what} must not be empty: name at least one`);
  const twice = values.find((value, index) => values.indexOf(value) !== index);
  if (twice !== undefined) throw new InputError(`${what} must differ, and ${twice} is given twice`);
  return values;
}

function refuseUnknown(algorithms: readonly AnyAlgorithm[], names: readonly string[]): void {
  for (const name of names) {
    if (algorithms.some(({ params }) => Object.hasOwn(params, name))) continue;
    const known = new Set(algorithms.flatMap(({ params }) => Object.keys(params)));
    const has = known.size > 0 ? `they have ${[...known].join(', ')}` : 'they have none';
    throw new InputError(`no algorithm of the sweep has a parameter '${name}': ${has}`);
  }
}

/** Every combination of the given values of the parameters that the algorithm has. */
function settingsOf(
  { params }: AnyAlgorithm,
  set: NonNullable<SweepOptions['set']>,
): Readonly<Record<string, Setting>>[] {
  let all: Readonly<Record<string, Setting>>[] = [{}];
  for (const [name, given] of Object.entries(set)) {
    if (!Object.hasOwn(params, name)) continue;
    const values = isListed(given) ? distinct(`values of ${name}`, given) : [given];
    all = all.flatMap((settings) => values.map((value) => ({ ...settings, [name]: value })));
  }
  return all;
}

const isListed = (given: Setting | readonly Setting[]): given is readonly Setting[] => Array.isArray(given);

/** The options of one run, with which `hustings simulate` repeats it. */
export function optionsOf({ seed }: Pick<SweepPlan, 'seed'>, cell: SweepCell, run: number): SimulateOptions {
  const { algorithm, run: options } = cell.series;
  return { ...options, nodes: cell.n, seed: seedOf(seed, algorithm.name, cell.n, run) };
}

/** Runs with another order, schedule or parameter have the same seeds, hence the same networks and random draws. */
function seedOf(seed: number, algorithm: string, n: number, run: number): number {
  const random = new Random(seed, `sweep ${algorithm} ${n} ${run}`);
  return (random.next32() >>> 11) * 0x1_0000_0000 + random.next32();
}

export function runsPerChunk(n: number): number {
  return Math.max(1, Math.min(MAX_RUNS_A_CHUNK, Math.floor(NODES_A_CHUNK / n)));
}

/** What the chunks of a sweep follow from. */
export interface ChunkPlan {
  readonly cells: readonly Pick<SweepCell, 'index' | 'n'>[];
  /** Runs per cell. */
  readonly runs: number;
}

/** The number of chunks of a sweep. */
export function countChunks({ cells, runs }: ChunkPlan): number {
  return cells.reduce((sum, { n }) => sum + Math.ceil(runs / runsPerChunk(n)), 0);
}

/** The first chunk of every cell, then the second, and so on. */
export function* chunksOf({ cells, runs }: ChunkPlan): Generator<SweepChunk> {
  const most = Math.max(...cells.map(({ n }) => Math.ceil(runs / runsPerChunk(n))));
  for (let index = 0; index < most; index++) {
    for (const { index: cell, n } of cells) {
      const first = index * runsPerChunk(n);
      if (first < runs) yield { cell, index, first, runs: Math.min(runsPerChunk(n), runs - first) };
    }
  }
}
