/** Ongaro and Ousterhout 2014, section 5.2: the cost and the course of an election without faults. */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../../src/algorithms/index.ts';
import { InputError } from '../../../../src/kernel/errors.ts';
import type { Setting } from '../../../../src/kernel/params.ts';
import { simulate } from '../../../../src/simulator/simulate.ts';
import { violated } from '../../errors.ts';
import { expectEveryLawHolds, run } from '../../laws.ts';
import { positionSets } from '../../orders.ts';
import { raftLockstep } from './raft.reference.ts';

describe('one candidate, no message lost', () => {
  test('n−1 each of requestPreVote, preVote, requestVote, vote; it leads at 2T+4; according to the reference, n up to 64', () => {
    for (let n = 1; n <= 64; n++) {
      for (const prevote of [true, false]) {
        const heartbeats = 2 + (n % 5);
        const wait = 4 * heartbeats;
        const end = 10 * wait;
        const { messages, time } = run(raft, {
          nodes: n,
          initiators: [n >> 1],
          set: { timeout: wait / 2, spread: 0, heartbeats, prevote },
        });
        const reference = raftLockstep({ n, timeout: wait, heartbeats, prevote, end });
        expect(messages.byType).toEqual(reference.byType);
        expect([time.electedAt, time.agreedAt]).toEqual([reference.electedAt, reference.agreedAt]);
        if (n === 1) continue;
        const asked = prevote ? n - 1 : 0;
        expect(messages.byType).toMatchObject({ requestPreVote: asked, preVote: asked });
        expect(messages.byType).toMatchObject({ requestVote: n - 1, vote: n - 1 });
        expect([messages.election, time.electedAt]).toEqual(
          prevote ? [4 * (n - 1), wait + 4] : [2 * (n - 1), wait + 2],
        );
      }
    }
  });

  test('the same holds for n = 1,000', () => {
    const { messages, time } = run(raft, { nodes: 1000, initiators: [7], set: { spread: 0 } });
    expect([messages.election, time.electedAt, time.agreedAt]).toEqual([4 * 999, 4004, 4005]);
  });

  test('any single initiator in any bounded-delay schedule: 4(n−1) messages', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const n = 1 + (seed % 9);
      const schedule = seed % 2 === 0 ? 'random' : 'random:nofifo';
      const initiators = [seed % n];
      const { leader, messages } = run(raft, { nodes: n, initiators, schedule, seed });
      expect([leader?.position, messages.election]).toEqual([initiators[0], 4 * (n - 1)]);
    }
  });

  test('its election timeout is drawn from 2T to 2T+S: at n = 1,024 it leads at 2T + S/2 + 4 on average', () => {
    const times = Array.from({ length: 40 }, (_, seed) => {
      const set = { timeout: 50, spread: 100 };
      return run(raft, { nodes: 1024, initiators: [0], seed, set, until: 208 }).time.electedAt;
    });
    expectMean(times, 100 + 50 + 4);
  });

  test('T may equal the round trip, for any number of heartbeats: a leader counts the answers of the same instant', () => {
    for (let heartbeats = 2; heartbeats <= 20; heartbeats++) {
      for (const prevote of [true, false]) {
        const set = { heartbeats, prevote, spread: heartbeats % 2 === 0 ? 0 : 5 };
        run(raft, { nodes: 5, initiators: [1], set: { ...set, timeout: 2, spread: 0 } });
        run(raft, { nodes: 29, initiators: [1], seed: heartbeats, set: { ...set, timeout: 2 } });
        for (const schedule of ['random', 'random:nofifo'] as const) {
          run(raft, { nodes: 5, initiators: [1], schedule, seed: heartbeats, set: { ...set, timeout: 6 } });
        }
      }
    }
  });

  test('a single node leads when its election timeout has passed, and sends nothing', () => {
    const { leader, messages, time } = run(raft, { nodes: 1, set: { spread: 0 } });
    expect([leader?.position, messages.total, time.electedAt]).toEqual([0, 0, 20]);
  });

  test('every law applies to at least one run, and holds', () => {
    expectEveryLawHolds(raft, [{ nodes: 5, initiators: [2], set: { spread: 0 } }]);
  });
});

describe('several candidates', () => {
  test('the first to time out leads, at 2T + S/(n+1) + 4 on average: n = 1,024', () => {
    const times = Array.from({ length: 30 }, (_, seed) => {
      return run(raft, { nodes: 1024, seed, until: 4160 }).time.electedAt;
    });
    expectMean(times, 4096 + 4096 / 1025 + 4);
  });

  test('any set of initiators elects one of them, in every schedule: n up to 6', () => {
    for (let n = 1; n <= 6; n++) {
      for (const initiators of positionSets(n)) {
        for (const schedule of ['lockstep', 'random', 'random:nofifo'] as const) {
          const { leader } = run(raft, { nodes: n, initiators, schedule, seed: n });
          expect(initiators).toContain(leader?.position);
        }
      }
    }
  });

  test('"split votes": two candidates get one vote each; random timeouts separate them', () => {
    const set = { timeout: 5, spread: 0, prevote: false };
    expect(() => simulate(raft, { nodes: 2, set })).toThrow(violated('termination'));
    for (let seed = 1; seed <= 50; seed++) run(raft, { nodes: 2, seed, set: { ...set, spread: 10 } });
  });

  test('14 to 20 candidates that often split the vote, on random delays: a leader in every run', () => {
    for (let seed = 1; seed <= 150; seed++) {
      const set = { timeout: 6, spread: 5, prevote: seed % 3 !== 0 };
      const schedule = seed % 2 === 0 ? 'random' : 'random:nofifo';
      run(raft, { nodes: 14 + (seed % 7), schedule, seed, set });
    }
  });
});

describe('invalid options', () => {
  test.each<[Record<string, Setting>, string]>([
    [{ timeout: 0 }, 'timeout of raft must be a whole number from 1 to 1000000'],
    [{ spread: -1 }, 'spread of raft must be a whole number from 0 to 1000000'],
    [{ heartbeats: 1 }, 'heartbeats of raft must be a whole number from 2 to 20'],
    [{ prevote: 'maybe' }, 'prevote of raft must be true or false'],
    [{ log: 1 }, "raft has no parameter 'log'"],
  ])('%o are refused', (set, text) => {
    const attempt = () => simulate(raft, { nodes: 3, set });
    expect(attempt).toThrow(InputError);
    expect(attempt).toThrow(text);
  });
});

function expectMean(times: readonly (number | null)[], mean: number): void {
  const all = times.map(Number);
  const average = all.reduce((sum, time) => sum + time, 0) / all.length;
  const variance = all.reduce((sum, time) => sum + (time - average) ** 2, 0) / (all.length - 1);
  expect(Math.abs(average - mean)).toBeLessThan(3 * Math.sqrt(variance / all.length));
}
