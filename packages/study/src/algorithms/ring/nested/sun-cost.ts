/**
 * The cost of Sun(d), and the parts of it that Sun and Divided combined shares. L_i is the length of ring i, r = d+1 the
 * innermost ring, a the number of hops from the detector to ring r.
 */
import { exact, type Law, type RunFacts } from '../../../kernel/index.ts';
import { inLockstep, noCrash, oneDetector } from '../../law-conditions.ts';
import { ringLength, ringsAt } from './nested-rings.ts';

const withOneDetector = [inLockstep, noCrash, oneDetector];

export const sunLaws: readonly Law[] = [
  exact('election', 'ΣL_i + L_2 + a', withOneDetector, (run) => allRings(run) + ringTwo(run) + away(run)),
  exact('announcement', 'ΣL_i', withOneDetector, allRings),
  exact({ messages: 'gather' }, 'L_2 − L_r', withOneDetector, (run) => ringTwo(run) - lastRing(run)),
  exact({ messages: 'M-coordinator' }, 'L_r', withOneDetector, lastRing),
  exact('announcementReturnedAt', '3L_r + 2d(u−1) + a', withOneDetector, returnTime),
  exact('agreedAt', '3L_r + 2d(u−1) + a − 1', withOneDetector, (run) => returnTime(run) - 1),
];

function returnTime(run: RunFacts): number {
  return 3 * lastRing(run) + 2 * delay(run) + away(run);
}

/** L_2. */
export function ringTwo({ n, params }: RunFacts): number {
  return n / Number(params.u);
}

/** ΣL_i. */
export function allRings({ n, params }: RunFacts): number {
  let sum = 0;
  for (let ring = 1; ring <= Number(params.depth) + 1; ring++) sum += ringLength(n, Number(params.u), ring);
  return sum;
}

/** L_r. */
export function lastRing({ n, params }: RunFacts): number {
  return ringLength(n, Number(params.u), Number(params.depth) + 1);
}

/** d(u−1): the additional time of the outer rings. */
export function delay({ params }: RunFacts): number {
  return Number(params.depth) * (Number(params.u) - 1);
}

/** a: the number of hops from the detector to ring r. */
export function away({ n, initiators, params }: RunFacts): number {
  const [u, depth] = [Number(params.u), Number(params.depth)];
  let place = initiators[0];
  let hops = 0;
  for (; ringsAt(place, u, depth + 1) <= depth; hops++) {
    place = (place + u ** (ringsAt(place, u, depth + 1) - 1)) % n;
  }
  return hops;
}
