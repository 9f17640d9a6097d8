/**
 * Messages on their way back to their senders, because the receiver was dead. A notice comes one time-out after
 * the send, or as soon as the loss is known if that is later. Notices are not messages and are not counted.
 */
import { TimerQueue } from './schedules/timer-queue.ts';

export interface Notice {
  /** The sender, and the port on which it sent. */
  readonly at: number;
  readonly port: number;
  /** In ticks. */
  readonly sent: number;
  /** The record of the message. */
  readonly words: Int32Array;
}

export class Notices {
  private readonly queue = new TimerQueue();
  private readonly kept = new Map<number, Notice>();
  private readonly timeoutTicks: number;
  private added = 0;

  constructor(timeoutTicks: number) {
    this.timeoutTicks = timeoutTicks;
  }

  nextTime(): number {
    return this.queue.nextTime();
  }

  add(now: number, notice: Notice): void {
    const number = this.added++;
    this.kept.set(number, notice);
    this.queue.add(Math.max(now, notice.sent + this.timeoutTicks), number);
  }

  take(now: number): Notice | null {
    const number = this.queue.take(now);
    if (number < 0) return null;
    const notice = this.kept.get(number) as Notice;
    this.kept.delete(number);
    return notice;
  }
}
