/**
 * Sun(d) of Shirali, Haghighat Toroghi and Vojdani (2008), sections 4 and 5, in lockstep, no crash, one detector.
 * Every message carries the set of places whose ids it has read, so that unread ids can be counted. With `gather`
 * false it is the paper as printed: a result that arrives at a node of an intermediate ring is ignored.
 */
import { at, latest, type Outcome } from '../../reference-outcome.ts';

interface Flight {
  kind: 'call' | 'election' | 'gather' | 'M-coordinator' | 'coordinator';
  to: number;
  ring: number;
  read: ReadonlySet<number>;
}

export interface SunOutcome extends Outcome {
  informer: number;
  /** The time when the informer knew the result. */
  informerKnows: number;
  /** Places whose ids never reached the informer. */
  unread: number;
}

const union = (a: ReadonlySet<number>, b: ReadonlySet<number>): Set<number> => new Set([...a, ...b]);

export function sunLockstep(
  ids: readonly number[],
  u: number,
  depth: number,
  detector: number,
  gather = true,
): SunOutcome {
  const n = ids.length;
  const rings = depth + 1;
  const depthOf = (place: number): number => {
    let ring = 1;
    while (ring < rings && place % u ** ring === 0) ring++;
    return ring;
  };
  const byType = { call: 0, election: 0, gather: 0, 'M-coordinator': 0, coordinator: 0 };
  const kept = ids.map((_, place): Set<number> => new Set([place]));
  /**
   * What must still arrive here: an election on each outer ring and, if the previous node sends one, a gather.
   */
  const missing = ids.map((_, place) => {
    let count = depthOf(place) === 1 ? 0 : depthOf(place) - 1;
    if (!gather) return count;
    for (let ring = 2; ring <= Math.min(depthOf(place), depth); ring++) {
      const before = (place - u ** (ring - 1) + n) % n;
      if (depthOf(before) === ring) count++;
    }
    return count;
  });
  const reached = ids.map(() => false);
  const asked = ids.map(() => false);
  const passed = ids.map(() => false);
  const knewAt = ids.map(() => -1);
  let informer = -1;
  let result = -1;
  let announcementReturnedAt = -1;
  let informerKnows = -1;
  let flights: Flight[] = [];
  let sent: Flight[] = [];

  const send = (kind: Flight['kind'], from: number, ring: number, read: ReadonlySet<number>): void => {
    byType[kind]++;
    sent.push({ kind, to: (from + u ** (ring - 1)) % n, ring, read });
  };
  const wheel = (kind: 'election' | 'coordinator', place: number, read: ReadonlySet<number>): void => {
    send(kind, place, depthOf(place), read);
    for (let ring = depthOf(place) - 1; ring >= 1; ring--) send(kind, place, ring, new Set([place]));
  };
  const call = (place: number): void => {
    if (depthOf(place) < rings) {
      send('call', place, depthOf(place), new Set());
      return;
    }
    informer = place;
    wheel('election', place, new Set([place]));
  };
  const passOn = (place: number): void => {
    if (!reached[place] || at(missing, place) > 0 || passed[place]) return;
    const ring = depthOf(place);
    if (ring === 1 || (ring < rings && !gather)) return;
    if (ring === rings && place !== informer && !asked[place]) return;
    passed[place] = true;
    send(ring < rings ? 'gather' : 'M-coordinator', place, ring, at(kept, place));
  };

  const receive = ({ kind, to, ring, read }: Flight, now: number): void => {
    if (kind === 'call') {
      call(to);
      return;
    }
    if (kind === 'coordinator') {
      if (ring === depthOf(to) && at(knewAt, to) < 0) {
        knewAt[to] = now;
        wheel('coordinator', to, new Set());
      } else announcementReturnedAt = now;
      return;
    }
    kept[to] = union(at(kept, to), read);
    if (kind === 'M-coordinator') {
      if (to === informer) {
        informerKnows = now;
        result = [...at(kept, to)].reduce((a, b) => (at(ids, a) > at(ids, b) ? a : b));
        knewAt[to] = now;
        wheel('coordinator', to, new Set());
        return;
      }
      asked[to] = true;
    } else if (kind === 'gather' || ring < depthOf(to)) {
      missing[to] = at(missing, to) - 1;
    } else {
      reached[to] = true;
      if (to !== informer) wheel('election', to, new Set([...read, to]));
    }
    passOn(to);
  };

  call(detector);
  for (let now = 1; sent.length > 0; now++) {
    [flights, sent] = [sent, []];
    for (const flight of flights) receive(flight, now);
  }
  const { coordinator, ...others } = byType;
  return {
    leader: result,
    election: Object.values(others).reduce((sum, count) => sum + count, 0),
    announcement: coordinator,
    byType,
    electedAt: at(knewAt, result),
    agreedAt: latest(knewAt),
    announcementReturnedAt,
    informer,
    informerKnows,
    unread: n - at(kept, informer).size,
  };
}
