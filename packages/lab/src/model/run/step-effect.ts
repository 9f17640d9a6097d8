/** Steps and their effects in words: 'token 7 reaches id 5', 'passes on: 7 > 5'. Derived from what the step does, not guessed. */

import {
  type InFlightMessage,
  isMessageStep,
  type Step,
  type StepOutcome,
  type World,
} from '@hustings/study/driver';
import { formatMessage, type NamedField, type TracedMessage, type TraceEvent } from '@hustings/study/kernel';

/** What a step would do. */
export interface EffectText {
  /** 'passes on: 7 > 5'. Empty if it was not worked out. */
  readonly effect: string;
  readonly kind:
    | 'passes on'
    | 'swallowed'
    | 'lost'
    | 'leads'
    | 'follows'
    | 'sends'
    | 'changes'
    | 'fails'
    | 'unknown';
}

/** A node by its id, or by its position where nodes are anonymous. */
export function nodeName({ setup }: World, position: number): string {
  const id = setup.anonymous ? undefined : setup.ids[position];
  return id === undefined ? `node ${position}` : `id ${id}`;
}

/** A message by its type and the values of its fields: 'token 7', 'probe 5 hops=2'. Nodes are 'id 7', so a type 'id' has brackets. */
export function messageText({ type: name, ...fields }: TracedMessage): string {
  const type = name === 'id' ? '⟨id⟩' : name;
  const [first, ...others] = Object.entries(fields);
  if (first === undefined) return type;
  const rest = formatMessage({ type: '', ...Object.fromEntries(others) }).trim();
  return `${type} ${valueText(first[1])}${rest === '' ? '' : ` ${rest}`}`;
}

function valueText(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(', ')}]` : String(value);
}

/** A step in words. `moved` is the message that it moves. */
export function stepText(world: World, step: Step, moved: InFlightMessage | null): string {
  if (isMessageStep(step)) {
    const { from, to, type } = step;
    const what = moved === null ? step.message : messageText(moved.message);
    const [sender, receiver] = [nodeName(world, from), nodeName(world, to)];
    if (type === 'deliver') return `${what} reaches ${receiver}`;
    if (type === 'notice') return `${sender} learns that ${what} did not reach ${receiver}`;
    return `${what} to ${receiver} is ${type === 'lose' ? 'lost' : 'duplicated'}`;
  }
  if (step.type === 'tick') return 'one unit of time passes';
  if (!('node' in step)) return 'one round';
  const who = nodeName(world, step.node);
  if (step.type === 'timer') return `timer ${step.timer} of ${who} fires`;
  return `${who} ${{ start: 'starts', crash: 'crashes', recover: 'recovers' }[step.type]}`;
}

/** Why a step cannot be taken, and what to do first. */
export function refusalText(world: World, step: Step): string {
  const { configuration, rules } = world;
  const what = stepText(world, step, null);
  if (rules.opening(configuration) !== null)
    return `all initiators start first, then this can happen: ${what}`;
  const isLate = configuration.turn === 'timers' && step.type !== 'tick';
  return `this cannot happen at this step: ${what}${isLate ? '. Let one unit of time pass first' : ''}`;
}

/** What a step would do. The world is left as it was. */
export function effectOf(world: World, step: Step): EffectText {
  const before = world.save();
  try {
    return effectText(world, world.apply(step));
  } finally {
    world.load(before);
  }
}

/** What a step did, in a few words. */
export function effectText(world: World, outcome: StepOutcome): EffectText {
  const { changes, events, failure, step } = outcome;
  if (failure !== null) return { effect: 'its handler throws', kind: 'fails' };
  if (step.type === 'round') return roundEffect(outcome);
  if (step.type === 'lose') return { effect: '', kind: 'lost' };
  if (step.type === 'crash' || step.type === 'duplicate' || step.type === 'tick')
    return { effect: '', kind: 'changes' };
  const lost = events.find(({ type }) => type === 'lost');
  if (lost !== undefined) return { effect: `lost: ${nodeName(world, lost.node)} has crashed`, kind: 'lost' };
  const cause = events.find((event) => event.type === 'deliver');
  const arrived = cause?.type === 'deliver' ? cause.message : null;
  const comparison = cause === undefined || arrived === null ? '' : comparisonOf(world, cause.node, arrived);
  const sends = events.filter((event) => event.type === 'send');
  const decision = events.findLast((event) => event.type === 'decide');
  if (decision !== undefined) {
    const kind = decision.role === 'leader' ? 'leads' : 'follows';
    return { effect: `${decisionText(decision)}${sentText(world, sends, ' and sends ')}`, kind };
  }
  if (sends.length > 0) {
    const passed = arrived && formatMessage(arrived);
    if (sends.every(({ message }) => formatMessage(message) === passed))
      return { effect: `passes on${comparison}`, kind: 'passes on' };
    return { effect: sentText(world, sends, 'sends '), kind: 'sends' };
  }
  const isChange = changes.some(({ after, before }) =>
    after.record.some((word, k) => word !== before.record[k]),
  );
  if (cause !== undefined && !isChange) return { effect: `swallowed${comparison}`, kind: 'swallowed' };
  return { effect: cause === undefined ? '' : `changes its state${comparison}`, kind: 'changes' };
}

function roundEffect({ events }: StepOutcome): EffectText {
  const count = (type: TraceEvent['type']): number => events.filter((event) => event.type === type).length;
  const arrived = count('deliver');
  const sent = count('send');
  return {
    effect: `${arrived} ${arrived === 1 ? 'message arrives' : 'messages arrive'}, ${sent} sent`,
    kind: count('decide') > 0 ? 'leads' : 'sends',
  };
}

function decisionText({ leader, role, term }: Extract<TraceEvent, { type: 'decide' }>): string {
  const inTerm = term > 0 ? ` of term ${term}` : '';
  if (role === 'leader') return `becomes the leader${inTerm}`;
  return `follows${leader === null ? ' the leader' : ` id ${leader}`}${inTerm}`;
}

function sentText(
  world: World,
  sends: readonly Extract<TraceEvent, { type: 'send' }>[],
  before: string,
): string {
  if (sends.length === 0) return '';
  const texts = new Set(sends.map(({ message }) => messageText(message)));
  if (sends.length === 1) return `${before}${[...texts][0]} to ${nodeName(world, sends[0].to)}`;
  return `${before}${texts.size === 1 ? `${[...texts][0]} to ${sends.length} nodes` : `${sends.length} messages`}`;
}

/** The id that a message carries beside the id of its receiver, if it carries exactly one: ': 7 > 5'. A fact, not a reason. */
function comparisonOf({ setup }: World, node: number, message: TracedMessage): string {
  const own = setup.anonymous ? undefined : setup.ids[node];
  const declared = setup.algorithm.messages[message.type]?.fields as readonly NamedField[] | undefined;
  const carried = (declared ?? []).filter(([, { kind }]) => kind === 'id');
  if (own === undefined || carried.length !== 1) return '';
  const value = message[carried[0][0]];
  if (typeof value !== 'number') return '';
  return `: ${value} ${value > own ? '>' : value < own ? '<' : '='} ${own}`;
}
