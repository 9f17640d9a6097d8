/**
 * Every schedule of small instances. Terms and rounds have no end, so that a search has bounds; states that pass them are
 * looked at and not gone on from. Where nothing is known of time a message may stay under way for ever, which is as good
 * as lost: so these searches speak of loss, too.
 */
import { describe, expect, test } from 'vitest';
import { raft } from '../../../../src/algorithms/index.ts';
import { type CheckOptions, type CheckResult, check } from '../../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../../src/kernel/algorithm.ts';
import { id } from '../../../../src/kernel/index.ts';
import { ascending } from '../../orders.ts';

const PLAIN = { timeout: 2, spread: 0, heartbeats: 2, prevote: false, checkQuorum: false, lease: false };
const ALL = { ...PLAIN, prevote: true, checkQuorum: true, lease: true };
const ONE_COMES_BACK = { crashes: 1, recoveries: 1 };

/** What every node is in, as far as the properties here ask; position p has id p + 1. */
interface Node {
  readonly term: number;
  readonly votedFor: number;
  readonly role: string;
  readonly yes: readonly number[];
}

/** Who counts a vote can still find it where it came from, unless the voter is in a later term. */
function votesStand(all: readonly Node[]): boolean {
  return all.every(({ role, term, yes }, at) => {
    if (role !== 'candidate' && role !== 'leader') return true;
    return yes.every((round, port) => {
      const voter = all[port < at ? port : port + 1];
      return round === 0 || voter.term > term || (voter.term === term && voter.votedFor === at + 1);
    });
  });
}

function search(algorithm: AnyAlgorithm, options: CheckOptions): CheckResult {
  const result = check(algorithm, { ...options, reduce: 'none' });
  // Nothing was left out but what lies beyond the bounds.
  expect(result.stopped).toBeNull();
  return result;
}

function expectSafe(algorithm: AnyAlgorithm, options: CheckOptions): void {
  const { instances, exact, states, violations } = search(algorithm, options);
  expect(violations).toEqual([]);
  expect([instances.searched, exact]).toEqual([instances.all, true]);
  expect(states).toBeGreaterThan(10_000);
}

describe('whatever the network and the clocks do', () => {
  const guarded = { ...raft, invariants: { 'votes stand': votesStand } } as unknown as AnyAlgorithm;

  test('three nodes, one of which comes back: one leader a term, in every state', () => {
    expectSafe(raft, { ids: ascending(3), set: PLAIN, bound: { term: 1, round: 1 }, ...ONE_COMES_BACK });
  });

  test('and no node votes twice in a term, also across its restart', () => {
    expectSafe(guarded, { ids: ascending(3), set: PLAIN, bound: { term: 1, round: 1 }, ...ONE_COMES_BACK });
  });

  test('a vote that is not on disk does not stand', () => {
    const forgetful = { ...guarded, state: { ...guarded.state, votedFor: id() } };
    const bound = { term: 1, round: 1 };
    const { violations } = search(forgetful, { ids: ascending(3), set: PLAIN, bound, ...ONE_COMES_BACK });
    expect(violations.map(({ property }) => property)).toEqual(['votes stand']);
  });

  test('two nodes, with pre-vote, check-quorum and lease, through two terms', () => {
    expectSafe(guarded, { ids: ascending(2), set: ALL, bound: { term: 2, round: 2 } });
  });

  test('two nodes, one of which comes back, with check-quorum and lease, through two terms', () => {
    const set = { ...ALL, prevote: false };
    expectSafe(raft, { ids: ascending(2), set, bound: { term: 2, round: 2 }, ...ONE_COMES_BACK });
  });

  test('four nodes, of which two want to lead', () => {
    expectSafe(raft, { ids: ascending(4), initiators: [0, 1], set: PLAIN, bound: { term: 1, round: 1 } });
  });
});

describe('where clocks run equally fast', () => {
  /** The same handlers in a model in which timers keep their time, and messages theirs or are lost. */
  const boundedDelay = {
    ...raft,
    assumes: { ...raft.assumes, timing: 'bounded-delay' },
    invariants: {
      'one leads': (all: readonly Node[]) => all.filter(({ role }) => role === 'leader').length <= 1,
    },
  } as unknown as AnyAlgorithm;
  const two: CheckOptions = { ids: ascending(3), initiators: [0, 1], bound: { term: 2, round: 5 } };

  test('the lease: at no moment do two lead, whatever is lost', () => {
    expectSafe(boundedDelay, { ...two, set: ALL, losses: 3 });
  });

  test('nor if a node crashes and comes back', () => {
    expectSafe(boundedDelay, { ...two, set: ALL, ...ONE_COMES_BACK });
    expectSafe(boundedDelay, {
      ...two,
      set: { ...ALL, prevote: false },
      starts: 'together',
      ...ONE_COMES_BACK,
      losses: 2,
    });
  });

  test('nor if messages take up to the time-out', () => {
    expectSafe(boundedDelay, { ...two, set: { ...ALL, prevote: false }, delay: 2, despite: ['timing'] });
  });

  test('without the lease two lead, each a term of its own', () => {
    const { violations } = search(boundedDelay, {
      ...two,
      set: { ...ALL, prevote: false, lease: false },
      losses: 3,
    });
    expect(violations.map(({ property }) => property)).toEqual(['one leads']);
  });

  test('who was down waits: if it voted at once, two would lead', () => {
    const rash = {
      ...boundedDelay,
      onRestart: (_: unknown, ctx: { setTimer(name: string, units: number): void }) => {
        ctx.setTimer('election', 2 * ALL.timeout);
      },
    } as unknown as AnyAlgorithm;
    const set = { ...ALL, prevote: false };
    const where: CheckOptions = { ...two, set, starts: 'together', ...ONE_COMES_BACK, losses: 2 };
    expect(search(rash, where).violations.map(({ property }) => property)).toEqual(['one leads']);
  });
});
