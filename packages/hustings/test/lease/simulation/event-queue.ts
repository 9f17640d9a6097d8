/** Events in the order of true time, and of planning at the same time. A binary heap. */
export interface PlannedEvent {
  readonly atMs: number;
  readonly order: number;
  readonly run: () => void;
}

export class EventQueue {
  readonly #heap: PlannedEvent[] = [];
  #planned = 0;

  plan(atMs: number, run: () => void): void {
    const event = { atMs, order: this.#planned++, run };
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (isBefore(heap[parent], event)) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = event;
  }

  /** The time of the next event; infinite if there is none. */
  get nextMs(): number {
    return this.#heap.length === 0 ? Number.POSITIVE_INFINITY : this.#heap[0].atMs;
  }

  take(): PlannedEvent {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop()!;
    if (heap.length === 0) return first;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child])) child++;
      if (isBefore(last, heap[child])) break;
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
