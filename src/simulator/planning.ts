/**
 * Makes a plan of what the caller said: fills in every default, and refuses, before anything has happened, what
 * cannot be.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { checkDefinition } from '../kernel/definition.ts';
import { InputError } from '../kernel/errors.ts';
import { MAX_WORD } from '../kernel/field.ts';
import { resolveParams } from '../kernel/params.ts';
import { Random } from '../kernel/random.ts';
import { buildTopology, diameter, nodesOf, parseTopologyName } from '../kernel/topologies.ts';
import { Topology } from '../kernel/topology.ts';
import { checkAssumptions } from './assumptions.ts';
import type { FaultPlan, NodeFault } from './faults.ts';
import { chooseInitiators } from './initiators.ts';
import type { Order, SimulateOptions } from './options.ts';
import type { Plan, ScheduleChoice } from './plan.ts';
import { replayLine } from './replay.ts';

/** Room for the columns of a run within a few gigabytes. */
export const MOST_NODES = 1 << 25;

export const DEFAULT_NODES = 8;
export const DEFAULT_SEED = 1;
/** One round trip. */
export const DEFAULT_TIMEOUT = 2;

export function planRun(algorithm: AnyAlgorithm, options: SimulateOptions): Plan {
  checkDefinition(algorithm);
  const seed = options.seed ?? DEFAULT_SEED;
  if (!Number.isSafeInteger(seed) || seed < 0) {
    throw new InputError(`seed must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}, not ${seed}`);
  }
  const given = options.ids === undefined || options.ids === 'anonymous' ? null : checkIds(options.ids);
  if (given !== null && options.nodes !== undefined && options.nodes !== given.length) {
    throw new InputError(`${given.length} ids for ${options.nodes} nodes: give --nodes or --ids, not both`);
  }
  const wanted = given?.length ?? options.nodes ?? null;
  if (wanted !== null) checkNodes(wanted);
  const underlay = chooseNetwork(algorithm, options, wanted, given, seed);
  const nodes = underlay.n;
  const params = resolveParams(algorithm.name, algorithm.params, nodes, options.set ?? {});
  const topology = algorithm.overlay?.(nodes, params as never) ?? underlay;
  const ids = given ?? orderedIds(nodes, checkOrder(options.order), seed);
  const anonymous = options.ids === 'anonymous' || algorithm.assumes.ids === 'anonymous';
  const faults = planFaults(algorithm, options, ids);
  const deadAtStart = faults.crashes.filter(({ time }) => time === 0).map(({ position }) => position);
  const { initiators, wakeTimes } = chooseInitiators(algorithm, options.initiators, nodes, deadAtStart, seed);
  const plan = {
    algorithm,
    params,
    topology: topology.kind === 'complete' ? Topology.complete(ids) : topology,
    nodes,
    diameter: algorithm.assumes.knows?.includes('diameter') ? diameter(topology) : 0,
    ids,
    anonymous,
    initiators,
    wakeTimes,
    schedule: chooseSchedule(options.schedule ?? 'lockstep'),
    seed,
    faults,
    despite: options.despite ?? [],
    timeout: typeof params.timeout === 'number' ? params.timeout : DEFAULT_TIMEOUT,
    until: checkTime('until', options.until ?? null),
    stepLimit: options.stepLimit ?? 1_000_000 + 64 * nodes * (nodes + topology.edges),
    observe: options.observe ?? null,
    replay: replayLine(algorithm, options, seed),
  };
  checkAssumptions(plan, options.ids === 'anonymous');
  return plan;
}

function checkNodes(n: number): void {
  if (!Number.isInteger(n) || n < 1 || n > MOST_NODES) {
    throw new InputError(`nodes must be an integer from 1 to ${MOST_NODES}, not ${n}`);
  }
}

function checkIds(ids: readonly number[] | Int32Array): Int32Array {
  if (ids.length === 0) throw new InputError('ids are empty: give at least one, as in 5,3,8,1');
  const seen = new Set<number>();
  for (const id of ids) {
    if (!Number.isInteger(id) || id < 0 || id > MAX_WORD) {
      throw new InputError(`an id must be an integer from 0 to ${MAX_WORD}, not ${id}`);
    }
    if (seen.has(id)) throw new InputError(`id ${id} is given twice: ids must differ`);
    seen.add(id);
  }
  return Int32Array.from(ids);
}

const ORDERS: readonly Order[] = ['ascending', 'descending', 'random'];

function checkOrder(order: Order | undefined): Order {
  if (order === undefined) return 'random';
  if (!ORDERS.includes(order))
    throw new InputError(`order must be one of ${ORDERS.join(', ')}, not '${order}'`);
  return order;
}

