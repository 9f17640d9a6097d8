/**
 * The state graph of one instance, explored in the world: every reachable configuration, and every step between two of them.
 *
 * Guarantees: without reductions, the same numbers of states and transitions as the search of check(). Bounded: a larger
 * graph is refused, with its size.
 * Does not judge termination: that is what check() is for.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { CapacityError, InputError } from '../../kernel/errors.ts';
import type { Setup } from '../../kernel/setup.ts';
import type { TraceEvent } from '../../kernel/trace.ts';
import type { Configuration } from '../../kernel/world/configuration.ts';
import { type NodeView, nodeViews } from '../../kernel/world/node-view.ts';
import { formatStep, isFaultStep } from '../../kernel/world/step.ts';
import { World } from '../../kernel/world/world.ts';
import { findTwoLeaders, judge } from '../../properties/validity.ts';
import { check } from '../check.ts';
import type { CheckOptions } from '../check-options.ts';
import { planCheck } from '../check-plan.ts';
import { configurationKey } from './configuration-key.ts';

/** A state of the network. */
export interface GraphState {
  /** From 0, in the order of discovery. */
  readonly number: number;
  /** In steps from the initial state. */
  readonly depth: number;
  readonly nodes: readonly NodeView[];
  /** In flight: 'from > to type fields'. */
  readonly messages: readonly string[];
  /** Nothing can happen any more, except faults. */
  readonly isTerminal: boolean;
  /** What is violated here: uniqueness, agreement, or the end of the election without a leader. */
  readonly violation: string | null;
}

/** A step from one state to another. */
export interface GraphEdge {
  readonly from: number;
  readonly to: number;
  readonly step: string;
  /** In order: what happened in the step. */
  readonly events: readonly TraceEvent[];
}

/** All states and steps of one instance. */
export interface StateGraph {
  readonly setup: Setup;
  readonly states: readonly GraphState[];
  readonly edges: readonly GraphEdge[];
}

const MAX_STATES = 10_000;

/** Explores the state graph of one instance: one order of the ids, and one set of initiators. */
export function stateGraph(algorithm: AnyAlgorithm, given: CheckOptions = {}, most = MAX_STATES): StateGraph {
  const { options, setup } = planCheck(algorithm, given);
  if (options.orders === 'all' || options.initiators === 'subsets') {
    throw new InputError('a state graph is that of one instance: give the ids and the initiators');
  }
  const { crashes = 0, recoveries = 0, losses = 0, delay, fifo, starts, suspect } = options;
  const initiators = Array.isArray(options.initiators) ? options.initiators : undefined;
  const faults = { crashes, recoveries, losses };
  const world = new World(setup, { initiators, starts, fifo, delay, suspect, faults });
  return new Explorer(world, options, most).graph();
}

class Explorer {
  private readonly numbers = new Map<string, number>();
  private readonly configurations: Configuration[] = [];
  private readonly depths: number[] = [];
  private readonly edges: GraphEdge[] = [];

  constructor(
    private readonly world: World,
    private readonly options: CheckOptions,
    private readonly most: number,
  ) {}

  graph(): StateGraph {
    const { world } = this;
    const mergesDraws = world.rules.timing === 'asynchronous' && world.rules.timers.length > 0;
    this.open(world.save());
    const states: GraphState[] = [];
    for (let from = 0; from < this.configurations.length; from++) {
      world.load(this.configurations[from]);
      const steps = world.enabled();
      const isTerminal = steps.every(isFaultStep);
      const state = this.stateOf(from, isTerminal);
      states.push(state);
      if (this.exceedsBound(state)) continue;
      for (const step of steps) {
        const reached = new Set<number>();
        world.load(this.configurations[from]);
        world.branch(step, ({ events, failure, step: taken }) => {
          if (failure !== null) return;
          const to = this.numberOf(world.save(), this.depths[from] + 1);
          // Draws of lengths of timers that make no difference lead to one state.
          if (mergesDraws && reached.has(to)) return;
          reached.add(to);
          this.edges.push({ from, to, step: formatStep(taken), events });
        });
      }
    }
    return { setup: world.setup, states, edges: this.edges };
  }

  private exceedsBound({ nodes }: GraphState): boolean {
    const bounds = Object.entries(this.options.bound ?? {});
    return bounds.some(([field, most]) => nodes.some(({ state }) => Number(state[field]) > most));
  }

  /** Initiators that start together have started in every initial state. */
  private open(configuration: Configuration): void {
    const { world } = this;
    const node = world.rules.opening(configuration);
    if (node === null) {
      this.numberOf(configuration, 0);
      return;
    }
    world.load(configuration);
    const opened = world.branch({ type: 'start', node }, () => world.save());
    for (const next of opened) this.open(next);
  }

  private stateOf(number: number, isTerminal: boolean): GraphState {
    const { machine, setup, configuration } = this.world;
    const ids = setup.anonymous ? null : setup.ids;
    const two = findTwoLeaders(configuration.nodes.length, (at) => configuration.nodes[at].led);
    const end = isTerminal ? judge(machine.decisions, machine.status, setup.nodes, ids).fault : null;
    return {
      number,
      depth: this.depths[number],
      nodes: nodeViews(this.world),
      messages: configuration.messages.map(({ from, to, text }) => `${from} > ${to} ${text}`),
      isTerminal,
      violation: (two ?? end)?.text ?? null,
    };
  }

  private numberOf(configuration: Configuration, depth: number): number {
    const key = configurationKey(this.world, configuration);
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    if (this.configurations.length === this.most) this.refuse();
    this.numbers.set(key, this.configurations.length);
    this.depths.push(depth);
    return this.configurations.push(configuration) - 1;
  }

  private refuse(): never {
    const { most, options, world } = this;
    const limits = { reduce: 'none', stateLimit: 1_000_000, invariants: 'none' } as const;
    const { complete, states } = check(world.setup.algorithm, { ...options, preset: 'none', ...limits });
    // A search ends at a violation.
    const size = complete ? `${states} states` : `more than ${Math.max(most, states)} states`;
    throw new CapacityError(`the state graph has ${size}, and at most ${most} are written: take fewer nodes`);
  }
}
