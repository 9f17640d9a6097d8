/**
 * Garcia-Molina 1982, the bully: ids 1..n on a complete network; process n has crashed before time 0.
 *
 * A detector calls an election at time 0: it sends `election` to all greater ids, including the crashed one (a
 * message to it is counted, then lost). A process that receives `election` answers and calls its own election, unless
 * it has done so. A process that has received no answer within the timeout T = 2 becomes the coordinator and
 * announces itself to all smaller ids. Timers are handled after the messages of the same time. Position p has id p +
 * 1.
 *
 * A process that has received an answer waits for the coordinator; in these runs the wait always succeeds and sends
 * nothing. n = 2: only process 1 is alive; it leads at T and sends no announcement, so the last node decides at T,
 * not at T + 1.
 */

import type { Outcome } from '../../reference-outcome.ts';

const TIMEOUT = 2;

function checkDetectors(n: number, detectors: readonly number[]): void {
  if (n < 2) throw new RangeError('process n is dead, so n must be at least 2');
  if (detectors.length === 0) throw new RangeError('at least one process must detect the crash');
  for (const id of detectors) if (id < 1 || id > n - 1) throw new RangeError(`process ${id} cannot detect`);
}

/**
 * The whole outcome in closed form for any set of detectors (ids). Every process from the smallest detector up calls
 * exactly one election, so the counts are those of the smallest detector alone. The set affects only the time:
 * whether n - 1 calls its election at 0 or at 1.
 */
export function bullyClosed(n: number, detectors: readonly number[]): Outcome {
  checkDetectors(n, detectors);
  const i = Math.min(...detectors);
  const election = ((n - i) * (n - i + 1)) / 2;
  const answer = ((n - i) * (n - i - 1)) / 2;
  const coordinator = n - 2;
  const electedAt = detectors.includes(n - 1) ? TIMEOUT : TIMEOUT + 1;
  return {
    leader: n - 2,
    election: election + answer,
    announcement: coordinator,
    byType: { election, answer, coordinator },
    electedAt,
    agreedAt: n === 2 ? electedAt : electedAt + 1,
    announcementReturnedAt: null,
  };
}
