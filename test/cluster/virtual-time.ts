/** Virtual time: events in order of their time, then of their scheduling. Promises settle between events on request. */
import { setImmediate as afterPromises } from 'node:timers/promises';

interface PlannedEvent {
  readonly atMs: number;
  readonly order: number;
  run: (() => void) | null;
}

export class VirtualTime {
  nowMs = 0;
  /** Set by an event that has settled a promise: its reactions run before the next event. */
  hasSettled = false;
  private readonly heap: PlannedEvent[] = [];
  private order = 0;

  /** Runs `run` after a delay; returns what cancels it. */
  after(delayMs: number, run: () => void): () => void {
    const event: PlannedEvent = { atMs: this.nowMs + Math.max(0, delayMs), order: this.order++, run };
    this.push(event);
    return () => {
      event.run = null;
    };
  }

  /** Runs events until the time, or until `isDone`, which is asked after each event. Returns whether it was. */
  async runUntil(endMs: number, isDone: () => boolean = () => false): Promise<boolean> {
    // Promises that are settled before the first event.
    await afterPromises();
    while (this.heap.length > 0 && this.heap[0].atMs <= endMs) {
      const { atMs, run } = this.pop();
      this.nowMs = Math.max(this.nowMs, atMs);
      if (run === null) continue;
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

  private push(event: PlannedEvent): void {
    const { heap } = this;
    let at = heap.push(event) - 1;
    for (let up = (at - 1) >> 1; at > 0 && isBefore(event, heap[up]); up = (at - 1) >> 1) {
      heap[at] = heap[up];
      at = up;
    }
    heap[at] = event;
  }

  private pop(): PlannedEvent {
    const { heap } = this;
    const first = heap[0];
    const last = heap.pop() as PlannedEvent;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (child >= heap.length || !isBefore(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(a: PlannedEvent, b: PlannedEvent): boolean {
  return a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
}
