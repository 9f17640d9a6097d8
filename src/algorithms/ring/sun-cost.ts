/**
 * The cost of Sun(d). L_i is the length of ring i, r = d+1 the innermost ring, a the number of hops from the detector
 * to ring r.
 */
import { exact, type Law, type RunFacts } from '../../kernel/index.ts';
import { ringLength, ringsAt } from './nested-rings.ts';

export const sunLaws: readonly Law[] = [
  withOneDetector(
    'election',
    'ΣL_i + L_2 + a',
    (run) => allRings(run) + run.n / Number(run.params.u) + away(run),
  ),
  withOneDetector('announcement', 'ΣL_i', allRings),
  withOneDetector({ messages: 'gather' }, 'L_2 − L_r', (run) => run.n / Number(run.params.u) - lastRing(run)),
  withOneDetector({ messages: 'M-coordinator' }, 'L_r', lastRing),
  withOneDetector(
    'announcementReturnedAt',
    '3L_r + 2d(u−1) + a',
    (run) => 3 * lastRing(run) + 2 * delay(run) + away(run),
  ),
  withOneDetector(
    'agreedAt',
    '3L_r + 2d(u−1) + a − 1',
    (run) => 3 * lastRing(run) + 2 * delay(run) + away(run) - 1,
  ),
];

function withOneDetector(measure: Law['measure'], formula: string, figure: (run: RunFacts) => number): Law {
  return exact(measure, formula, 'in lockstep, no crash, one detector, d ≥ 1', (run) =>
    run.lockstep && run.faultless && run.k === 1 && run.crashes.length === 0 && run.params.depth !== 0
      ? figure(run)
      : undefined,
  );
}

/** ΣL_i. */
function allRings({ n, params }: RunFacts): number {
  let sum = 0;
  for (let ring = 1; ring <= Number(params.depth) + 1; ring++) sum += ringLength(n, Number(params.u), ring);
  return sum;
}

/** L_r. */
function lastRing({ n, params }: RunFacts): number {
  return ringLength(n, Number(params.u), Number(params.depth) + 1);
}

/** d(u−1): the additional time of the outer rings. */
function delay({ params }: RunFacts): number {
  return Number(params.depth) * (Number(params.u) - 1);
}

/** a: the number of hops from the detector to ring r. */
function away({ n, initiators, params }: RunFacts): number {
  const [u, depth] = [Number(params.u), Number(params.depth)];
  let place = initiators[0];
  let hops = 0;
  for (; ringsAt(place, u, depth + 1) <= depth; hops++) {
    place = (place + u ** (ringsAt(place, u, depth + 1) - 1)) % n;
  }
  return hops;
}
