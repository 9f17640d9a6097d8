/** Virtual time: events in order of their time, then of their scheduling. Promises settle between events on request. */
import { setImmediate as afterPromises } from 'node:timers/promises';
import { EventQueue } from '../../hustings/test/lease/simulation/event-queue.ts';

export class VirtualTime {
  nowMs = 0;
  /** Set by an event that has settled a promise: its reactions run before the next event. */
  hasSettled = false;
  private readonly queue = new EventQueue();

  /** Runs `run` after a delay; returns what cancels it. */
  after(delayMs: number, run: () => void): () => void {
    let isCancelled = false;
    this.queue.plan(this.nowMs + Math.max(0, delayMs), () => {
      if (!isCancelled) run();
    });
    return () => {
      isCancelled = true;
    };
  }

  /** Runs events until the time, or until `isDone`, which is asked after each event. Returns whether it was. */
  async runUntil(endMs: number, isDone: () => boolean = () => false): Promise<boolean> {
    // Promises that are settled before the first event.
    await afterPromises();
    while (this.queue.nextMs <= endMs) {
      const { atMs, run } = this.queue.take();
      this.nowMs = Math.max(this.nowMs, atMs);
      run();
      if (this.hasSettled) {
        this.hasSettled = false;
        await afterPromises();
      }
      if (isDone()) return true;
    }
    this.nowMs = Math.max(this.nowMs, endMs);
    return false;
  }
}
