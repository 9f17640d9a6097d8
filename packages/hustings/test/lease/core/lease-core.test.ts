/** The rules of safety, each in its own words, and checked on a core whose clocks and answers are given. */
import { describe, expect, it } from 'vitest';
import { heldBy, ScriptedCandidate } from './scripted-candidate.ts';

describe('safety rule 1: time counts from before the send, on the clock that leaves less', () => {
  it('a grant whose answer took a second leaves a second less', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.idle(1_000);
    expect(candidate.grant()).toEqual(['elected']);
    expect(candidate.remainingMs).toBe(13_000);
  });

  it('leadership ends after stopAfterMs without a step', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.idle(10_999);
    expect(candidate.isValid).toBe(true);
    candidate.idle(1);
    expect(candidate.isValid).toBe(false);
  });

  it('a machine that slept, with its monotonic clock stopped, does not lead', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.wallMs += 11_000;
    expect(candidate.isValid).toBe(false);
    expect(candidate.step({ type: 'tick' })).toContain('stopping');
    expect(candidate.outputs).toContainEqual({ type: 'stopping', reason: 'suspended', idleMs: 11_000 });
  });

  it('a wall clock that was set back adds nothing', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.wallMs -= 3_600_000;
    candidate.monoMs += 11_000;
    expect(candidate.isValid).toBe(false);
  });

  it('a renewed lease counts from the send of its renewal', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const sentMs = candidate.monoMs;
    candidate.idle(500);
    candidate.renewed();
    expect(candidate.core.remainingMs({ monoMs: sentMs, wallMs: candidate.wallMs })).toBeLessThanOrEqual(
      14_000,
    );
    expect(candidate.remainingMs).toBeGreaterThan(13_000);
    expect(candidate.remainingMs).toBeLessThanOrEqual(13_500);
  });
});

describe('a lease that has run for a while when it is granted', () => {
  const aged = (candidate: ScriptedCandidate, ageMs: number): readonly string[] => {
    const { call, type } = candidate.lastCall;
    return type === 'acquire'
      ? candidate.step({
          ...{ type: 'acquire-answer', call, pushing: false },
          answer: { type: 'ok', token: 1n, checkpoint: null, ageMs },
        })
      : candidate.step({
          ...{ type: 'renew-answer', call },
          answer: { type: 'ok', challenger: null, transferTo: null, ageMs },
        });
  };

  it('ends earlier by as much, from the start and after a renewal', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    expect(aged(candidate, 4_000)).toEqual(['elected']);
    expect(candidate.remainingMs).toBe(10_000);
    candidate.untilRenewal();
    aged(candidate, 1_000);
    expect(candidate.remainingMs).toBe(13_000);
  });

  it('is not extended by a renewal that is no younger: the work is told to stop in time', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const beforeMs = candidate.remainingMs;
    aged(candidate, 14_000 - beforeMs);
    expect(candidate.remainingMs).toBe(beforeMs);
    candidate.untilRenewal();
    aged(candidate, 14_000 - candidate.remainingMs);
    candidate.idle(11_000 - (14_000 - candidate.remainingMs));
    expect(candidate.isValid).toBe(false);
  });
});

describe('safety rule 2: a request without an answer is repeated with the same nonce', () => {
  it('a request without an answer does not elect the candidate', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    expect(candidate.fail('unreachable')).toEqual(['store-error']);
    expect(candidate.isValid).toBe(false);
    candidate.pass(5_000);
    const [first, second] = candidate.calls.map((call) =>
      call.type === 'acquire' ? call.request.nonce : '',
    );
    expect(second).toBe(first);
  });

  it('an answer after the request timeout still counts, from the send of the request', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    const { call } = candidate.lastCall;
    candidate.pass(2_500);
    expect(candidate.grant(1n, call)).toEqual(['elected']);
    expect(candidate.remainingMs).toBe(11_500);
  });

  it('a busy store has not renewed: the candidate asks again soon, and the lease runs on', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    candidate.fail('busy');
    expect(candidate.isValid).toBe(true);
    expect(candidate.pass(600)).toContain('renew');
  });

  it('the next term has a new nonce', () => {
    const candidate = new ScriptedCandidate().elect();
    const { nonce } = candidate.core;
    candidate.idle(20_000);
    candidate.step({ type: 'settled' });
    candidate.released();
    expect(candidate.core.nonce).not.toBe(nonce);
  });
});

