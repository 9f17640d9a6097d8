/** A step of a run with all that happened in it. */
import { errorMessage } from '@hustings/base';
import {
  formatStep,
  isFaultStep,
  type MessageStep,
  type NodeSnapshot,
  type Step,
  type StepOutcome,
  type World,
} from '@hustings/study/driver';
import type { MessageLossReason, TraceEvent } from '@hustings/study/kernel';
import type { RanRule } from './rule-log.ts';
import { type EffectText, effectText } from './step-effect.ts';

/** A step of a run with all that happened in it. */
export interface RunStep {
  /** With its random draws. */
  readonly step: Step;
  /** In units. */
  readonly time: number;
  /** The schedule or the reader chose it. */
  readonly by: 'schedule' | 'you';
  /** If the reader chose it: its place among the enabled steps of the world, and the draws that were chosen with it. */
  readonly choice: number | null;
  readonly draws: readonly number[] | null;
  /** What it did, in a few words. */
  readonly effect: EffectText;
  /** With the state of each node after its handler. Times are numbers of steps of the world. */
  readonly events: readonly TraceEvent[];
  /** The rules that it ran. */
  readonly rules: readonly RanRule[];
  /** The property that the step violated, with its text; null if none. */
  readonly violation: { readonly property: string; readonly text: string } | null;
}

/** True if two steps are the same choice, whatever their random draws. */
export function isSameChoice(a: Step, b: Step): boolean {
  return (
    a.type === b.type &&
    (a as Partial<MessageStep>).from === (b as Partial<MessageStep>).from &&
    formatStep({ ...a, draws: undefined }) === formatStep({ ...b, draws: undefined })
  );
}

/** A decision, a fault or a violation: a place to stop at. */
export function isKeyMoment({ events, step, violation }: RunStep): boolean {
  const isMarked = events.some(({ type }) => type === 'decide' || type === 'lost');
  return violation !== null || isFaultStep(step) || isMarked;
}

/** The step that a world has just taken, as part of a run. */
export function runStepOf(
  world: World,
  outcome: StepOutcome,
  states: StateReader,
  about: Pick<RunStep, 'by' | 'time'> & {
    readonly choice?: number | null;
    readonly draws?: readonly number[] | null;
    readonly reason?: MessageLossReason | undefined;
    readonly rules: readonly RanRule[];
  },
): RunStep {
  const { breach, failure, step } = outcome;
  const { by, choice = null, draws = null, reason, rules, time } = about;
  const violation = breach
    ? { property: breach.property, text: `node ${breach.at} ${breach.text}` }
    : failure
      ? { property: 'handler', text: `node ${failure.node}: ${errorMessage(failure.error)}` }
      : uniquenessOf(world, outcome);
  const effect = effectText(world, outcome);
  const events = withStates(outcome, states, reason);
  return { step, time, by, choice, draws, effect, events, rules, violation };
}

/** The world checks each node alone: two leaders of one term are found here. */
function uniquenessOf({ configuration }: World, { changes }: StepOutcome): RunStep['violation'] {
  for (const { after, before, node } of changes) {
    if (after.led.length === before.led.length) continue;
    const term = after.led.find((each) => !before.led.includes(each)) as number;
    const other = configuration.nodes.findIndex(({ led }, at) => at !== node && led.includes(term));
    if (other < 0) continue;
    const text = `node ${node} became the leader of term ${term}, which node ${other} has led already`;
    return { property: 'uniqueness', text };
  }
  return null;
}

/** A state follows the cause whose handler led to it, as in the traces of the simulator. */
function withStates(
  { changes, events }: StepOutcome,
  states: StateReader,
  reason: MessageLossReason | undefined,
): TraceEvent[] {
  const all: TraceEvent[] = [];
  let change = 0;
  for (const event of events) {
    all.push(reason !== undefined && event.type === 'lost' ? { ...event, reason } : event);
    const { node, time, type } = event;
    const isEffect = type === 'send' || type === 'decide' || type === 'lost';
    if (isEffect || changes[change]?.node !== node) continue;
    // A message may start its receiver: the handler runs once, after both events.
    if (type === 'start' && events[events.indexOf(event) + 1]?.type === 'deliver') continue;
    all.push({ type: 'state', node, time, state: states.read(node, changes[change].after) });
    change++;
  }
  return all;
}

/** Reads states by name. Equal states of a node are one object, so a long run takes little memory. */
export class StateReader {
  private readonly last: {
    readonly record: readonly number[];
    readonly state: Readonly<Record<string, unknown>>;
  }[] = [];

  constructor(private readonly world: World) {}

  read(node: number, { record }: NodeSnapshot): Readonly<Record<string, unknown>> {
    const known = this.last[node];
    if (known !== undefined && isEqual(known.record, record)) return known.state;
    const { machine, configuration } = this.world;
    const current = configuration.nodes[node].record;
    // In a round a node may handle several messages: the machine holds the state after the last.
    if (current !== record) machine.load(node, record);
    const state = machine.fieldsOf(node);
    if (current !== record) machine.load(node, current);
    this.last[node] = { record, state };
    return state;
  }
}

function isEqual(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((word, k) => word === b[k]);
}
