/** What a candidate does when its work has stopped: it releases, pauses, and campaigns again. */
import { describe, expect, it } from 'vitest';
import type { Output } from '../../../src/lease/core/lease-event.ts';
import { heldBy, ScriptedCandidate } from './scripted-candidate.ts';

const HOUR_MS = 3_600_000;

/** The work returns, and the store confirms the release. */
function endTerm(candidate: ScriptedCandidate): void {
  candidate.step({ type: 'settled' });
  candidate.released();
}

/** Until the next acquire request is sent. */
function untilAcquire(candidate: ScriptedCandidate): number {
  const sinceMs = candidate.monoMs;
  while (!candidate.pass(10).includes('acquire')) expect(candidate.monoMs - sinceMs).toBeLessThan(HOUR_MS);
  return candidate.monoMs - sinceMs;
}

describe('the pause after an own term', () => {
  it('is not shortened by notifications, of its own release or of another', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.step({ type: 'settled' });
    expect(candidate.step({ type: 'notification' })).toEqual([]);
    expect(candidate.released()).toEqual(['ended']);
    expect(candidate.step({ type: 'notification' })).toEqual([]);
    const sinceMs = candidate.monoMs;
    while (candidate.pass(10).length === 0) expect(candidate.step({ type: 'notification' })).toEqual([]);
    expect(candidate.lastCall.type).toBe('acquire');
    expect(candidate.monoMs - sinceMs).toBeGreaterThanOrEqual(1_500);
    expect(candidate.monoMs - sinceMs).toBeLessThanOrEqual(3_010);
  });

  it('is not avoided by a candidate that stops and campaigns again', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.step({ type: 'release', reason: 'released', successor: null, again: false });
    candidate.step({ type: 'settled' });
    expect(candidate.released()).toEqual(['ended', 'stopped']);
    expect(candidate.step({ type: 'campaign' })).toEqual([]);
    expect(untilAcquire(candidate)).toBeGreaterThanOrEqual(1_500);
  });

  it('is a few seconds at most, whatever the ttl, and so is the back-off', () => {
    const candidate = new ScriptedCandidate({}, { ttlMs: HOUR_MS }).elect();
    endTerm(candidate);
    expect(untilAcquire(candidate)).toBeLessThanOrEqual(5_010);
    for (let error = 0; error < 20; error++) {
      candidate.fail('unreachable');
      expect(untilAcquire(candidate)).toBeLessThanOrEqual(5_010);
    }
  });

  it('does not delay a candidate that has only waited', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.refuse(heldBy('bob-1.1'));
    expect(candidate.step({ type: 'notification' })).toEqual(['acquire']);
  });

  it('lasts as long as an operator said, after an eviction', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const { call } = candidate.lastCall;
    const answer = { type: 'evicted', cooldownMs: 60_000 } as const;
    expect(candidate.step({ type: 'renew-answer', call, answer })).toEqual(['stopping']);
    candidate.pass(1_000);
    endTerm(candidate);
    expect(candidate.step({ type: 'notification' })).toEqual([]);
    expect(untilAcquire(candidate)).toBeGreaterThanOrEqual(60_000);
  });

  it('also follows an eviction of which a leader learns while it stops', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.step({ type: 'release', reason: 'released', successor: null, again: true });
    candidate.untilRenewal();
    const { call } = candidate.lastCall;
    candidate.step({ type: 'renew-answer', call, answer: { type: 'evicted', cooldownMs: 60_000 } });
    endTerm(candidate);
    expect(untilAcquire(candidate)).toBeGreaterThanOrEqual(60_000);
  });
});

describe('terms that end by return in quick succession', () => {
  const briefTerms = (candidate: ScriptedCandidate): number | undefined =>
    candidate.outputs.find((output): output is Output & { type: 'ended' } => output.type === 'ended')
      ?.briefTerms;
  const leadAgain = (candidate: ScriptedCandidate): void => {
    untilAcquire(candidate);
    candidate.grant();
  };

  it('are counted, until a term lasts or ends for another reason', () => {
    const candidate = new ScriptedCandidate().elect();
    const counts: (number | undefined)[] = [];
    const note = (): void => {
      counts.push(briefTerms(candidate));
      leadAgain(candidate);
    };
    for (let term = 0; term < 3; term++) {
      endTerm(candidate);
      note();
    }
    candidate.pass(2_000);
    endTerm(candidate);
    note();
    endTerm(candidate);
    note();
    candidate.step({ type: 'release', reason: 'released', successor: null, again: true });
    endTerm(candidate);
    note();
    expect(counts).toEqual([1, 2, 3, 0, 1, 0]);
  });
});

describe('a lease whose work stopped late', () => {
  it('is released by one request, whatever its answer', () => {
    for (const reply of ['ok', 'lost', 'error', 'timeout'] as const) {
      const candidate = new ScriptedCandidate().elect();
      candidate.pass(20_000);
      expect(candidate.step({ type: 'settled' })).toEqual(['release']);
      const types =
        reply === 'error'
          ? candidate.fail('unreachable')
          : reply === 'timeout'
            ? candidate.pass(2_000)
            : candidate.released(reply);
      expect(types.filter((type) => type !== 'store-error')).toEqual(['ended']);
      expect(candidate.pass(1_000)).toEqual([]);
    }
  });

  it('is not released if the store has said that it is lost', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const { call } = candidate.lastCall;
    candidate.step({ type: 'renew-answer', call, answer: { type: 'lost' } });
    candidate.pass(20_000);
    expect(candidate.step({ type: 'settled' })).toEqual(['ended']);
  });
});
