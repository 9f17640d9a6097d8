/**
 * Notices of undelivered messages, which tell a sender that the receiver had crashed. A notice arrives one timeout after the
 * send, or at the time of the loss if that is later. Notices are not messages, and are not counted.
 */
import { TimerQueue } from '../schedules/timer-queue.ts';

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
  private readonly pending = new Map<number, Notice>();
  private added = 0;

  constructor(private readonly timeoutTicks: number) {}

  nextTime(): number {
    return this.queue.nextTime();
  }

  add(now: number, notice: Notice): void {
    const number = this.added++;
    this.pending.set(number, notice);
    this.queue.add(Math.max(now, notice.sent + this.timeoutTicks), number);
  }

  take(now: number): Notice | null {
    const number = this.queue.take(now);
    if (number < 0) return null;
    const notice = this.pending.get(number) as Notice;
    this.pending.delete(number);
    return notice;
  }
}
