/**
 * Notes when a member last waited for a processor for longer than it may. Such a wait delays messages and timers beyond
 * what a bound counts on, as a fault does, so a bound counts from there. Linux tells the waits of a process; other systems
 * show only those of this one, by its late timers.
 */
import { readFileSync } from 'node:fs';

const EVERY_MS = 25;

export class ProcessorWatch {
  /** By the monotonic clock; −∞ if there was none. */
  lastMs = Number.NEGATIVE_INFINITY;
  private readonly waited = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;
  private checkedMs = performance.now();

  constructor(
    private readonly limitMs: number,
    private readonly pids: () => readonly number[],
  ) {
    this.timer = setInterval(() => this.check(), EVERY_MS);
  }

  close(): void {
    clearInterval(this.timer);
  }

  private check(): void {
    const nowMs = performance.now();
    let isLate = nowMs - this.checkedMs - EVERY_MS > this.limitMs;
    this.checkedMs = nowMs;
    for (const pid of this.pids()) {
      const waited = waitedMs(pid);
      // The first time counts the start of the process.
      if (waited - (this.waited.get(pid) ?? waited) > this.limitMs) isLate = true;
      this.waited.set(pid, waited);
    }
    if (isLate) this.lastMs = nowMs;
  }
}

/** The time that a process has waited for a processor since it began. */
function waitedMs(pid: number): number {
  try {
    return Number(readFileSync(`/proc/${pid}/schedstat`, 'latin1').split(' ')[1]) / 1e6;
  } catch {
    return 0;
  }
}
