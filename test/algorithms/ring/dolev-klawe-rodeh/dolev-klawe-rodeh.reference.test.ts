/** Compares the closed form of the reference with its simulation and with the published formulas. */
import { describe, expect, test } from 'vitest';
import { ascending, descending, halving } from '../../orders.ts';
import { clockwise } from '../../reference-outcome.ts';
import { petersonClosed } from '../peterson/peterson.reference.ts';
import { expectSame, extremes, ringCases } from '../reference-cases.ts';
import {
  dolevKlaweRodehBound,
  dolevKlaweRodehClosed,
  dolevKlaweRodehLockstep,
} from './dolev-klawe-rodeh.reference.ts';

describe('Dolev-Klawe-Rodeh (1982, in the form of the Promela model)', () => {
  test('the sum over phases and the simulation agree on counts, times, leader and the first node to decide', () => {
    expectSame(dolevKlaweRodehClosed, dolevKlaweRodehLockstep);
  });

  test('E = n(2r + 1), where r is the number of phases with two or more active nodes: n(r + 1) one, n * r two; A = n', () => {
    for (const { ids, initiators } of ringCases()) {
      const n = ids.length;
      const run = dolevKlaweRodehLockstep(ids, initiators);
      const r = run.contested;
      const seen = [run.election, run.byType.one, run.byType.two, run.announcement];
      const law = [n * (2 * r + 1), n * (r + 1), n * r, n];
      if (seen.join() !== law.join())
        expect({ ids, initiators, seen }).toEqual({ ids, initiators, seen: law });
      if (run.election > dolevKlaweRodehBound(n, initiators.length)) expect({ ids, initiators }).toBeNull();
    }
  });

  test('the bound 2n * floor(log2 n) + n is reached at every n up to 8, and 3n is the minimum for n >= 2', () => {
    for (let n = 1; n <= 8; n++) {
      const least = n === 1 ? 1 : 3 * n;
      expect(extremes(dolevKlaweRodehClosed, n)).toEqual({ least, most: dolevKlaweRodehBound(n) });
    }
  });

  test('the halving order reaches the bound at every n = 2^j, returned at 4n - 2', () => {
    for (let j = 0; j <= 10; j++) {
      const n = 2 ** j;
      const run = dolevKlaweRodehLockstep(halving(j));
      expect([run.election, run.announcementReturnedAt]).toEqual([dolevKlaweRodehBound(n), 4 * n - 2]);
    }
  });

  test('sorted ids: E = 3n, the node after the leader decides at n + 2, the leader last, at 2n + 1', () => {
    for (const n of [2, 3, 4, 5, 8, 33, 64, 1000]) {
      for (const ids of [ascending(n), descending(n)]) {
        const run = dolevKlaweRodehLockstep(ids);
        expect(run.election).toBe(3 * n);
        expect(clockwise(n, run.leader, run.knower)).toBe(1);
        expect([run.knows, run.electedAt, run.agreedAt, run.announcementReturnedAt]).toEqual([
          n + 2,
          2 * n + 1,
          2 * n + 1,
          2 * n + 2,
        ]);
      }
    }
  });

  test('the first node to decide is never the leader, unless it is the only initiator; then E = n', () => {
    for (const { ids, initiators } of ringCases()) {
      const run = dolevKlaweRodehLockstep(ids, initiators);
      if ((run.knower === run.leader) !== (initiators.length === 1)) expect({ ids, initiators }).toBeNull();
      if (initiators.length === 1 && run.election !== ids.length) expect({ ids, initiators }).toBeNull();
    }
  });

  test('it has the phases of Peterson and elects the same node', () => {
    for (const { ids, initiators } of ringCases()) {
      const run = dolevKlaweRodehClosed(ids, initiators);
      const peterson = petersonClosed(ids, initiators);
      if (run.leader !== peterson.leader || run.contested !== peterson.contested) {
        expect({ ids, initiators }).toBeNull();
      }
    }
  });

  test('on the ids used by model checkers, ((N + 2 - p) mod N) + 1, E = 3N and A = N', () => {
    for (const n of [3, 8, 12]) {
      const ids = ascending(n).map((_, p) => ((n + 2 - p) % n) + 1);
      const run = dolevKlaweRodehLockstep(ids);
      expect([run.leader, run.election, run.announcement]).toEqual([ids.indexOf(n), 3 * n, n]);
    }
  });
});
