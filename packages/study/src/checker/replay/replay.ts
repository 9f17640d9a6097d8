/**
 * Replays a counterexample step by step in the world, independently of the search.
 *
 * Guarantees: every step is enabled, or the replay is refused; violations are judged again.
 * Does not decide whether a run that has not ended can go on without end: that needs a search.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import type { InvariantChoice, NetworkMessage } from '../../kernel/invariant.ts';
import { resolveSetup, type Setup, type SetupOptions } from '../../kernel/setup.ts';
import { isTransition, type TraceEvent } from '../../kernel/trace.ts';
import type { Configuration, InFlightMessage } from '../../kernel/world/configuration.ts';
import { withoutLengths } from '../../kernel/world/node-step.ts';
import type { WorldOptions } from '../../kernel/world/rules.ts';
import { parseStep, type Step, type StepOutcome } from '../../kernel/world/step.ts';
import { World } from '../../kernel/world/world.ts';
import { chosenInvariants, InvariantMonitor } from '../../properties/invariants.ts';
import { findTwoLeaders, judge } from '../../properties/validity.ts';
import type { Extreme } from '../cost/cost-graph.ts';
import type { CostMeasure } from '../cost/message-cost.ts';
import { costIn, costOf, type RunCost } from '../cost/run-cost.ts';
import { handlerViolation } from '../network/node-transitions.ts';
import type { Violation } from '../search/system.ts';

/** The run to repeat: the setup and its steps. */
export interface ReplayOptions
  extends SetupOptions,
    Pick<WorldOptions, 'starts' | 'fifo' | 'delay' | 'suspect'> {
  readonly initiators: readonly number[];
  readonly steps: readonly string[];
  /** If the steps are ambiguous, a run that violates this property is chosen. */
  readonly property?: string | undefined;
  /** If the steps are ambiguous, the most or least expensive run is chosen. */
  readonly extreme?: { readonly kind: Extreme; readonly measure: CostMeasure } | undefined;
}

/** A repeated run, with its events. */
export interface Replay {
  readonly setup: Setup;
  readonly steps: readonly string[];
  /** The same steps with ports, ages and random draws, and the starts before the first one: each can be applied to a world. */
  readonly taken: readonly Step[];
  /** The events by step; the first entry has the events before the first step. */
  readonly events: readonly (readonly TraceEvent[])[];
  /** The events by step, with the fields of every node at the start and of a node after each of its handlers. */
  readonly trace: readonly (readonly TraceEvent[])[];
  /** No step is enabled at the end. */
  readonly ended: boolean;
  /** The first violation, and the number of steps before it. */
  readonly violation: (Violation & { readonly step: number }) | null;
  /** The cost of all steps, and of the starts before the first one. */
  readonly cost: RunCost;
}

const ANY_FAULTS = {
  crashes: Number.POSITIVE_INFINITY,
  recoveries: Number.POSITIVE_INFINITY,
  losses: Number.POSITIVE_INFINITY,
  duplications: Number.POSITIVE_INFINITY,
};

/** A configuration that the steps so far may have led to, and how. */
interface Reached {
  readonly before: Reached | null;
  readonly configuration: Configuration;
  /** The step that led here, or the starts before the first step. */
  readonly taken: readonly Step[];
  /** What happened in the step that led here, and what it broke. */
  readonly events: readonly TraceEvent[];
  readonly changes: StepOutcome['changes'];
  readonly violation: Violation | null;
}

/** Executes a run of the checker again, step by step. */
export function replay(algorithm: AnyAlgorithm, options: ReplayOptions): Replay {
  const setup = resolveSetup(algorithm, options);
  const { delay, extreme, fifo, initiators, property, starts, steps, suspect } = options;
  const world = new World(setup, { initiators, starts, fifo, delay, suspect, faults: ANY_FAULTS });
  const costTo = (reached: Reached) =>
    costOf(
      world.machine,
      world.rules.fifo,
      pathTo(reached).flatMap(({ events }) => events),
    );
  // With a cost, configurations are equal only if their chains of messages are equal.
  const pastOf = (reached: Reached): string => (extreme === undefined ? '' : costTo(reached).chains);
  const player = new Player(world, invariantsFor(algorithm, property));
  const initial = Array.from({ length: setup.topology.n }, (_, node) => stateEvent(world, node, 0));
  let ends = player.opening();
  steps.forEach((text, k) => {
    const step = parseStep(text);
    ends = distinct(
      ends.flatMap((reached) => player.take(reached, step)),
      pastOf,
      world.rules.timing !== 'asynchronous',
    );
    if (ends.length === 0) throw new InputError(`step ${k + 1}, '${text}', is not enabled there`);
  });
  const runs = ends.map((end) => {
    const { chains: _, ...cost } = costTo(end);
    return { end, events: pathTo(end).map(({ events }) => events), violation: player.violation(end), cost };
  });
  const { end, ...run } =
    extreme === undefined
      ? (runs.find(({ violation }) => violation !== null && violation.property === property) ?? runs[0])
      : runs.reduce((chosen, run) => (isMoreExtreme(run.cost, chosen.cost, extreme) ? run : chosen));
  const [opening, ...others] = pathTo(end).map((reached) => traceOf(world, reached));
  const trace = [[...initial, ...opening], ...others];
  const taken = pathTo(end).flatMap((reached) => reached.taken);
  return { setup, steps, taken, ...run, trace, ended: world.rules.isQuiescent(end.configuration) };
}