describe("safety rule 3: if the store's clock cannot tell, a record must not change for the whole ttl of its holder", () => {
  const challenger = () => new ScriptedCandidate();
  const held = (version: bigint) => heldBy('bob-1.1', { remainingMs: null, version });
  /** The version that the next claim calls stale, if it comes within a second. */
  const nextStale = (candidate: ScriptedCandidate): bigint | null => {
    while (!candidate.pass(100).includes('acquire'));
    const { lastCall } = candidate;
    return lastCall.type === 'acquire' ? lastCall.request.staleVersion : null;
  };

  it('it is acquired a ttl and a fifteenth after it was first observed, not before', () => {
    const candidate = challenger();
    candidate.step({ type: 'campaign' });
    const sinceMs = candidate.monoMs;
    candidate.refuse(held(70n));
    let stale = nextStale(candidate);
    while (stale === null) {
      expect(candidate.monoMs - sinceMs).toBeLessThanOrEqual(17_000);
      candidate.refuse(held(70n));
      stale = nextStale(candidate);
    }
    expect(stale).toBe(70n);
    expect(candidate.monoMs - sinceMs).toBeGreaterThanOrEqual(16_000);
  });

  it('each change restarts the wait', () => {
    const candidate = challenger();
    candidate.step({ type: 'campaign' });
    for (let version = 1n; version < 40n; version++) {
      candidate.refuse(held(version));
      expect(nextStale(candidate)).toBeNull();
    }
  });
});

describe('safety rule 4: a term has one token', () => {
  it('a repeated request with a new token ends the term: in the store the lease had expired', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    while (candidate.calls.length < 2) candidate.pass(100);
    candidate.pass(2_000);
    const [first, second] = candidate.calls;
    expect(candidate.grant(1n, first.call)).toContain('elected');
    expect(candidate.grant(2n, second.call)).toEqual(['stopping']);
    expect(candidate.outputs).toContainEqual({ type: 'stopping', reason: 'expired', idleMs: 0 });
  });

  it('a repeated request with the same token changes nothing', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    while (candidate.calls.length < 2) candidate.pass(100);
    candidate.pass(2_000);
    const [first, second] = candidate.calls;
    expect(candidate.grant(1n, first.call)).toContain('elected');
    expect(candidate.grant(1n, second.call)).toEqual([]);
    expect(candidate.isValid).toBe(true);
  });
});

describe('safety rule 5: a late grant of a lease that has ended is ignored', () => {
  it('a renewal that is answered after stopAfterMs revives nothing', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    candidate.idle(9_000);
    expect(candidate.renewed()).toContain('stopping');
    expect(candidate.isValid).toBe(false);
    expect(candidate.outputs).toContainEqual({
      type: 'stopping',
      reason: 'suspended',
      idleMs: expect.any(Number),
    });
  });

  it('a request that is granted too late is repeated', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    const { call } = candidate.lastCall;
    candidate.idle(11_000);
    const types = candidate.grant(1n, call);
    expect(types).not.toContain('elected');
    expect(candidate.isValid).toBe(false);
  });

  it('an answer to an older renewal never shortens the lease', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const older = candidate.lastCall.call;
    candidate.untilRenewal();
    candidate.renewed();
    const beforeMs = candidate.remainingMs;
    candidate.renewed(older);
    expect(candidate.remainingMs).toBe(beforeMs);
  });

  it('an answer to an earlier attempt is ignored', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const { call } = candidate.lastCall;
    candidate.pass(15_000);
    candidate.step({ type: 'settled' });
    candidate.released();
    expect(candidate.renewed(call)).toEqual([]);
    expect(candidate.core.phase).toBe('waiting');
  });

  it('so is the second grant of its lease, which another candidate may hold by now', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    const { call } = candidate.lastCall;
    while (!candidate.pass(100).includes('acquire'));
    candidate.grant();
    candidate.step({ type: 'settled' });
    candidate.released();
    expect(candidate.grant(1n, call)).toEqual([]);
    expect(candidate.isValid).toBe(false);
  });
});

