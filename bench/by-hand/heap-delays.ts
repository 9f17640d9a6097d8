/**
 * A hand-written loop for Chang–Roberts with random delays on a binary heap, with which the timing wheel of the engine is
 * compared. The same delays from the same seed, FIFO links, the same counts.
 */
import { Random } from '@hustings/study/kernel';
import type { HandResult } from './result.ts';

const TOKEN = 0;
const ELECTED = 1;

export function heapDelays(ids: Int32Array, seed: number): HandResult {
  const n = ids.length;
  const roles = new Uint8Array(n);
  const die = new Random(seed, 'delay');
  const latest = new Float64Array(n);
  // Messages by slot, and the heap of slots by time, then by the order of sending.
  const times = new Float64Array(n + 1);
  const orders = new Float64Array(n + 1);
  const receivers = new Int32Array(n + 1);
  const carried = new Int32Array(n + 1);
  const kinds = new Uint8Array(n + 1);
  const free = new Int32Array(n + 1);
  const heap = new Int32Array(n + 1);
  const counts = [0, 0];
  let size = 0;
  let used = 0;
  let freed = 0;
  let order = 0;
  let leader = -1;
  let now = 0;
  let agreedAt = 0;

  function before(one: number, other: number): boolean {
    return times[one] < times[other] || (times[one] === times[other] && orders[one] < orders[other]);
  }

  function send(from: number, id: number, kind: number): void {
    let due = now + 50 + die.below(2951);
    if (latest[from] > due) due = latest[from];
    latest[from] = due;
    const slot = freed > 0 ? free[--freed] : used++;
    times[slot] = due;
    orders[slot] = order++;
    receivers[slot] = from + 1 === n ? 0 : from + 1;
    carried[slot] = id;
    kinds[slot] = kind;
    counts[kind]++;
    let at = size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!before(slot, heap[parent])) break;
      heap[at] = heap[parent];
      at = parent;
    }
    heap[at] = slot;
  }

  function take(): number {
    const first = heap[0];
    const last = heap[--size];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = last;
    return first;
  }

  for (let at = 0; at < n; at++) send(at, ids[at], TOKEN);
  while (size > 0) {
    const slot = take();
    const at = receivers[slot];
    const id = carried[slot];
    const kind = kinds[slot];
    const own = ids[at];
    now = times[slot];
    free[freed++] = slot;
    if (kind === ELECTED) {
      if (id === own) continue;
      roles[at] = 2;
      agreedAt = now / 1000;
      send(at, id, ELECTED);
    } else if (id > own) send(at, id, TOKEN);
    else if (id === own) {
      leader = at;
      roles[at] = 1;
      send(at, id, ELECTED);
    }
  }
  return { byType: { token: counts[TOKEN], elected: counts[ELECTED] }, leader, agreedAt };
}
