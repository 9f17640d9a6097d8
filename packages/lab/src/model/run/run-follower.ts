/**
 * Takes in a world the steps of a simulated run, one cause at a time: starts, arrivals, timers, crashes, recoveries.
 *
 * The simulator decides at the send whether a message is lost or duplicated. In the world a message is lost or duplicated
 * when it could arrive, so both happen here at the first moment at which the world allows them.
 */

import type { InFlightMessage, MessageStep, Step, StepOutcome, World } from '@hustings/study/driver';
import { formatMessage, type MessageLossReason, type TraceEvent } from '@hustings/study/kernel';
import type { SimulatedTrace } from './simulated-trace.ts';

/** Takes a step in the world and records it at a time in units. */
export type TakeStep = (step: Step, time: number, reason?: MessageLossReason) => StepOutcome;

type SendEvent = Extract<TraceEvent, { type: 'send' }>;
type CauseEvent = Exclude<TraceEvent, { type: 'send' | 'state' | 'decide' }>;

/** Follows a run in which messages arrive one at a time. Rounds: see round-follower.ts. */
export class RunFollower {
  private at = 0;
  private readonly lost = new Set<InFlightMessage>();
  private readonly doubled = new Set<InFlightMessage>();
  private readonly sentAt = new Map<InFlightMessage, number>();
  private clock = 0;

  constructor(
    private readonly world: World,
    private readonly trace: SimulatedTrace,
    private readonly take: TakeStep,
  ) {
    // The initial states, and the crashes that the world begins with.
    while (trace.events[this.at]?.type === 'state') this.at++;
  }

  /** Follows the next cause; false after the last one. Throws if the world does not allow its step. */
  next(): boolean {
    const { events } = this.trace;
    const index = this.at;
    const event = events[index];
    if (event === undefined) {
      this.loseAll(events.at(-1)?.time ?? 0);
      return false;
    }
    this.at++;
    if (event.type === 'send' || event.type === 'state' || event.type === 'decide') return true;
    if (this.isInitial(event)) return true;
    // The start and the handling of the message are one event.
    if (event.type === 'start' && events[this.at]?.type === 'deliver') return true;
    this.follow(event, index);
    return true;
  }

  private isInitial({ node, time, type }: CauseEvent): boolean {
    return type === 'crash' && time === 0 && this.world.rules.dead.includes(node);
  }

  private follow(event: CauseEvent, index: number): void {
    const { time } = event;
    this.passTime(time, event.type === 'timer' || event.type === 'undelivered');
    this.dropNotices(time);
    if (event.type === 'lost' && event.reason === 'link lossy') return;
    const step = this.stepOf(event);
    const draws = this.trace.draws.get(index + 1);
    const reason = event.type === 'lost' ? event.reason : undefined;
    const { events: done } = this.take(draws === undefined ? step : { ...step, draws }, time, reason);
    this.noteSends(done.filter(({ type }) => type === 'send').length, time);
    this.compare(this.trace.events[index + 1]);
  }

  private stepOf(event: CauseEvent): Step {
    const { node } = event;
    if (event.type === 'timer') return { type: 'timer', node, timer: event.timer };
    if (!('from' in event)) return { type: event.type, node };
    const { from } = event;
    const message = formatMessage(event.message);
    if (event.type === 'undelivered') return { type: 'notice', from: node, to: from, message };
    const isLost = event.type === 'lost' && event.reason !== 'receiver dead';
    const step: MessageStep = { type: isLost ? 'lose' : 'deliver', from, to: node, message };
    this.loseFirst(event.time, (one) => one.from === from && one.to === node);
    const { configuration, rules } = this.world;
    const moved = this.doubled.size === 0 ? undefined : rules.messageOf(configuration, step);
    if (moved !== undefined && this.doubled.delete(moved)) {
      this.take({ ...step, type: 'duplicate', port: moved.port }, event.time);
      // The copy stands before its original.
      const { messages } = this.world.configuration;
      this.sentAt.set(messages[messages.indexOf(moved) - 1], this.sentAt.get(moved) ?? event.time);
    }
    return step;
  }

  /** What the handler sent is at the end of the messages in flight, in the order of the events that follow. */
  private noteSends(count: number, time: number): void {
    const { events } = this.trace;
    const sent = this.world.configuration.messages.slice(this.world.configuration.messages.length - count);
    for (const message of sent) {
      this.sentAt.set(message, time);
      while (events[this.at] !== undefined && events[this.at].type !== 'send') this.at++;
      const event = events[this.at] as SendEvent | undefined;
      if (event === undefined || event.to !== message.to || formatMessage(event.message) !== message.text) {
        throw new Error(`the world sends ${message.text} to node ${message.to}, and the simulator does not`);
      }
      if (event.isDuplicated) this.doubled.add(message);
      this.at++;
      const after = events[this.at];
      if (after?.type === 'lost' && after.reason === 'link lossy') {
        this.lost.add(message);
        this.at++;
      }
    }
    this.loseFirst(time, (message) => sent.includes(message));
  }

  /** The state of the node follows its cause; a handler that threw has none. */
  private compare(event: TraceEvent | undefined): void {
    if (event?.type !== 'state') return;
    const found = JSON.stringify(this.world.machine.fieldsOf(event.node));
    const expected = JSON.stringify(event.state);
    if (found === expected) return;
    throw new Error(`node ${event.node} is in the state ${found}, in the simulator ${expected}`);
  }

  private loseAll(time: number): void {
    for (let left = -1; left !== this.lost.size; ) {
      left = this.lost.size;
      this.loseFirst(time, () => true);
    }
  }

  /** Loses what is lost and could arrive now. */
  private loseFirst(time: number, isMeant: (message: InFlightMessage) => boolean): void {
    const { rules } = this.world;
    for (const message of this.lost) {
      if (!isMeant(message)) continue;
      const { from, port, text, to } = message;
      const step = { type: 'lose', from, to, port, message: text } as const;
      if (rules.messageOf(this.world.configuration, step) !== message) continue;
      this.take(step, time);
      this.lost.delete(message);
    }
  }

  /** The simulator says nothing of a notice whose sender is dead. */
  private dropNotices(time: number): void {
    const { rules } = this.world;
    for (const one of this.world.configuration.undelivered) {
      const { from, port, text, to } = one;
      const isOver = (this.sentAt.get(one) ?? 0) + this.trace.run.plan.timeout < time;
      const isDead = rules.isDead(this.world.configuration, from);
      if (isOver && isDead) this.take({ type: 'notice', from, to, port, message: text }, time);
    }
  }

  private passTime(time: number, isTimersTurn: boolean): void {
    const { world } = this;
    if (world.rules.timing !== 'bounded-delay') return;
    for (; this.clock < time; this.clock++) {
      const next = this.clock + 1;
      this.loseFirst(next, () => true);
      this.dropNotices(next);
      // While nothing is pending, no time passes in the world.
      if (world.matching({ type: 'tick' }).length > 0) this.take({ type: 'tick' }, Math.min(next, time));
      else if (world.rules.isPending(world.configuration))
        throw new Error(`time cannot pass at ${this.clock}`);
    }
    if (isTimersTurn) this.loseFirst(time, () => true);
  }
}
