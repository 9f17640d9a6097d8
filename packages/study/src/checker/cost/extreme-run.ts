/**
 * Finds a most or least expensive run over all schedules, orders of ids and sets of initiators of a check.
 *
 * Guarantees: no run of a complete search costs more (less); replay() of the run on a new machine counts the same cost. If a
 * run can send without end, `value` is 'unbounded', and the steps end with a cycle. Runs that exceed a bound do not count.
 *
 * A reduced search is enough if its graph has no cycle: the runs that it omits differ from those that it keeps only in the
 * order of independent steps, and cost the same; see asynchronous-system.ts. With a cycle, steps may be ignored forever
 * (the ignoring problem), so the full graph is searched.
 */
import { CapacityError, InputError } from '../../kernel/errors.ts';
import type { CheckOptions } from '../check-options.ts';
import { type FoundRun, foundRun, type Instance, systemFor } from '../network/instances.ts';
import type { NetworkSystem } from '../network/network-system.ts';
import { replay } from '../replay/replay.ts';
import { isExhausted, type Search, type SearchLimits, searchAll } from '../search/search.ts';
import type { Slices } from '../search/slices.ts';
import { StateStore } from '../search/state-store.ts';
import type { System } from '../search/system.ts';
import { ChainSystem, growsIn } from './chain-system.ts';
import { CostGraph, type CostOf, type Extreme } from './cost-graph.ts';
import { runOf } from './cost-path.ts';
import { type CostMeasure, messageCost } from './message-cost.ts';
import { costIn, type RunCost } from './run-cost.ts';

/** The most or the least expensive run, with its cost. */
export interface ExtremeRun extends FoundRun {
  readonly measure: CostMeasure;
  readonly value: number | 'unbounded';
  /** If unbounded: the number of steps of the cycle at the end, which can be repeated without end. */
  readonly cycleLength: number;
  /** The cost of these steps. */
  readonly cost: RunCost;
}

/** A searched state graph with the cost of its steps. */
interface CostedSearch {
  readonly system: System;
  readonly search: Search;
  readonly costOf: CostOf;
}

export function costSearches(options: CheckOptions): CostSearch[] {
  const { best, fingerprints, worst } = options;
  if ((best ?? worst) !== undefined && fingerprints) {
    throw new InputError('worst and best need exact states: leave out fingerprints');
  }
  if ((best as CostMeasure) === 'time') {
    throw new InputError('best must be messages, election or bits, not time');
  }
  return [
    ...(worst === undefined ? [] : [new CostSearch('worst', worst, options)]),
    ...(best === undefined ? [] : [new CostSearch('best', best, options)]),
  ];
}

export class CostSearch {
  /** Null if no instance was added, or if the cost of one of them is unknown. */
  run: ExtremeRun | null = null;
  private isUnknown = false;

  constructor(
    readonly extreme: Extreme,
    private readonly measure: CostMeasure,
    private readonly options: CheckOptions,
  ) {}

  /** Adds one instance, whose state space was searched completely. The cost may need more states than the limits allow. */
  *add(instance: Instance, system: NetworkSystem, known: Search, limits: SearchLimits): Slices<void> {
    try {
      if (!this.isUnknown) yield* this.consider(instance, system, known, limits);
    } catch (error) {
      if (!(error instanceof CapacityError)) throw error;
      this.isUnknown = true;
      this.run = null;
    }
  }

  private *consider(
    instance: Instance,
    system: NetworkSystem,
    known: Search,
    limits: SearchLimits,
  ): Slices<void> {
    const first =
      this.measure === 'time'
        ? yield* this.chains(instance, known.isReduced, limits)
        : this.sums(system, known);
    let [path, graph] = [first, yield* this.graphOf(first)];
    if (graph.hasCycle && first.search.isReduced) {
      path = yield* this.unreduced(instance, limits);
      graph = yield* this.graphOf(path);
    }
    const value = graph.values[graph.root];
    if (value === (this.extreme === 'best' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return;
    if (this.run !== null && !isMoreExtreme(value, this.run.value, this.extreme)) return;
    this.run = this.describe(instance, value, runOf(path.system, path.search, graph));
  }

  private graphOf({ system, search, costOf }: CostedSearch): Slices<CostGraph> {
    return CostGraph.of(system, search, this.extreme, costOf);
  }

  private sums(system: NetworkSystem, known: Search): CostedSearch {
    const cost = messageCost(system.machine, this.measure as Exclude<CostMeasure, 'time'>);
    // A message is counted when it leaves its link. In a terminal state all messages have.
    const costOf: CostOf = (state, step) =>
      system.takenBy(state, step).reduce((sum, [, element]) => sum + cost(system.wordsOf(element)), 0);
    return { system, search: known, costOf };
  }

  private *chains(instance: Instance, isReduced: boolean, limits: SearchLimits): Slices<CostedSearch> {
    const { algorithm } = instance.setup;
    if (algorithm.assumes.timing === 'synchronous') {
      throw new InputError(
        `worst must be messages, election or bits for a synchronous algorithm such as ${algorithm.name}, not time`,
      );
    }
    const system = new ChainSystem(systemFor(instance, this.options, isReduced, false));
    return {
      system,
      search: yield* searchComplete(system, limits, this.options),
      costOf: (_, step) => (growsIn(step) ? 1 : 0),
    };
  }

  private *unreduced(instance: Instance, limits: SearchLimits): Slices<CostedSearch> {
    if (this.measure === 'time') return yield* this.chains(instance, false, limits);
    const system = systemFor(instance, this.options, false);
    return this.sums(system, yield* searchComplete(system, limits, this.options));
  }

  private describe(instance: Instance, value: number, run: ReturnType<typeof runOf>): ExtremeRun {
    const { setup } = instance;
    const { measure, options, extreme: kind } = this;
    const found = foundRun(instance, options, run.steps);
    const { cost } = replay(setup.algorithm, {
      ...found,
      ids: setup.anonymous ? 'anonymous' : found.ids,
      topology: setup.underlay,
      set: options.set,
      delay: options.delay,
      suspect: options.suspect,
      extreme: { kind, measure },
    });
    const isUnbounded = value === Number.POSITIVE_INFINITY;
    if (!isUnbounded && costIn(cost, measure) !== value) {
      throw new Error(
        `the ${kind} run was found to cost ${value} ${measure}, and costs ${costIn(cost, measure)}`,
      );
    }
    const { cycleLength } = run;
    return { measure, value: isUnbounded ? 'unbounded' : value, ...found, cycleLength, cost };
  }
}

function* searchComplete(system: System, limits: SearchLimits, { onProgress }: CheckOptions): Slices<Search> {
  const result = yield* searchAll(system, new StateStore(system.width, system.order), limits, {
    onProgress: (seen, searched) => onProgress?.(seen.count, seen.count - searched, seen.bytes),
  });
  if (isExhausted(result)) return result;
  throw new CapacityError(
    `the cost of runs needs more states than the limits allow: ${result.overflow?.message ?? 'raise them'}, or take fewer nodes`,
  );
}

function isMoreExtreme(value: number, than: number | 'unbounded', extreme: Extreme): boolean {
  const known = than === 'unbounded' ? Number.POSITIVE_INFINITY : than;
  return extreme === 'worst' ? value > known : value < known;
}
