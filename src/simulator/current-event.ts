/** The event whose handler runs, or ran last, in words. */
import type { Machine } from '../kernel/machine/machine.ts';
import { formatMessage, type TracedMessage } from '../kernel/trace.ts';

export function currentEvent(machine: Machine, event: string, timer: string | null): string {
  const { at, clock } = machine.context;
  // The context's clock: in rounds it runs ahead of the simulation's, which is set when they return.
  const id = machine.environment.ids[at];
  const who = `${id === undefined ? `position ${at}` : `node ${at} (id ${id})`} at time ${clock}`;
  if (timer !== null) return `${who}, on timer '${timer}'`;
  const held = machine.currentMessage();
  return held === null
    ? `${who}, on ${event}`
    : `${who}, on ${event} <${formatMessage(held as TracedMessage)}>`;
}
