/** One handler of one node, run to completion: what it makes of the node. What it sent is then in the outbox. */
import { type Breach, FOLLOWER, LEADER } from '../decisions.ts';
import { InputError } from '../errors.ts';
import { NONE } from '../field.ts';
import type { Machine } from '../machine/machine.ts';

/** A node with everything that a driver keeps of it. */
export interface NodeSnapshot {
  /** What `Machine.save` returns: status, role, leader and term, then the fields. */
  readonly record: readonly number[];
  /** Units until each timer is due; NONE if it does not run. */
  readonly timers: readonly number[];
  /** The term whose leader the node has found dead; NONE if none. A crash is noticed once. */
  readonly noticed: number;
  /** The terms that the node has ever led, ascending, those before a crash included. */
  readonly led: readonly number[];
}

export interface NodeOutcome {
  readonly node: NodeSnapshot;
  /** What the handler threw, in an object; the node is then as before. */
  readonly failure: { readonly error: unknown } | null;
  /** The node changed its decision within a term. */
  readonly breach: Breach | null;
}

/** The machine must hold the node as it was `before`. `change` is what the event itself does to the node. */
export function runHandler(
  machine: Machine,
  at: number,
  before: NodeSnapshot,
  call: () => void,
  change: Partial<NodeSnapshot> = {},
): NodeOutcome {
  const { context, decisions } = machine;
  // A second leader is for the driver to find: here other nodes need not be as the machine holds them.
  decisions.reset();
  context.clear();
  context.outbox.clear();
  try {
    call();
  } catch (error) {
    // Not the handler's mistake: a draw that no driver decides.
    if (error instanceof InputError) throw error;
    machine.load(at, before.record);
    context.outbox.clear();
    return { node: before, failure: { error }, breach: null };
  }
  const timers = [...(change.timers ?? before.timers)];
  for (let k = 0; k < context.timers.length; k += 2) timers[context.timers[k]] = context.timers[k + 1];
  const record = machine.save(at);
  const [, role, , term] = record;
  const noticed = change.noticed ?? before.noticed;
  const isNew = role === LEADER && !before.led.includes(term);
  return {
    node: {
      record,
      timers,
      // A later term has another leader.
      noticed: role === FOLLOWER && term === noticed ? noticed : NONE,
      led: isNew ? [...before.led, term].sort((a, b) => a - b) : before.led,
    },
    failure: null,
    breach: decisions.breach,
  };
}
