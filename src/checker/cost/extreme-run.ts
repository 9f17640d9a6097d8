/**
 * The run that costs most, or least, of all that a check goes through: every schedule, and every order of ids and set of
 * initiators that it was asked for.
 *
 * Guarantees: no run of a complete search costs more (less); the run is one that replay() plays, on a fresh machine, and
 * counted there it costs just what the search says. Where a run can send for ever, there is no most: `value` is
 * 'unbounded', and the steps end with those that go round. Where a bound cuts runs, only those count that end within it.
 *
 * A reduced search will do, because what it leaves out differs from what it keeps in the order of steps alone, and not in
 * what is sent; see async-system.ts. But what may be left waiting while others go round is then not seen: where a reduced
 * graph has any cycle, the whole is searched.
 */
import { CapacityError, InputError } from '../../kernel/errors.ts';
import type { CheckOptions } from '../check-options.ts';
import { type Instance, systemFor } from '../network/instances.ts';
import type { NetworkSystem } from '../network/network-system.ts';
import { type Starts, startsOf } from '../network/starts.ts';
import { replay } from '../replay/replay.ts';
import { type Search, type SearchLimits, searchAll } from '../search/search.ts';
import { StateStore } from '../search/state-store.ts';
import type { System } from '../search/system.ts';
import { ChainSystem, growsIn } from './chain-system.ts';
import { CostGraph, type CostOf, type Extreme } from './cost-graph.ts';
import { runOf } from './cost-path.ts';
import { type CostMeasure, messageCost } from './message-cost.ts';
import { costIn, type RunCost } from './run-cost.ts';

/** The most or the least expensive run, with its cost. */
export interface ExtremeRun {
  readonly measure: CostMeasure;
  readonly value: number | 'unbounded';
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  /** Positions that are dead from the beginning. */
  readonly dead: readonly number[];
  readonly starts: Starts;
  readonly fifo: boolean;
  readonly steps: readonly string[];
  /** Unbounded: so many of the last steps lead back to where they began, and can be taken for ever. */
  readonly round: number;
  /** What these steps cost. */
  readonly cost: RunCost;
}

/** A searched graph of an election, in which steps have prices. */
interface PathInGraph {
  readonly system: System;
  readonly search: Search;
  readonly costOf: CostOf;
}

export function costSearches(options: CheckOptions): CostSearch[] {
  const { best, fingerprints, worst } = options;
  if ((best ?? worst) !== undefined && fingerprints) {
    throw new InputError('what runs cost takes a search that keeps states whole: leave out fingerprints');
  }
  if ((best as CostMeasure) === 'time') {
    throw new InputError('time has a worst and no best: take best messages, election or bits');
  }
  return [
    ...(worst === undefined ? [] : [new CostSearch('worst', worst, options)]),
    ...(best === undefined ? [] : [new CostSearch('best', best, options)]),
  ];
}

export class CostSearch {
  readonly extreme: Extreme;
  run: ExtremeRun | null = null;
  private readonly measure: CostMeasure;
  private readonly options: CheckOptions;

  constructor(extreme: Extreme, measure: CostMeasure, options: CheckOptions) {
    this.extreme = extreme;
    this.measure = measure;
    this.options = options;
  }

  /** Takes one election more into account, of which all states are known. */
  add(instance: Instance, system: NetworkSystem, known: Search, limits: SearchLimits): void {
    const isReduced = system.isReduced;
    const first =
      this.measure === 'time' ? this.chains(instance, isReduced, limits) : this.sums(system, known);
    let [path, graph] = [first, this.graphOf(first)];
    if (graph.goesRound && isReduced) {
      path = this.whole(instance, limits);
      graph = this.graphOf(path);
    }
    const value = graph.values[graph.root];
    if (value === (this.extreme === 'best' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY)) return;
    if (this.run !== null && !isFurther(value, this.run.value, this.extreme)) return;
    this.run = this.describe(instance, value, runOf(path.system, path.search, graph));
  }

  private graphOf({ system, search, costOf }: PathInGraph): CostGraph {
    return new CostGraph(system, search, this.extreme, costOf);
  }

  private sums(system: NetworkSystem, known: Search): PathInGraph {
    const cost = messageCost(system.machine, this.measure as Exclude<CostMeasure, 'time'>);
    // A message is paid for when it leaves its link: by the end all have.
    const costOf: CostOf = (state, step) =>
      system.takenBy(state, step).reduce((sum, [, element]) => sum + cost(system.wordsOf(element)), 0);
    return { system, search: known, costOf };
  }

  private chains(instance: Instance, isReduced: boolean, limits: SearchLimits): PathInGraph {
    const { algorithm } = instance.setup;
    if (algorithm.assumes.timing === 'synchronous') {
      throw new InputError(
        `${algorithm.name} runs in rounds, and its time is that of its schedule: take messages, election or bits`,
      );
    }
    const system = new ChainSystem(systemFor(instance, this.options, isReduced, false));
    return {
      system,
      search: searchWhole(system, limits, this.options),
      costOf: (_, step) => (growsIn(step) ? 1 : 0),
    };
  }

  private whole(instance: Instance, limits: SearchLimits): PathInGraph {
    if (this.measure === 'time') return this.chains(instance, false, limits);
    const system = systemFor(instance, this.options, false);
    return this.sums(system, searchWhole(system, limits, this.options));
  }

  private describe(instance: Instance, value: number, told: ReturnType<typeof runOf>): ExtremeRun {
    const { dead, ids, initiators, setup } = instance;
    const { algorithm } = setup;
    const { measure, options, extreme: kind } = this;
    const starts = options.starts ?? startsOf(algorithm);
    const fifo = options.fifo ?? algorithm.assumes.fifo;
    const { cost } = replay(algorithm, {
      ids: setup.anonymous ? 'anonymous' : ids,
      nodes: undefined,
      topology: setup.underlay,
      set: options.set,
      initiators,
      starts,
      fifo,
      steps: told.steps,
      extreme: { kind, measure },
    });
    const isUnbounded = value === Number.POSITIVE_INFINITY;
    if (!isUnbounded && costIn(cost, measure) !== value) {
      throw new Error(
        `the ${kind} run was found to cost ${value} ${measure}, and costs ${costIn(cost, measure)}`,
      );
    }
    const common = { ids, initiators, dead, starts, fifo, ...told, cost };
    return { measure, value: isUnbounded ? 'unbounded' : value, ...common };
  }
}

function searchWhole(system: System, limits: SearchLimits, { onProgress }: CheckOptions): Search {
  const result = searchAll(system, new StateStore(system.width), limits, (seen, searched) =>
    onProgress?.(seen.count, seen.count - searched, seen.bytes),
  );
  if (result.searched === result.seen.count) return result;
  throw new CapacityError(
    `the cost of runs needs more states than the limits allow: ${result.overflow ?? 'raise them'}, or take fewer nodes`,
  );
}

function isFurther(value: number, than: number | 'unbounded', extreme: Extreme): boolean {
  const known = than === 'unbounded' ? Number.POSITIVE_INFINITY : than;
  return extreme === 'worst' ? value > known : value < known;
}