/** The events of a step, with the state of the node after each handler. */
function traceOf(world: World, { changes, events }: Reached): TraceEvent[] {
  const left = [...changes];
  return events.flatMap((event, k) => {
    const next = events[k + 1];
    // A message that starts a node runs one handler: that of the delivery.
    const isStarted = event.type === 'start' && next?.type === 'deliver' && next.node === event.node;
    // Nodes that are dead from the beginning crash without a change.
    if (!isTransition(event) || isStarted || left[0]?.node !== event.node) return [event];
    const [{ node, after }] = left.splice(0, 1);
    world.machine.load(node, after.record);
    return [event, stateEvent(world, node, event.time)];
  });
}

function stateEvent(world: World, node: number, time: number): TraceEvent {
  return { type: 'state', time, node, state: world.machine.fieldsOf(node) };
}

/** Takes steps and judges them. */
class Player {
  private readonly world: World;
  private readonly invariants: InvariantMonitor | null;

  constructor(world: World, invariants: InvariantChoice) {
    this.world = world;
    this.invariants = InvariantMonitor.of(world.machine, invariants);
  }

  /** Nodes that are dead from the beginning, and initiators that start together, with any random draws. */
  opening(): readonly Reached[] {
    const { rules } = this.world;
    const crashes = rules.dead.map((node) => ({ type: 'crash', node, time: 0 }) as const);
    const configuration = this.world.save();
    const violation = this.invariants?.violatedInitially() ?? this.violatedNow();
    let all: Reached[] = [
      { before: null, configuration, taken: [], events: crashes, changes: [], violation },
    ];
    for (let node = rules.opening(configuration); node !== null; node = rules.opening(all[0].configuration)) {
      const step = { type: 'start', node } as const;
      all = all.flatMap((reached) =>
        this.take(reached, step).map(({ changes, configuration, events, taken, violation }) => ({
          before: null,
          configuration,
          taken: [...reached.taken, ...taken],
          events: [...reached.events, ...events],
          changes: [...reached.changes, ...changes],
          violation: reached.violation ?? violation,
        })),
      );
    }
    return all;
  }

  /** Everything that a step may lead to; nothing if it cannot be taken. */
  take(before: Reached, step: Step): Reached[] {
    const { world } = this;
    world.load(before.configuration);
    return world.matching(step).flatMap((exact) =>
      world.branch(exact, (outcome) => ({
        before,
        configuration: world.save(),
        taken: [outcome.step],
        events: outcome.events,
        changes: outcome.changes,
        violation: this.violationOf(outcome),
      })),
    );
  }

  /** The first thing that went wrong on the way to the end of a run. */
  violation(end: Reached): Replay['violation'] {
    const path = pathTo(end);
    const step = path.findIndex(({ violation }) => violation !== null);
    if (step >= 0) return { ...(path[step].violation as Violation), step };
    const { machine, rules, setup } = this.world;
    if (!rules.isQuiescent(end.configuration)) return null;
    this.world.load(end.configuration);
    const ids = setup.anonymous ? null : setup.ids;
    const { fault } = judge(machine.decisions, machine.status, setup.nodes, ids);
    return fault && { ...fault, step: path.length - 1 };
  }

  /** In the order of the search: first the violation of the node itself, then those of the network. */
  private violationOf(outcome: StepOutcome): Violation | null {
    const { nodes } = this.world.configuration;
    const at = outcome.failure?.node ?? outcome.breach?.at ?? 0;
    return (
      handlerViolation(at, outcome) ??
      this.violatedByChanges(outcome) ??
      findTwoLeaders(nodes.length, (node) => nodes[node].led) ??
      this.violatedNow()
    );
  }

  /** The last change of each node is the one that the machine holds already: afterwards it holds all nodes again. */
  private violatedByChanges({ changes }: StepOutcome): Violation | null {
    let first: Violation | null = null;
    for (const { node, before, after } of changes) {
      if (this.invariants === null) break;
      this.world.machine.load(node, after.record);
      first ??= this.invariants.violatedByStep(node, before.record);
    }
    return first;
  }

  private violatedNow(): Violation | null {
    const { messages } = this.world.configuration;
    return this.invariants?.violatedNow(() => messages as readonly NetworkMessage[]) ?? null;
  }
}

/** Another invariant that is violated earlier must not hide this property. */
function invariantsFor(algorithm: AnyAlgorithm, property: string | undefined): InvariantChoice {
  if (property === undefined) return 'all';
  const { node, network } = chosenInvariants(algorithm);
  return [...node, ...network].some(([name]) => name === property) ? [property] : 'none';
}

function isMoreExtreme(
  cost: RunCost,
  than: RunCost,
  { kind, measure }: NonNullable<ReplayOptions['extreme']>,
): boolean {
  const more = costIn(cost, measure) - costIn(than, measure);
  return kind === 'worst' ? more > 0 : more < 0;
}

/** From the first configuration to the last. */
function pathTo(last: Reached): Reached[] {
  const path: Reached[] = [];
  for (let one: Reached | null = last; one !== null; one = one.before) path.push(one);
  return path.reverse();
}

/**
 * Merges runs with equal configurations, and, with a cost, equal chains. Unless the network is `timed`, lengths of timers make
 * no difference.
 */
function distinct(
  runs: readonly Reached[],
  pastOf: (reached: Reached) => string,
  timed: boolean,
): readonly Reached[] {
  if (runs.length < 2) return runs;
  const keyOf = ({ configuration, violation }: Reached): string => {
    const { clock, messages, nodes, turn, undelivered } = configuration;
    const place = ({ link, sentTime, text }: InFlightMessage): unknown => [link, clock - sentTime, text];
    const states = timed ? nodes : nodes.map((node) => ({ ...node, timers: withoutLengths(node.timers) }));
    return JSON.stringify([states, messages.map(place), undelivered.map(place), turn, violation]);
  };
  return [...new Map(runs.map((one) => [keyOf(one) + pastOf(one), one])).values()];
}
