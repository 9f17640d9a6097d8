/**
 * Hirschberg and Sinclair, Communications of the ACM 23(11), 1980; the slides are those of Karnapke, Election
 * Algorithms, 2015/16.
 */
import { describe, expect, test } from 'vitest';
import { hirschbergSinclair } from '../../../../src/algorithms/index.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { halving, shuffled } from '../../orders.ts';
import {
  everyInitiatorSet,
  everyOrder,
  everySize,
  expectAsReference,
  expectElectionAsReference,
  expectToWithstandAdversaries,
  largeRings,
  MAX_ORDERED,
  MAX_SUBSETS,
  seededRings,
} from '../ring-runs.ts';
import { hirschbergSinclairBound, hirschbergSinclairClosed } from './hirschberg-sinclair.reference.ts';

describe('Hirschberg–Sinclair in lockstep', () => {
  test(`matches the sum over candidates and phases in leader, counts and times, for all orders up to n = ${MAX_ORDERED}`, () => {
    expectAsReference(hirschbergSinclair, hirschbergSinclairClosed, everyOrder(MAX_ORDERED));
  });

  test(`non-initiators forward and reply but are never candidates: all initiator sets up to n = ${MAX_SUBSETS}`, () => {
    expectAsReference(hirschbergSinclair, hirschbergSinclairClosed, everyInitiatorSet(MAX_SUBSETS));
  });

  test('agrees with its reference for every n from 1 to 64, and at 1,000 and 4,096', () => {
    expectAsReference(hirschbergSinclair, hirschbergSinclairClosed, everySize());
    expectAsReference(hirschbergSinclair, hirschbergSinclairClosed, largeRings());
  });

  test('a ring of one sends both probes to itself, leads at the first and discards the second', () => {
    const { messages, time } = run(hirschbergSinclair, { nodes: 1 });
    expect(messages.byType).toEqual({ probe: 2, reply: 0, veto: 0, elected: 1 });
    expect([time.electedAt, time.announcementReturnedAt]).toEqual([1, 2]);
  });
});

describe('the cost of Hirschberg–Sinclair (slides 23 and 24)', () => {
  test('every law applies to at least one run, and holds', () => {
    const runs = [1, 2, 3, 4, 5, 7, 8, 9, 64, 65, 1000].flatMap((nodes) => [
      { nodes, order: 'ascending' as const },
      { nodes, order: 'descending' as const },
      { nodes, initiators: [nodes - 1] },
      { nodes, initiators: [{ position: 0, time: 7 }], schedule: 'random' as const },
    ]);
    expectEveryLawHolds(hirschbergSinclair, runs);
  });

  test('returned at 4n−2 on 2^j nodes, at 6n−6 on 2^j+1 (slide 24)', () => {
    for (let j = 1; j <= 12; j++) {
      const n = 2 ** j;
      expect(run(hirschbergSinclair, { nodes: n }).time.announcementReturnedAt).toBe(4 * n - 2);
      expect(run(hirschbergSinclair, { nodes: n + 1 }).time.announcementReturnedAt).toBe(6 * (n + 1) - 6);
    }
  });

  test('8n + 8n⌈log2 n⌉ holds with a wide margin: the halving order needs less than half of it', () => {
    for (let j = 3; j <= 12; j++) {
      const { election } = run(hirschbergSinclair, { ids: halving(j) }).messages;
      expect(election).toBeLessThan(hirschbergSinclairBound(2 ** j) / 2);
    }
  });
});

describe('Hirschberg–Sinclair under any schedule', () => {
  test('one leader known to all and the message counts of lockstep, with random delays and late starts', () => {
    for (const { seed, ...ring } of seededRings(800)) {
      const options = { schedule: 'random', seed } as const;
      expectElectionAsReference(hirschbergSinclair, hirschbergSinclairClosed, ring, options);
    }
  });

  test('it does not need FIFO: leader and counts are the same without it', () => {
    for (const { seed, ...ring } of seededRings(800)) {
      const options = { schedule: 'random:nofifo', seed } as const;
      expectElectionAsReference(hirschbergSinclair, hirschbergSinclairClosed, ring, options);
    }
  });

  test('an adversary that chooses every delivery changes neither the leader nor the counts, with or without FIFO', () => {
    const claims = [hirschbergSinclair, hirschbergSinclairClosed] as const;
    expectToWithstandAdversaries(...claims, { fifo: true, runs: 1500, seed: 1980 });
    expectToWithstandAdversaries(...claims, { fifo: false, runs: 1500, seed: 1981 });
  });

  test('the second probe of the leader may return long after the announcement: it is discarded', () => {
    for (const n of [1, 2, 3, 4, 5, 8]) {
      const ids = shuffled(n, n);
      const winner = ids.indexOf(n);
      // No counterclockwise message moves from the leader while any other can.
      const pick = (choices: readonly { from: number; port: number }[]) =>
        Math.max(
          0,
          choices.findIndex(({ from, port }) => from !== winner || port !== 1),
        );
      let elected = false;
      let ownProbesAfter = 0;
      run(hirschbergSinclair, {
        ids,
        initiators: [winner],
        schedule: { pick },
        observe: (event) => {
          if (event.type === 'decide' && event.role === 'leader') elected = true;
          if (event.type !== 'deliver' || event.node !== winner || !elected) return;
          if (event.message.type === 'probe') ownProbesAfter++;
        },
      });
      expect(ownProbesAfter).toBe(1);
    }
  });
});
