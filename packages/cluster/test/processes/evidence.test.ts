/** The checks of a fault run see what they are for, and nothing else. */
import { expect, test } from 'vitest';
import { type LeadSample, ledAtOnce, ledIn, secondVotes, sharedTokens } from './evidence.ts';
import { FAULT_KINDS, faultPlan } from './fault.ts';

const said = (id: number, token: number, sentMs: number, receivedMs: number): LeadSample => ({
  id,
  token,
  sentMs,
  receivedMs,
});

test('answers whose times only overlap prove nothing: one may have stopped to lead before the other began', () => {
  expect(ledAtOnce([said(3, 1, 0, 10), said(3, 1, 20, 30), said(8, 2, 25, 40), said(8, 2, 50, 60)])).toEqual(
    [],
  );
});

test('an answer within the time in which another member certainly led proves two leaders', () => {
  const samples = [said(3, 1, 0, 10), said(8, 2, 12, 18), said(3, 1, 20, 30)];
  expect(ledAtOnce(samples)).toEqual(['member 3 with token 1 and member 8 with token 2 led at once']);
});

test('a leader that was stopped and says at once after SIGCONT that it still leads is found', () => {
  const samples = [said(3, 1, 0, 10), said(8, 2, 500, 510), said(8, 2, 800, 810), said(3, 1, 900, 905)];
  expect(ledAtOnce(samples)).toHaveLength(1);
});

test('a token of two members, and a leader of a minority, are found', () => {
  expect(sharedTokens([said(3, 1, 0, 1), said(8, 1, 9, 10)])).toEqual(['members 3 and 8 led with token 1']);
  expect(sharedTokens([said(3, 1, 0, 1), said(8, 2, 9, 10)])).toEqual([]);
  expect(ledIn([3, 8], 100, 200, [said(3, 1, 99, 101), said(12, 2, 150, 151)])).toEqual([]);
  expect(ledIn([3, 8], 100, 200, [said(3, 1, 120, 121)])).toEqual([
    'member 3 led with token 1 in a minority',
  ]);
});

test('a second vote in a term is found, also for itself, and across a restart', () => {
  const step = (count: number, message: string, to: number): string =>
    JSON.stringify({ type: 'step', clock: { 3: count }, sent: [{ to, message, key: `3.${count}.1` }] });
  const begin = '{"type":"begin"}';
  const vote = (term: number): string => `vote term=${term} round=1 granted=true`;
  expect(
    secondVotes([step(1, vote(1), 8), begin, step(1, vote(1), 8), step(2, vote(2), 12)].join('\n')),
  ).toEqual([]);
  expect(secondVotes([step(1, vote(1), 8), begin, step(1, vote(1), 12)].join('\n'))).toEqual([
    'member 3 voted for 8 and, in its step 1, for 12 in term 1',
  ]);
  const candidacy = step(2, 'requestVote term=4 round=2', 12);
  expect(secondVotes([candidacy, step(3, vote(4), 8)].join('\n'))).toHaveLength(1);
  expect(secondVotes([step(1, vote(4).replace('true', 'false'), 8), candidacy].join('\n'))).toEqual([]);
});

test('a plan of as many faults as there are kinds has each kind once', () => {
  const plan = faultPlan(7, FAULT_KINDS.length);
  expect(plan.toSorted()).toEqual(FAULT_KINDS.toSorted());
  expect(faultPlan(7, 3, 3)).toEqual(plan.slice(3, 6));
});
