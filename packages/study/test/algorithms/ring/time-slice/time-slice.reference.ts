/**
 * The election in time slices on a synchronous ring of known size: in each unit every node looks at the clock. A node
 * whose slice begins leads, unless it has received an announcement before.
 */

import { at, latest, type Outcome } from '../../reference-outcome.ts';

/** The algorithm, unit by unit; every node starts at 0. */
export function timeSliceLockstep(ids: readonly number[]): Outcome {
  const n = ids.length;
  const knewAt = new Array<number>(n).fill(-1);
  let leader = -1;
  let words = 0;
  let word = -1;
  let announcementReturnedAt = -1;
  for (let now = 0; announcementReturnedAt < 0; now++) {
    if (word === leader && leader >= 0) announcementReturnedAt = now;
    else if (word >= 0) {
      knewAt[word] = now;
      word = (word + 1) % n;
      words++;
    }
    for (let i = 0; i < n; i++) {
      if (at(knewAt, i) >= 0 || at(ids, i) * n !== now) continue;
      if (leader >= 0) throw new Error('two leaders');
      leader = i;
      knewAt[i] = now;
      word = (i + 1) % n;
      words++;
    }
  }
  return {
    leader,
    election: 0,
    announcement: words,
    byType: { elected: words },
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt,
  };
}