describe('safety rule 6: the work is told to stop, then killed, and only then is the lease released', () => {
  it('it is told to stop after stopAfterMs, and overdue after killAfterMs', () => {
    const candidate = new ScriptedCandidate().elect();
    expect(candidate.pass(10_999)).not.toContain('stopping');
    expect(candidate.pass(1)).toContain('stopping');
    expect(candidate.pass(2_999)).not.toContain('overdue');
    expect(candidate.pass(1)).toContain('overdue');
    expect(candidate.pass(60_000)).toEqual([]);
    expect(candidate.step({ type: 'settled' })).toEqual(['release']);
  });

  it('the lease is renewed, and not released, while the work runs', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.step({ type: 'release', reason: 'released', successor: null, again: false });
    expect(candidate.outputs.map(({ type }) => type)).toEqual(['stopping']);
    const types = candidate.pass(4_000);
    expect(types).toContain('renew');
    expect(types).not.toContain('release');
    expect(candidate.step({ type: 'settled' })).toContain('release');
  });

  it('work is overdue at once if the store reports the lease as lost', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const { call } = candidate.lastCall;
    const types = candidate.step({ type: 'renew-answer', call, answer: { type: 'lost' } });
    expect(types).toEqual(['stopping', 'overdue']);
    expect(candidate.step({ type: 'settled' })).toEqual(['ended']);
  });

  it('an evicted leader is told to stop, and keeps the rest of its lease', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const { call } = candidate.lastCall;
    const types = candidate.step({ type: 'renew-answer', call, answer: { type: 'evicted', cooldownMs: 0 } });
    expect(types).toEqual(['stopping']);
    expect(candidate.remainingMs).toBeGreaterThan(0);
    expect(candidate.pass(15_000)).not.toContain('renew');
  });
});

describe('a leader that hears of its eviction when it releases', () => {
  it('stays out of the election for the time that the store names', () => {
    const candidate = new ScriptedCandidate().elect();
    expect(candidate.step({ type: 'settled' })).toContain('release');
    const { call } = candidate.lastCall;
    const answer = { type: 'evicted', cooldownMs: 40_000 } as const;
    expect(candidate.step({ type: 'release-answer', call, answer })).toContain('ended');
    expect(candidate.pass(39_000)).not.toContain('acquire');
    expect(candidate.pass(15_000)).toContain('acquire');
  });
});

describe('a leader whose work makes no progress', () => {
  it('is not renewed, and ends with the reason stalled', () => {
    const candidate = new ScriptedCandidate({}, { stallAfterMs: 2_000 }).elect();
    const types = candidate.pass(11_000);
    expect(types).not.toContain('renew');
    expect(candidate.outputs).toContainEqual({ type: 'stopping', reason: 'stalled', idleMs: 0 });
  });

  it('is renewed when it reports progress', () => {
    const candidate = new ScriptedCandidate({}, { stallAfterMs: 2_000 }).elect();
    candidate.pass(8_000);
    expect(candidate.step({ type: 'progress' })).toEqual(['renew']);
  });
});

