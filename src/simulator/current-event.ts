/** Describes the event whose handler runs, or ran last. */
import type { Machine } from '../kernel/machine/machine.ts';
import { formatMessage, type TracedMessage } from '../kernel/trace.ts';

export function currentEvent(machine: Machine, event: string, timer: string | null): string {
  const { at, clock } = machine.context;
  // The clock of the context: in the fast loop it is ahead of the clock of the simulation.
  const id = machine.environment.ids[at];
  const who = `${id === undefined ? `position ${at}` : `node ${at} (id ${id})`} at time ${clock}`;
  if (timer !== null) return `${who}, on timer '${timer}'`;
  const message = event === 'message' || event === 'notice' ? machine.currentMessage() : null;
  return message === null
    ? `${who}, on ${event}`
    : `${who}, on ${event} <${formatMessage(message as TracedMessage)}>`;
}
