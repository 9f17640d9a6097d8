/** Reports the events of a run: to an observer, if there is one, and in errors. */
import type { Machine } from '../kernel/machine/machine.ts';
import { portOf, receiverOf } from '../kernel/machine/message-buffer.ts';
import { formatMessage, type MessageLossReason, type Observer, type TracedMessage } from '../kernel/trace.ts';
import { TICKS } from './schedules/schedule.ts';

export class Tracer {
  private isOpen = false;

  constructor(
    private readonly observe: Observer,
    private readonly machine: Machine,
    private readonly showsStates: boolean,
  ) {
    machine.logDecisions();
  }

  /** Reports the initial states, once. */
  open(): void {
    if (this.isOpen) return;
    this.isOpen = true;
    for (let at = 0; at < this.machine.status.length; at++) this.state(0, at);
  }

  /** Reports the state of a node after an event. */
  state(now: number, node: number): void {
    if (!this.showsStates) return;
    this.observe({ type: 'state', time: now / TICKS, node, state: this.machine.fieldsOf(node) });
  }

  node(type: 'start' | 'crash' | 'recover', now: number, node: number): void {
    this.observe({ type, time: now / TICKS, node });
  }

  timer(now: number, node: number, timer: string): void {
    this.observe({ type: 'timer', time: now / TICKS, node, timer });
  }

  send(now: number, node: number, words: Int32Array, base: number, isDuplicated: boolean): void {
    const to = receiverOf(words, base);
    const port = this.machine.environment.topology.backPort(to, portOf(words, base));
    const message = this.read(words, base);
    const double = isDuplicated && { isDuplicated };
    this.observe({ type: 'send', time: now / TICKS, node, to, port, message, ...double });
  }

  arrival(
    type: 'deliver' | 'undelivered',
    now: number,
    node: number,
    from: number,
    port: number,
    sent: number,
    words: Int32Array,
    base: number,
  ): void {
    const message = this.read(words, base);
    this.observe({ type, time: now / TICKS, node, from, port, sent: sent / TICKS, message });
  }

  lost(
    reason: MessageLossReason,
    now: number,
    from: number,
    sent: number,
    words: Int32Array,
    base: number,
  ): void {
    const message = this.read(words, base);
    const node = receiverOf(words, base);
    this.observe({ type: 'lost', time: now / TICKS, node, from, sent: sent / TICKS, reason, message });
  }

  /** The decisions of the handler that ran last. */
  decisions(now: number, node: number): void {
    for (const decision of this.machine.decisionsMade())
      this.observe({ type: 'decide', time: now / TICKS, node, ...decision });
  }

  private read(words: Int32Array, base: number): TracedMessage {
    return this.machine.codec.read(words, base, this.machine.lists) as TracedMessage;
  }
}

/** Describes the event whose handler runs, or ran last. */
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
