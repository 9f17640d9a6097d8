/** Runs one handler of one node to completion, and returns the new state of the node. The outbox has its messages. */
import type { Breach } from '../decisions.ts';
import { InputError, OutcomesError } from '../errors.ts';
import { NONE } from '../field.ts';
import type { Machine } from '../machine/machine.ts';
import type { NodeContext } from '../machine/node-context.ts';

/** The state of a node, with all that a driver keeps about it. */
export interface NodeSnapshot {
  /** What `Machine.save` returns: status, role, leader and term, then the fields. */
  readonly record: readonly number[];
  /** Units until each timer is due; NONE if it does not run. */
  readonly timers: readonly number[];
  /**
   * The term for which the node last started by itself: 0 if it was asleep, otherwise the one after that of its dead leader,
   * whose crash it notices once. NONE if it has not started since it last crashed, or if the algorithm has no failure detector.
   */
  readonly startedFor: number;
  /** All terms that the node has led, ascending, including those before a crash. */
  readonly led: readonly number[];
}

/** All that matters of timers on an asynchronous network, where a running timer may fire at any step: which of them run. */
export function withoutLengths(timers: readonly number[]): readonly number[] {
  return timers.every((left) => left === NONE || left === RUNNING)
    ? timers
    : timers.map((left) => (left === NONE ? NONE : RUNNING));
}

const RUNNING = 0;

export interface NodeOutcome {
  readonly node: NodeSnapshot;
  /** The error that the handler threw; the node is then unchanged. */
  readonly failure: { readonly error: unknown } | null;
  /** The node changed its decision within a term. */
  readonly breach: Breach | null;
}

/** The machine must hold the node as `before`. `change` is the effect of the event itself. */
export function runHandler(
  machine: Machine,
  at: number,
  before: NodeSnapshot,
  call: () => void,
  change?: Partial<NodeSnapshot>,
): NodeOutcome {
  const { context, decisions } = machine;
  // Uniqueness is checked by the driver: the machine need not hold the current states of other nodes.
  decisions.reset();
  context.clear();
  context.outbox.clear();
  try {
    call();
  } catch (error) {
    // Not an error of the handler: a draw without an outcome, or with too many.
    if (error instanceof InputError || error instanceof OutcomesError) throw error;
    machine.load(at, before.record);
    context.outbox.clear();
    return { node: before, failure: { error }, breach: null };
  }
  const timers = timersAfter(context, change?.timers ?? before.timers);
  const record = machine.save(at);
  return {
    node: {
      record,
      timers,
      startedFor: change?.startedFor ?? before.startedFor,
      led: termsAfter(before.led, decisions.termsLed()),
    },
    failure: null,
    breach: decisions.breach,
  };
}

/** A handler may lead several terms, and need not be a leader at its end. */
function termsAfter(before: readonly number[], led: readonly number[]): readonly number[] {
  const added = led.filter((term) => !before.includes(term));
  return added.length === 0 ? before : [...before, ...added].sort((a, b) => a - b);
}

/** The timers of the node after the handler: those that it set have new values. */
function timersAfter(context: NodeContext, before: readonly number[]): readonly number[] {
  if (context.timerWords === 0) return before;
  const timers = [...before];
  for (let k = 0; k < context.timerWords; k += 2) timers[context.timers[k]] = context.timers[k + 1];
  return timers;
}