describe('a leader yields', () => {
  const answered = (candidate: ScriptedCandidate, waitedMs: number, priority: number) =>
    candidate.step({
      type: 'renew-answer',
      call: candidate.lastCall.call,
      answer: { type: 'ok', challenger: { id: 'bob', priority, waitedMs }, transferTo: null },
    });

  it('to a challenger of higher priority, when both have waited and led for yieldAfterMs', () => {
    const candidate = new ScriptedCandidate({}, { yieldAfterMs: 3_000 }).elect();
    candidate.untilRenewal();
    candidate.idle(500);
    expect(answered(candidate, 2_999, 5)).toEqual([]);
    candidate.untilRenewal();
    expect(answered(candidate, 3_000, 0)).toEqual([]);
    candidate.untilRenewal();
    expect(answered(candidate, 3_000, 5)).toEqual(['stopping']);
    candidate.step({ type: 'settled' });
    expect(candidate.lastCall).toMatchObject({
      type: 'release',
      request: { successor: 'bob', reserveMs: 7_000 },
    });
  });

  it('to the candidate that an operator named, at once', () => {
    const candidate = new ScriptedCandidate().elect().untilRenewal();
    const { call } = candidate.lastCall;
    const answer = { type: 'ok', challenger: null, transferTo: 'eve' } as const;
    expect(candidate.step({ type: 'renew-answer', call, answer })).toEqual(['stopping']);
    expect(candidate.outputs).toContainEqual({ type: 'stopping', reason: 'transferred', idleMs: 0 });
  });
});

describe('a candidate that withdraws', () => {
  it('releases a lease that is still granted, and is never elected', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.step({ type: 'release', reason: 'released', successor: null, again: false });
    expect(candidate.grant()).toEqual(['release']);
    const { call } = candidate.lastCall;
    expect(candidate.step({ type: 'release-answer', call, answer: { type: 'ok' } })).toEqual(['stopped']);
    expect(candidate.core.wakeMs).toBeNull();
  });

  it('stops at once while it waits', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.refuse(heldBy('bob-1.1'));
    const wish = { type: 'release', reason: 'released', successor: null, again: false } as const;
    expect(candidate.step(wish)).toEqual(['stopped']);
  });
});

describe('a candidate that was told to stop for good', () => {
  it('does not campaign again, even if its work asks for that', () => {
    const candidate = new ScriptedCandidate().elect();
    candidate.step({ type: 'release', reason: 'released', successor: null, again: false });
    candidate.step({ type: 'release', reason: 'released', successor: null, again: true });
    candidate.step({ type: 'settled' });
    const { call } = candidate.lastCall;
    const answer = { type: 'ok' } as const;
    expect(candidate.step({ type: 'release-answer', call, answer })).toEqual(['ended', 'stopped']);
    expect(candidate.pass(60_000)).toEqual([]);
  });
});

describe('a waiting candidate', () => {
  it('asks at once on a notification', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.refuse(heldBy('bob-1.1'));
    expect(candidate.step({ type: 'notification' })).toEqual(['acquire']);
  });

  it('ends the lease of a holder that is provably gone, and of no other', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.refuse(heldBy('bob-1.1'));
    expect(candidate.step({ type: 'gone', nonce: 'eve-1.1' })).toEqual([]);
    expect(candidate.step({ type: 'gone', nonce: 'bob-1.1' })).toEqual(['acquire']);
    expect(candidate.lastCall).toMatchObject({ request: { goneNonce: 'bob-1.1' } });
  });

  it('repeats its request with a proof that arrived while a request was pending', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    candidate.refuse(heldBy('bob-1.1'));
    while (!candidate.pass(100).includes('acquire'));
    expect(candidate.step({ type: 'gone', nonce: 'bob-1.1' })).toEqual([]);
    expect(candidate.refuse(heldBy('bob-1.1'))).toEqual(['waiting', 'acquire']);
    expect(candidate.lastCall).toMatchObject({ request: { goneNonce: 'bob-1.1' } });
  });
});

describe('the invariants of the core', () => {
  it('are asserted: an answer of another type than its call throws, and the state stays', () => {
    const candidate = new ScriptedCandidate();
    candidate.step({ type: 'campaign' });
    const { call } = candidate.lastCall;
    const answer = { type: 'ok', challenger: null, transferTo: null } as const;
    expect(() => candidate.step({ type: 'renew-answer', call, answer })).toThrow(
      expect.objectContaining({ code: 'HUSTINGS_INVARIANT' }),
    );
    expect(candidate.core.phase).toBe('acquiring');
    expect(candidate.grant()).toContain('elected');
  });
});
