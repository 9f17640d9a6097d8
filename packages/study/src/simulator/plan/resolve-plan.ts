/**
 * Resolves the options of a simulation into a plan.
 *
 * Guarantees: every default is filled in, and every invalid option and violated assumption is refused before the run starts.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import { timeoutOf } from '../../kernel/params.ts';
import { deadAtFirst, resolveSetup } from '../../kernel/setup.ts';
import type { FaultPlan, NodeFault } from '../faults/faults.ts';
import { checkAssumptions } from './assumptions.ts';
import { chooseInitiators, refuseIfNoneStarts } from './initiators.ts';
import type { SimulateOptions } from './options.ts';
import type { Plan, ScheduleChoice } from './plan.ts';
import { replayLine } from './replay-line.ts';

/** Invariants take a time per event that grows with the network: above this size they are checked on request. */
const MAX_CHECKED = 32;

export function resolvePlan(algorithm: AnyAlgorithm, options: SimulateOptions): Plan {
  const setup = resolveSetup(algorithm, options);
  const { ids, nodes, params, seed, topology } = setup;
  const faults = planFaults(algorithm, options, ids, topology.n);
  const deadAtStart = faults.crashes.filter(({ time }) => time === 0).map(({ position }) => position);
  const starts = chooseInitiators(algorithm, options.initiators, nodes, deadAtStart, seed);
  if (!options.despite?.includes('termination')) refuseIfNoneStarts(starts, faults);
  const { initiators, wakeTimes } = starts;
  const plan = {
    // Written out field by field: with a spread, V8 keeps plans alive after their runs.
    algorithm,
    params,
    topology,
    underlay: setup.underlay,
    nodes,
    diameter: setup.diameter,
    ids,
    anonymous: setup.anonymous,
    seed,
    initiators,
    wakeTimes,
    schedule: chooseSchedule(options.schedule ?? 'lockstep'),
    faults,
    despite: options.despite ?? [],
    invariants: options.invariants ?? (topology.n <= MAX_CHECKED ? 'all' : 'none'),
    timeout: timeoutOf(params),
    until:
      options.until === undefined ? horizonOf(algorithm, nodes, params) : checkTime('until', options.until),
    cutShort: options.until !== undefined,
    stepLimit: checkLimit(options.stepLimit) ?? defaultLimit(nodes, topology.edges),
    observe: options.observe ?? null,
    states: options.states ?? false,
    /** Written when it is asked for: most runs have no error, and a small run takes little longer than this line. */
    get replay() {
      return replayLine(algorithm, options, seed);
    },
  };
  // Not a spread, which would read the line.
  return Object.assign(plan, { broken: checkAssumptions(plan, options.ids === 'anonymous') });
}

/** Far more events than an election takes. On dense networks no election of the catalogue sends n messages over every link. */
function defaultLimit(nodes: number, edges: number): number {
  return 1_000_000 + 64 * nodes * (nodes + Math.min(edges, 4 * nodes));
}

function chooseSchedule(option: NonNullable<SimulateOptions['schedule']>): ScheduleChoice {
  if (option === 'lockstep') return { type: 'lockstep', name: option };
  if (option === 'random') return { type: 'random', name: option, fifo: true };
  if (option === 'random:nofifo') return { type: 'random', name: option, fifo: false };
  if (typeof option === 'object' && typeof option.pick === 'function') {
    return {
      type: 'adversary',
      name: option.name ?? 'adversary',
      fifo: option.fifo ?? true,
      pick: option.pick,
    };
  }
  throw new InputError(`schedule must be lockstep, random, random:nofifo or a file, not '${String(option)}'`);
}

/** All `n` positions can fail, auxiliary processes included. */
function planFaults(
  algorithm: AnyAlgorithm,
  options: SimulateOptions,
  ids: Int32Array,
  n: number,
): FaultPlan {
  const crashes =
    options.crash === undefined
      ? deadAtFirst(algorithm, ids).map((position) => ({ position, time: 0 }))
      : options.crash === 'none'
        ? []
        : options.crash;
  const recoveries = options.recover ?? [];
  for (const fault of crashes) checkFault('crash', fault, n);
  for (const fault of recoveries) {
    checkFault('recover', fault, n);
    if (crashes.some(({ position, time }) => position === fault.position && time <= fault.time)) continue;
    throw new InputError(
      `position ${fault.position} must crash before it recovers at ${fault.time}: add a crash, or recover later`,
    );
  }
  return {
    crashes,
    recoveries,
    loss: checkProbability('loss', options.loss ?? 0),
    lossUntil: checkLossUntil(options),
    duplication: checkProbability('duplicate', options.duplicate ?? 0),
    partitions: (options.partition ?? []).map((partition) => {
      const positions = partition.groups.flat();
      for (const position of positions) checkPosition('partition', position, n);
      const seen = new Set<number>();
      const twice = positions.find((position) => seen.size === seen.add(position).size);
      if (twice !== undefined)
        throw new InputError(`the groups of a partition must be disjoint, and position ${twice} is in two`);
      if (!(partition.from >= 0 && partition.until > partition.from)) {
        throw new InputError(
          `a partition must end after it begins, at 0 or later, not ${partition.from}..${partition.until}`,
        );
      }
      return partition;
    }),
  };
}

function checkFault(name: string, fault: NodeFault, n: number): void {
  checkPosition(name, fault.position, n);
  checkTime(name, fault.time);
}

function checkLimit(limit: number | undefined): number | undefined {
  if (limit === undefined || (Number.isSafeInteger(limit) && limit > 0)) return limit;
  throw new InputError(`stepLimit must be a whole number from 1, not ${limit}`);
}

function checkPosition(name: string, position: number, n: number): void {
  if (!Number.isInteger(position) || position < 0 || position >= n) {
    throw new InputError(`a position in ${name} must be from 0 to ${n - 1}, not ${position}`);
  }
}

function checkTime(name: string, time: number | null): number | null {
  if (time !== null && !(time >= 0 && time <= 1e9)) {
    throw new InputError(`${name} must be a time from 0 to 1000000000 units, not ${time}`);
  }
  return time;
}

function checkLossUntil({ loss, lossUntil }: SimulateOptions): number {
  if (lossUntil === undefined) return Number.POSITIVE_INFINITY;
  if (loss === undefined) throw new InputError('lossUntil needs loss: give the probability of a loss too');
  checkTime('lossUntil', lossUntil);
  return lossUntil;
}

function horizonOf(algorithm: AnyAlgorithm, n: number, params: Plan['params']): number | null {
  const time = algorithm.horizon?.(n, params as never);
  return time === undefined ? null : checkTime(`horizon of ${algorithm.name}`, time);
}

function checkProbability(name: string, probability: number): number {
  if (!(probability >= 0 && probability <= 1))
    throw new InputError(`${name} must be a probability from 0 to 1, not ${probability}`);
  return probability;
}
