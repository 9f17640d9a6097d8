/** Chang–Roberts with k initiators: the most and the least expensive arrangement of them, and the mean. */

import { formatFigure } from '@hustings/base';
import { changRoberts } from '@hustings/study/algorithms';
import { positionSets } from '@hustings/study/internal/checker/network/id-orders';
import { harmonic } from '@hustings/study/kernel';
import { type Study, study, verdictOf } from '../claim.ts';
import { ascending, extremesOf } from '../every-order.ts';
import { follows, stated } from '../origin.ts';
import { refutedBy, runStudy } from '../run-study.ts';
import { KARNAPKE } from '../sources.ts';

type Extreme = 'worst' | 'best';

const FORMULAS: Readonly<Record<Extreme, string>> = { worst: 'nk − k(k−1)/2', best: 'n+k−1' };

const claimed = (extreme: Extreme, n: number, k: number): number =>
  extreme === 'worst' ? n * k - (k * (k - 1)) / 2 : n + k - 1;

/** Over all orders and all sets of k positions, all of which start together. */
function extremeOfSets(extreme: Extreme): Study {
  return study({
    id: `chang-roberts/${extreme}-of-k`,
    origin: stated(
      extreme === 'worst' ? [KARNAPKE, 'slides 15–16, lines 239–264'] : [KARNAPKE, 'slide 17, lines 275–281'],
    ),
    says: `the ${extreme} case of k initiators has ${FORMULAS[extreme]} messages`,
    method: 'every order',
    measure(experiment) {
      const n = experiment.some(5, 6);
      const found = new Map<number, { readonly election: number; readonly replay: string }>();
      for (const initiators of positionSets(n)) {
        const k = initiators.length;
        const one = extremesOf(experiment, changRoberts, n, { initiators })[extreme];
        const other = found.get(k)?.election ?? one.election;
        const isBetter = extreme === 'worst' ? one.election >= other : one.election <= other;
        if (isBetter) found.set(k, one);
      }
      const wrong = [...found].find(([k, { election }]) => election !== claimed(extreme, n, k));
      const [k, shown] = wrong ?? [3, found.get(3)];
      return {
        verdict: verdictOf(wrong === undefined),
        measured: `n = ${n}, over all orders and all sets of initiators that start together: ${[...found].map(([each, { election }]) => `${election} for k = ${each}`).join(', ')}`,
        why: `the run shows k = ${k}`,
        ...(shown !== undefined && { replay: shown.replay }),
      };
    },
  });
}

/** Initiators in sorted order with other nodes between them. */
function arranged(extreme: Extreme): Study {
  const [n, k] = [12, 3];
  const order = extreme === 'worst' ? 'descending' : 'ascending';
  return runStudy(changRoberts, {
    id: `chang-roberts/${extreme}-arrangement`,
    origin: stated(
      extreme === 'worst' ? [KARNAPKE, 'slide 15, lines 241–246'] : [KARNAPKE, 'slide 17, lines 277–280'],
    ),
    says:
      extreme === 'worst'
        ? 'the worst case occurs if the initiators are in descending order and start in ascending order: the i-th largest causes n−(i−1) messages'
        : 'the best case occurs if the initiators are in ascending order and start approximately simultaneously: all but the largest cause one message',
    method: 'one run',
    options: () => ({
      nodes: n,
      order,
      initiators:
        extreme === 'worst'
          ? [0, 4, 8].map((position, index) => ({ position, time: (2 - index) / 10 }))
          : [0, 4, 8],
    }),
    finding: ({ messages: { election } }) => ({
      holds: election === claimed(extreme, n, k),
      measured: `${election} messages of 3 initiators among 12 nodes; ${FORMULAS[extreme]} is ${claimed(extreme, n, k)}`,
    }),
    why: `${extreme === 'worst' ? 'with other nodes between them, the smaller tokens start nearer to the largest initiator, which drops them' : 'a token travels on through the nodes between two initiators'}. The condition lacks that the initiators are neighbours; then it holds, as the next claim shows`,
  });
}

/** Neighbours, for every n and k. */
function adjacent(extreme: Extreme): Study {
  return study({
    id: `chang-roberts/${extreme}-neighbours`,
    origin: follows(
      extreme === 'worst' ? [KARNAPKE, 'slide 15, lines 241–246'] : [KARNAPKE, 'slide 17, lines 277–280'],
    ),
    says: `k neighbouring initiators with ids ${extreme === 'worst' ? 'descending' : 'ascending'} clockwise that start together: ${FORMULAS[extreme]} messages`,
    method: 'exact count',
    measure(experiment) {
      const most = experiment.some(16, 40);
      let [runs, replay] = [0, ''];
      for (let n = 3; n <= most; n++) {
        const ids = extreme === 'worst' ? ascending(n).reverse() : ascending(n);
        for (let k = 1; k <= n; k++) {
          const initiators = ascending(k).map((at) => (extreme === 'worst' ? at - 1 : n - at));
          const run = experiment.run(changRoberts, { ids, initiators });
          const { election } = run.outcome().messages;
          if (election !== claimed(extreme, n, k)) {
            return refutedBy(run, `${election} at n = ${n}, k = ${k}, not ${claimed(extreme, n, k)}`);
          }
          if (n === 8 && k === 3) replay = run.plan.replay;
          runs++;
        }
      }
      return {
        verdict: 'confirmed',
        measured: `holds for all ${formatFigure(runs)} pairs of n up to ${most} and k up to n`,
        replay,
      };
    },
  });
}

/** The same for all sets of positions that are rotations of each other. */
function rotationClass(positions: readonly number[], n: number): string {
  const rotated = ascending(n).map((by) =>
    positions
      .map((position) => (position + by) % n)
      .sort((one, other) => one - other)
      .join(' '),
  );
  return rotated.sort()[0];
}

const exactMean: Study = study({
  id: 'chang-roberts/mean-to-the-digit',
  origin: stated([KARNAPKE, 'slides 18–19, lines 292, 323–325']),
  says: 'the mean over all orders is n·H_k, for every fixed set of k initiators',
  method: 'every order',
  measure(experiment) {
    const n = experiment.some(5, 6);
    // The largest id is at position 0 in all orders, so the set of initiators is rotated instead of the order.
    const classes = new Map<string, { k: number; sum: number; sets: number }>();
    for (const initiators of positionSets(n)) {
      const { mean } = extremesOf(experiment, changRoberts, n, { initiators });
      const key = rotationClass(initiators, n);
      const { sum, sets } = classes.get(key) ?? { sum: 0, sets: 0 };
      classes.set(key, { k: initiators.length, sum: sum + mean, sets: sets + 1 });
    }
    const rows = [...classes].map(([key, { k, sum, sets }]) => [key, n * harmonic(k), sum / sets] as const);
    const equal = rows.filter(([, law, mean]) => Math.abs(law - mean) < 1e-9).length;
    return {
      verdict: verdictOf(equal === rows.length),
      measured: `n = ${n}: equal for ${equal} of ${rows.length} sets of initiators, counting rotations once`,
      table: {
        columns: ['positions', 'n·H_k', 'mean over all orders'],
        rows: rows.map(([key, law, mean]) => [key, law.toFixed(6), mean.toFixed(6)]),
      },
    };
  },
});

export const initiatorStudies: readonly Study[] = [
  ...(['worst', 'best'] as const).flatMap((extreme) => [
    extremeOfSets(extreme),
    arranged(extreme),
    adjacent(extreme),
  ]),
  exactMean,
];
