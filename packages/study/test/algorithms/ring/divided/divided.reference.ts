/**
 * Divided(d) of Shirali, Haghighat Toroghi and Vojdani (2008), section 6, in lockstep, one detector, in closed form:
 * the times at which each part is read and receives the announcement. Either no crash, and parts of at least 2d
 * nodes, so that the detector's token finds the next point informed; or only the informer crashed.
 */
import { at, latest, type Outcome } from '../../reference-outcome.ts';

export interface DividedOutcome extends Outcome {
  /** The time when the informer sends `divide`. */
  divides: number;
}

/** The parent of a point, counted in parts; −1 is the informer. */
function above(point: number, u: number, depth: number): number {
  const digits: number[] = [];
  for (let d = depth - 1, rest = point; d >= 0; d--) {
    digits.push(Math.floor(rest / u ** d));
    rest %= u ** d;
  }
  const lastSet = digits.findLastIndex((digit, d) => d > 0 && digit > 0);
  if (lastSet < 0) return -1;
  digits[lastSet] = 0;
  return digits.reduce((value, digit) => value * u + digit, 0);
}

export function dividedClosed(
  ids: readonly number[],
  u: number,
  depth: number,
  detector: number,
): DividedOutcome {
  const n = ids.length;
  const parts = u ** depth;
  const length = n / parts;
  const points = Array.from({ length: parts }, (_, point) => point);
  const linksOf = (point: number): number => {
    const top = above(point, u, depth);
    return top < 0 ? 1 : 1 + linksOf(top);
  };
  const first = Math.ceil(detector / length) % parts;
  const a = (first * length - detector + n) % n;
  const c = linksOf(first);
  const divides = a + c + 2;

  const begins = points.map((point) => (point === first ? a : divides + linksOf(point)));
  const gives = (point: number): number => {
    const below = points.filter((other) => above(other, u, depth) === point);
    const before = at(begins, (point - 1 + parts) % parts) + length;
    return Math.max(before, divides + linksOf(point), ...below.map((other) => gives(other) + 1));
  };
  const decides = Math.max(...points.filter((p) => above(p, u, depth) < 0).map((p) => gives(p) + 1));
  const knewAt = ids.map((_, place) => decides + linksOf(Math.floor(place / length)) + (place % length));
  const leader = ids.indexOf(Math.max(...ids));
  return {
    leader,
    election: n + 4 * parts + c + a,
    announcement: n + parts,
    byType: {
      token: n + a,
      crash: c,
      election: parts,
      reply: parts,
      divide: parts,
      information: parts,
      coordinator: n + parts,
    },
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt: Math.max(...points.map((point) => decides + linksOf(point) + length)),
    divides,
  };
}

/** The plain ring, and one lost crash message of each point. */
export function informerDownClosed(ids: readonly number[], points: number, detector: number): Outcome {
  const n = ids.length;
  const leader = ids.indexOf(Math.max(...ids));
  return {
    leader,
    election: n + points,
    announcement: n,
    byType: {
      token: n,
      crash: points,
      election: 0,
      reply: 0,
      divide: 0,
      information: 0,
      coordinator: n,
    },
    electedAt: n + ((leader - detector + n) % n),
    agreedAt: n + n - 1,
    announcementReturnedAt: 2 * n,
  };
}
