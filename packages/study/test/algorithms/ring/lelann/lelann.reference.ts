/**
 * Le Lann 1977 on a unidirectional FIFO ring: the token of every initiator travels the whole ring, and every
 * initiator records the ids that pass. When its own token returns it knows all initiators; the largest sends the
 * announcement.
 *
 * An initiator that lost decides when its token returns, before the announcement arrives; a node that did not
 * initiate decides by the announcement. A ring of one sends its token to itself: E = 1, A = 1.
 */

import { at, initiatorFlags, latest, type Outcome } from '../../reference-outcome.ts';

/** The algorithm in lockstep, message by message; all initiators start at 0. */
export function leLannLockstep(ids: readonly number[], initiators?: readonly number[]): Outcome {
  const n = ids.length;
  const initiates = initiatorFlags(n, initiators);
  const seen = ids.map((id) => new Set([id]));
  const knewAt = new Array<number>(n).fill(-1);
  let tokens = 0;
  let words = 0;
  let leader = -1;
  let announcementReturnedAt = -1;
  /**
   * The messages on the link into each position, oldest first: at most one token and one announcement at a time.
   */
  let tokenAt = new Array<number>(n).fill(-1);
  let wordAt = -1;
  for (let i = 0; i < n; i++) {
    if (at(initiates, i) === 0) continue;
    tokenAt[(i + 1) % n] = at(ids, i);
    tokens++;
  }
  for (let now = 1; tokenAt.some((id) => id >= 0) || wordAt >= 0; now++) {
    const arriving = tokenAt;
    const word = wordAt;
    tokenAt = new Array<number>(n).fill(-1);
    wordAt = -1;
    for (let i = 0; i < n; i++) {
      const id = at(arriving, i);
      if (id < 0) continue;
      if (id !== at(ids, i)) {
        at(seen, i).add(id);
        tokenAt[(i + 1) % n] = id;
        tokens++;
        continue;
      }
      knewAt[i] = now;
      if (Math.max(...at(seen, i)) !== id) continue;
      if (leader >= 0) throw new Error('two leaders');
      leader = i;
      wordAt = (i + 1) % n;
      words++;
    }
    if (word < 0) continue;
    if (word === leader) {
      announcementReturnedAt = now;
      continue;
    }
    if (at(knewAt, word) < 0) knewAt[word] = now;
    wordAt = (word + 1) % n;
    words++;
  }
  return {
    leader,
    election: tokens,
    announcement: words,
    byType: { token: tokens, elected: words },
    electedAt: at(knewAt, leader),
    agreedAt: latest(knewAt),
    announcementReturnedAt,
  };
}