function orderedIds(n: number, order: Order, seed: number): Int32Array {
  const ids = new Int32Array(n);
  for (let at = 0; at < n; at++) ids[at] = order === 'descending' ? n - at : at + 1;
  if (order === 'random') new Random(seed, 'order').shuffle(ids);
  return ids;
}

/** The network asked for, or the algorithm's own: a ring, a complete network, a random tree or graph. */
function chooseNetwork(
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
  wanted: number | null,
  given: Int32Array | null,
  seed: number,
): Topology {
  const { network } = algorithm.assumes;
  if (options.topology instanceof Topology) {
    const n = options.topology.n;
    if (wanted !== null && wanted !== n) throw new InputError(`${wanted} nodes for a network of ${n}`);
    return options.topology;
  }
  const n = wanted ?? DEFAULT_NODES;
  const named = options.topology ?? OWN_NETWORK[network](n);
  const spec = parseTopologyName(named);
  const fixed = spec.shape === 'edges' ? wanted : (wanted ?? nodesOf(spec) ?? n);
  if (fixed !== null) checkNodes(fixed);
  const onRing = network === 'ring' || network === 'one-way ring';
  return buildTopology(spec, fixed, new Random(seed, 'topology'), {
    ids: given ?? undefined,
    edgeText: options.edgeText,
    asGraph: !onRing,
    oneWay: network === 'one-way ring' && spec.shape === 'ring',
  });
}

const OWN_NETWORK: Readonly<Record<string, (n: number) => string>> = {
  'one-way ring': () => 'ring',
  ring: () => 'ring',
  tree: () => 'random-tree',
  connected: (n) => `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`,
  complete: () => 'complete',
};

function chooseSchedule(option: NonNullable<SimulateOptions['schedule']>): ScheduleChoice {
  if (option === 'lockstep') return { kind: 'lockstep', name: option };
  if (option === 'random') return { kind: 'random', name: option, fifo: true };
  if (option === 'random:nofifo') return { kind: 'random', name: option, fifo: false };
  if (typeof option === 'object' && typeof option.pick === 'function') {
    return {
      kind: 'adversary',
      name: option.name ?? 'adversary',
      fifo: option.fifo ?? true,
      pick: option.pick,
    };
  }
  throw new InputError(`schedule must be lockstep, random, random:nofifo or a file, not '${String(option)}'`);
}

function planFaults(algorithm: AnyAlgorithm, options: SimulateOptions, ids: Int32Array): FaultPlan {
  const n = ids.length;
  const isDeadByDefault = algorithm.occasion === 'coordinator dead' && options.crash === undefined && n > 1;
  const crashes = isDeadByDefault
    ? [{ position: ids.indexOf(ids.reduce((a, b) => Math.max(a, b))), time: 0 }]
    : options.crash === undefined || options.crash === 'none'
      ? []
      : options.crash;
  const recoveries = options.recover ?? [];
  for (const fault of crashes) checkFault('crash', fault, n);
  for (const fault of recoveries) {
    checkFault('recover', fault, n);
    if (crashes.some(({ position, time }) => position === fault.position && time <= fault.time)) continue;
    throw new InputError(
      `position ${fault.position} cannot recover at ${fault.time}: it does not crash before`,
    );
  }
  return {
    crashes,
    recoveries,
    loss: checkChance('loss', options.loss ?? 0),
    duplication: checkChance('duplicate', options.duplicate ?? 0),
    partitions: (options.partition ?? []).map((partition) => {
      const positions = partition.groups.flat();
      for (const position of positions) checkPosition('partition', position, n);
      const twice = positions.find((position, k) => positions.indexOf(position) !== k);
      if (twice !== undefined) throw new InputError(`position ${twice} is on two sides of a partition`);
      if (!(partition.from >= 0 && partition.until > partition.from)) {
        throw new InputError(`a partition ends after it begins, not ${partition.from}..${partition.until}`);
      }
      return partition;
    }),
  };
}

function checkFault(name: string, fault: NodeFault, n: number): void {
  checkPosition(name, fault.position, n);
  checkTime(name, fault.time);
}

function checkPosition(name: string, position: number, n: number): void {
  if (!Number.isInteger(position) || position < 0 || position >= n) {
    throw new InputError(`${name} names position ${position}: positions are 0 to ${n - 1}`);
  }
}

function checkTime(name: string, time: number | null): number | null {
  if (time !== null && !(time >= 0 && time <= 1e9)) {
    throw new InputError(`${name} must be a time from 0 to 1000000000 units, not ${time}`);
  }
  return time;
}

function checkChance(name: string, chance: number): number {
  if (!(chance >= 0 && chance <= 1))
    throw new InputError(`${name} must be a chance from 0 to 1, not ${chance}`);
  return chance;
}
