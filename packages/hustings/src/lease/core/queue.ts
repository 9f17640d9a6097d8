/**
 * The candidates that wait for a lease, and their order: the highest priority first, then the place, which is earlier if the
 * candidate was registered earlier. A candidate keeps its place while it asks in time. One that died loses its place when its
 * registration ends.
 */
import type { AcquireRequest } from './calls.ts';
import type { WaitingCandidate } from './lease-record.ts';

/** A waiting candidate, with the times of its latest registration and of its end. */
export interface Registration extends Omit<WaitingCandidate, 'seenMs'> {
  readonly atMs: number;
  readonly untilMs: number;
  /** Absent in a registration by an earlier version of hustings. */
  readonly place?: number;
}

const placeOf = ({ place, atMs }: Registration): number => place ?? atMs;

/** The registration of a request that was refused. Its place is after all others, unless the candidate has one. */
export function registrationOf(
  waiting: Iterable<Registration>,
  { id, nonce, priority, registerMs }: AcquireRequest,
  nowMs: number,
): Registration {
  let place = nowMs;
  for (const each of waiting) {
    if (each.nonce === nonce && each.untilMs > nowMs) {
      place = placeOf(each);
      break;
    }
    place = Math.max(place, placeOf(each) + 1);
  }
  return { id, nonce, priority, atMs: nowMs, untilMs: nowMs + registerMs, place };
}

/** The first of the waiting candidates that come before the requesting one; null if that one is first. */
export function firstAhead(
  waiting: Iterable<Registration>,
  { nonce, priority }: AcquireRequest,
  nowMs: number,
): Registration | null {
  // A registration of the future was made before the clock was set back: its end cannot be judged.
  const valid = [...waiting].filter(({ atMs, untilMs }) => atMs <= nowMs && nowMs < untilMs);
  const own = valid.find((each) => each.nonce === nonce);
  const isFirst = (a: Registration, b: Registration): boolean =>
    a.priority !== b.priority
      ? a.priority > b.priority
      : placeOf(a) !== placeOf(b)
        ? placeOf(a) < placeOf(b)
        : a.nonce < b.nonce;
  let first: Registration | null = null;
  for (const each of valid) {
    const isAhead = own === undefined ? each.priority >= priority : isFirst(each, { ...own, priority });
    if (each !== own && isAhead && (first === null || isFirst(each, first))) first = each;
  }
  return first;
}
