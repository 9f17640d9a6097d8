/**
 * Every schedule of small instances. Terms and rounds are unbounded, so a search has bounds; states beyond them are
 * checked but not expanded. Without bounded delay a message may stay in flight forever, which is equivalent to a
 * loss: so these searches cover loss too.
 */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../../src/algorithms/index.ts';
import { type CheckOptions, type CheckResult, check } from '../../../../src/checker/index.ts';
import type { AnyAlgorithm, NetworkMoment, NodeChange } from '../../../../src/kernel/index.ts';
import { planted } from '../../../verification/mutant-source.ts';
import { ascending } from '../../orders.ts';

const PLAIN = { timeout: 2, spread: 0, heartbeats: 2, prevote: false, checkQuorum: false, lease: false };
const ALL = { ...PLAIN, prevote: true, checkQuorum: true, lease: true };
const ONE_RECOVERY = { crashes: 1, recoveries: 1 };

function search(algorithm: AnyAlgorithm, options: CheckOptions): CheckResult {
  const result = check(algorithm, { ...options, reduce: 'none' });
  // Only states beyond the bound were not explored.
  expect(result.stopped).toBeNull();
  return result;
}

function expectSafe(algorithm: AnyAlgorithm, options: CheckOptions): void {
  const { instances, exact, states, violations } = search(algorithm, options);
  expect(violations).toEqual([]);
  expect([instances.searched, exact]).toEqual([instances.all, true]);
  expect(states).toBeGreaterThan(10_000);
}

describe('under any behaviour of the network and the clocks', () => {
  test('three nodes, one of which recovers: one leader per term and all invariants, in every state', () => {
    expectSafe(raft, { ids: ascending(3), set: PLAIN, bound: { term: 1, round: 1 }, ...ONE_RECOVERY });
  });

  test('two nodes, with pre-vote, check quorum and lease, through two terms', () => {
    expectSafe(raft, { ids: ascending(2), set: ALL, bound: { term: 2, round: 2 } });
  });

  test('two nodes, one of which recovers, with check quorum and lease, through two terms', () => {
    const set = { ...ALL, prevote: false };
    expectSafe(raft, { ids: ascending(2), set, bound: { term: 2, round: 2 }, ...ONE_RECOVERY });
  });

  test('four nodes, two of which start an election', () => {
    expectSafe(raft, { ids: ascending(4), initiators: [0, 1], set: PLAIN, bound: { term: 1, round: 1 } });
  });
});

describe('with clocks of equal rate', () => {
  /** The same handlers in a model in which timers are exact and messages have bounded delay or are lost. */
  const boundedDelay = {
    ...raft,
    assumes: { ...raft.assumes, timing: 'bounded-delay' },
    invariants: {
      ...raft.invariants,
      network: {
        'one-leads': {
          statement: 'At most one node leads, in whatever term',
          holds: ({ nodes }: NetworkMoment) =>
            nodes.filter(({ state }) => state.role === 'leader').length <= 1,
        },
      },
    },
  } as unknown as AnyAlgorithm;
  const two: CheckOptions = { ids: ascending(3), initiators: [0, 1], bound: { term: 2, round: 5 } };

  test('lease: no two nodes lead at the same time, whatever is lost', () => {
    expectSafe(boundedDelay, { ...two, set: ALL, losses: 3 });
  });

  test('no two nodes lead at the same time if a node crashes and recovers', () => {
    expectSafe(boundedDelay, { ...two, set: ALL, ...ONE_RECOVERY });
    expectSafe(boundedDelay, {
      ...two,
      set: { ...ALL, prevote: false },
      starts: 'together',
      ...ONE_RECOVERY,
      losses: 2,
    });
  });

  test('no two nodes lead at the same time if messages take up to the timeout', () => {
    expectSafe(boundedDelay, { ...two, set: { ...ALL, prevote: false }, delay: 2, despite: ['timing'] });
  });

  describe('a leader that a majority hears', () => {
    const set = { ...ALL, timeout: 3, heartbeats: 3 };
    const where: CheckOptions = { ids: ascending(3), initiators: [0], set, bound: { term: 2, round: 8 } };
    /** Acknowledgements of two rounds count, so a leader without a majority has lost four messages. */
    const fewLosses = { ...where, losses: 3 };
    const staying = (algorithm: AnyAlgorithm): AnyAlgorithm => ({
      ...algorithm,
      assumes: boundedDelay.assumes,
      invariants: {
        node: {
          'leader-stays': {
            statement: 'A leader does not step down',
            holds: ({ before, state }: NodeChange) => before.role !== 'leader' || state.role === 'leader',
          },
        },
      },
    });

    test('stays the leader, whichever three messages are lost', () => {
      expectSafe(staying(raft), fewLosses);
    });

    test('but not if a leader does not count as hearing from itself', async () => {
      const hesitant = await planted(raft, ["state.promised || state.role === 'leader'", 'state.promised']);
      const { violations } = search(staying(hesitant), fewLosses);
      expect(violations.map(({ property }) => property)).toEqual(['leader-stays']);
    });
  });

  test('without the lease two nodes lead at the same time, in different terms', () => {
    const { violations } = search(boundedDelay, {
      ...two,
      set: { ...ALL, prevote: false, lease: false },
      losses: 3,
    });
    expect(violations.map(({ property }) => property)).toEqual(['one-leads']);
  });

  test('a recovered node does not vote for 2T: otherwise two nodes would lead at the same time', () => {
    const rash = {
      ...boundedDelay,
      onRestart: (_: unknown, ctx: { setTimer(name: string, units: number): void }) => {
        ctx.setTimer('election', 2 * ALL.timeout);
      },
    } as unknown as AnyAlgorithm;
    const set = { ...ALL, prevote: false };
    const where: CheckOptions = { ...two, set, starts: 'together', ...ONE_RECOVERY, losses: 2 };
    expect(search(rash, where).violations.map(({ property }) => property)).toEqual(['one-leads']);
  });
});
