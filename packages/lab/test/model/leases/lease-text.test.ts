import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ProcessCondition } from '../../../src/model/leases/demo-snapshot.ts';
import type { LedElection } from '../../../src/model/leases/lease-snapshot.ts';
import {
  durationText,
  endWords,
  evictEffect,
  killEffect,
  lateByMs,
  shortTokens,
  spanText,
  suggestionOf,
  takeoverText,
  waitingText,
} from '../../../src/model/leases/lease-text.ts';
import { demoWith, electionAt, term } from './election.ts';

describe('the texts of the Leases page', () => {
  test('short tokens are distinct, and in the order of the tokens', () => {
    const tokens = fc.array(fc.bigInt({ min: 1n, max: 2n ** 63n - 1n }), { minLength: 2, maxLength: 12 });
    fc.assert(
      fc.property(tokens, (list) => {
        const sorted = [...new Set(list)].sort((a, b) => (a < b ? -1 : 1)).map(String);
        const short = shortTokens(sorted);
        const values = sorted.map((token) => BigInt(short(token).replace('…', '')));
        expect(values.every((value, at) => at === 0 || values[at - 1] < value)).toBe(true);
      }),
    );
    const short = shortTokens(['1794814704175000', '1794814710332000']);
    expect(short('1794814704175000')).toBe('…04175000');
    expect(shortTokens(['41', '42'])('41')).toBe('41');
    expect(shortTokens(['1794814704175000'])('1794814704175000')).toBe('…175000');
  });

  test('durations have the unit that fits', () => {
    expect([400, 12_240, 59_960, 185_000, 7_800_000, 200_000_000].map(durationText)).toEqual([
      ...['0.4 s', '12.2 s', '1 min 0 s', '3 min 5 s', '2 h 10 min', '2 d 7 h'],
    ]);
    expect([500, 3_000, 60_000, 300_000, 3_600_000].map(spanText)).toEqual([
      ...['0.5 s', '3 s', '60 s', '5 min', '1 h'],
    ]);
  });

  test('the end of a term names the fault that caused it, and no other', () => {
    const { faults } = demoWith(['w1', 'paused', 80], ['w2', 'killed', 70], ['w4', 'blocked', 10]);
    expect(endWords(term(3, 'w1', 70, 85, 'expired'), faults)).toBe('expired, paused');
    expect(endWords(term(3, 'w1', 81, 85, 'expired'), faults)).toBe('expired');
    expect(endWords(term(2, 'w2', 50, 70, 'gone'), faults)).toBe('killed');
    expect(endWords(term(2, 'w3', 50, 70, 'gone'), faults)).toBe('process gone');
    expect(endWords(term(2, 'w4', 5, 70, 'released'), faults)).toBe('released');
    expect(endWords(term(2, 'w4', 5, 70, 'store-unreachable'), faults)).toBe('store unreachable');
    expect(endWords(term(4, 'w3', 90), faults)).toBeNull();
  });

  test('who waits is known of registered candidates alone', () => {
    const demo = demoWith();
    const election = electionAt(100, term(9, 'w3', 90));
    expect(waitingText(election, demo)).toBe('1 waiting, 3 not registered yet.');
    const none = { ...election, candidates: [] };
    expect(waitingText(none, demo)).toBe('Who waits is not known yet: 4 processes have not registered.');
    expect(waitingText(none, null)).toBe('No candidate is registered.');
    const all = ['w1', 'w2', 'w4', 'w5'].map((id) => ({ id, priority: 0 }));
    expect(waitingText({ ...election, candidates: all }, demo)).toBe('4 waiting.');
    const killed = {
      ...demo,
      processes: demo.processes.map((each) => ({ ...each, condition: 'ended' as const })),
    };
    expect(waitingText(none, killed)).toBe('No candidate is registered.');
  });

  test('a takeover is told from the term before', () => {
    const told = (...before: Parameters<typeof term>): string =>
      takeoverText(
        electionAt(100, term(9, 'w3', 90), term(...before)),
        demoWith(['w1', 'paused', 80]).faults,
      );
    expect(told(8, 'w1', 70, 85, 'expired')).toBe(
      'Took over when the lease of w1, which was paused, had expired.',
    );
    expect(told(8, 'w2', 70, 85, 'released')).toBe('Took over when w2 had released the lease.');
    expect(told(8, 'w2', 70, 85, 'suspended')).toMatch(/^w2’s term ended: the process did not run/);
    expect(takeoverText(electionAt(100, term(9, 'w3', 90)), [])).toBe('');
  });

  test('confirmations name how long the successor waits', () => {
    const leader = electionAt(100, term(9, 'w3', 90)).leader as LedElection;
    expect(evictEffect(leader)).toContain(
      'or until the lease ends, up to 2.0 s. w3 stays out of the election for 3 s',
    );
    expect(killEffect('w3', leader)).toContain('waits until the lease ends, up to 2.0 s');
    expect(killEffect('w1', leader)).toBe('w1 gets SIGKILL. It waits in the election and does not lead.');
    expect(evictEffect({ ...leader, remainingMs: null })).toContain('or until the lease ends. w3');
  });

  test('a late write is measured from the end of its term', () => {
    const terms = [term(9, 'w3', 90), term(8, 'w1', 70, 85, 'expired')];
    const write = {
      ...{ index: 1, token: terms[1].token, id: 'w1', entry: 1, atMs: 92_400, newest: terms[0].token },
      outcome: 'late' as const,
    };
    expect(lateByMs(write, terms)).toBe(7_400);
    expect(lateByMs({ ...write, token: terms[0].token }, terms)).toBeNull();
  });

  test('the suggestion leads through the pause, the successor and the late write', () => {
    const election = electionAt(100, term(9, 'w3', 90), term(8, 'w1', 70, 85, 'expired'));
    const leader = election.leader as LedElection;
    const demo = demoWith();
    expect(suggestionOf(demo, leader)).toMatchObject({ id: 'w3', action: 'pause' });
    const pausedAt = (id: string) => ({
      ...demo,
      processes: demo.processes.map((each) =>
        each.id === id ? { ...each, condition: 'paused' as ProcessCondition, token: '8' } : each,
      ),
    });
    expect(suggestionOf(pausedAt('w3'), leader).action).toBeUndefined();
    // The successor has not written yet: the fence would not know its token.
    expect(suggestionOf(pausedAt('w1'), leader).action).toBeUndefined();
    const write = { index: 1, token: leader.token, id: 'w3', entry: 1, atMs: 0, newest: leader.token };
    const ledger = { ...demo.ledger, latest: [{ ...write, outcome: 'written' as const }] };
    expect(suggestionOf({ ...pausedAt('w1'), ledger }, leader)).toMatchObject({ id: 'w1', action: 'resume' });
    expect(suggestionOf(demo, null).action).toBeUndefined();
  });
});
