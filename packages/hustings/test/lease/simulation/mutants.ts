/**
 * Mutants of the candidate and of its store, each with one fault that real systems have had. The simulation must catch every
 * mutant by a named invariant, and must find no violation in the correct code.
 */
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import * as row from '../../../src/lease/core/lease-row.ts';
import * as queue from '../../../src/lease/core/queue.ts';
import * as wrong from '../wrong-cores.ts';
import {
  anybodyReleases,
  anyVersionIsStale,
  goneIsAnybody,
  ignoresStale,
  renewalRevives,
  sameTokenAgain,
} from '../wrong-rules.ts';
import { type Mutant, RIGHT } from './mutant.ts';

type Core = new (options: CandidateOptions) => LeaseCore;

function core(name: string, caughtBy: Mutant['caughtBy'], Twin: Core): Mutant {
  return { ...RIGHT, name, caughtBy, core: (options) => new Twin(options) };
}

function store(name: string, caughtBy: Mutant['caughtBy'], rules: Partial<Mutant['rules']>): Mutant {
  return { ...RIGHT, name, caughtBy, rules: { ...RIGHT.rules, ...rules } };
}

/** Assumes that a request without an answer was granted. */
class TakesAmbiguousForGranted extends LeaseCore {
  #latest = 0n;

  override step(input: Input, now: ClockReading): readonly Output[] {
    const { current } = this.state.phase;
    if (input.type === 'acquire-answer' && input.answer.type === 'held') {
      this.#latest = input.answer.record.token;
    }
    if (input.type === 'store-error' && current?.call === input.call && current.type === 'acquire') {
      const { call } = input;
      return super.step(
        {
          ...{ type: 'acquire-answer', call, pushing: false },
          answer: { type: 'ok', token: this.#latest + 1n, checkpoint: null },
        },
        now,
      );
    }
    return super.step(input, now);
  }
}

class SaysLostWhenNeverElected extends LeaseCore {
  override step(input: Input, now: ClockReading): readonly Output[] {
    const outputs = super.step(input, now);
    if (this.phase !== 'waiting' || !outputs.some(({ type }) => type === 'store-error')) return outputs;
    return [...outputs, { type: 'stopping', reason: 'store-unreachable', idleMs: 0 }];
  }
}

/** Handles an answer before it checks the clock. */
class TakesLateOk extends LeaseCore {
  override step(input: Input, now: ClockReading): readonly Output[] {
    if (input.type !== 'renew-answer' || this.phase !== 'leading') return super.step(input, now);
    const outputs = super.step(input, this.state.memory.last);
    return [...outputs, ...super.step({ type: 'tick' }, now)];
  }
}

class KeepsNonce extends LeaseCore {
  override nonceOf(): string {
    return `${this.options.identity}.1`;
  }
}

const SET_BACK: Mutant['within'] = {
  faults: ['crash', 'no-restart', 'store-clock-back'],
  storeHasClock: true,
};

export const MUTANTS: readonly Mutant[] = [
  core('the ttl counts from the answer', ['deadline'], wrong.countsFromReply(LeaseCore)),
  core('leadership is cached', ['deadline'], wrong.cachesLeadership(LeaseCore)),
  core('only the wall clock is used', ['deadline'], wrong.trustsWallClock(LeaseCore)),
  core('only the monotonic clock is used', ['deadline'], wrong.trustsMonotonicClock(LeaseCore)),
  core('a challenger waits for its own ttl', ['one lease'], wrong.waitsForOwnTtl(LeaseCore)),
  core(
    'the lease is released before the work is dead',
    ['work first'],
    wrong.releasesBeforeWorkIsDead(LeaseCore),
  ),
  core('overdue work is not reported', ['deadline'], wrong.neverSaysOverdue(LeaseCore)),
  core('a missing answer is treated as a grant', ['granted', 'deadline'], TakesAmbiguousForGranted),
  core('loss is reported when there was no election', ['order'], SaysLostWhenNeverElected),
  core('a late ok revives a term', ['deadline'], TakesLateOk),
  {
    ...core(
      'an answer to an earlier attempt is accepted',
      ['granted', 'rising tokens', 'deadline'],
      wrong.awaitsEarlierAttempt(LeaseCore),
    ),
    within: { faults: ['slow-store', 'release', 'short-work', 'reorder'] },
  },
  core('the next attempt keeps its nonce', ['rising tokens'], KeepsNonce),
  store('anybody may release', ['owner only'], { release: anybodyReleases }),
  store('a renewal revives an expired lease', ['no revival'], { renew: renewalRevives }),
  store('the same candidate gets the same token again', ['rising tokens', 'no revival'], {
    acquire: sameTokenAgain,
  }),
  store('the successor is ignored', ['successor'], {
    acquire: (before, claim, ...rest) => {
      const isFree = before.holder === null && before.durationMs > 0 && before.successor !== null;
      const ignored = { ...before, successor: isFree ? claim.id : before.successor };
      return row.acquire(ignored, claim, ...rest);
    },
  }),
  store('an evicted lease is renewed', ['no revival'], {
    renew: (before, renewal, nowMs, hasClock) =>
      row.renew(
        { ...before, holder: before.holder && { ...before.holder, evicted: false } },
        renewal,
        nowMs,
        hasClock,
      ),
  }),
  store('a proof that one holder is gone ends the lease of another', ['one lease'], {
    acquire: goneIsAnybody,
  }),
  store('a challenger is forgotten', ['priority'], {
    acquire: (before, claim, ...rest) => {
      const applied = row.acquire(before, claim, ...rest);
      return { ...applied, row: { ...applied.row, challenger: null } };
    },
  }),
  store('a transfer request outlives its term', ['quiescence', 'agreement', 'priority'], {
    acquire: (before, claim, ...rest) => {
      const applied = row.acquire(before, claim, ...rest);
      return { ...applied, row: { ...applied.row, transferTo: before.transferTo } };
    },
    release: (before, release, nowMs, hasClock) => {
      const applied = row.release(before, release, nowMs, hasClock);
      return { ...applied, row: { ...applied.row, transferTo: before.transferTo } };
    },
  }),
  core(
    'a version is called stale after half the time',
    ['one lease', 'one leader'],
    wrong.callsStaleEarly(LeaseCore),
  ),
  core('a notification ends the pause after an own term', ['pause'], wrong.notificationEndsPause(LeaseCore)),
  core('an evicted candidate does not stay out', ['pause'], wrong.returnsAfterEviction(LeaseCore)),
  {
    ...core('a leader does not look at its clocks', ['looks often'], wrong.neverLooks(LeaseCore)),
    within: { faults: ['suspend'], ttlMs: 60_000, faultyMs: 1_200_000 },
  },
  core('a waiting candidate asks once per ttl', ['asks often'], wrong.asksOncePerTtl(LeaseCore)),
  core(
    'a lease whose work stopped late is released before the work has stopped',
    ['work first'],
    wrong.releasesWhenOverdue(LeaseCore),
  ),
  {
    ...store('the store ignores that a version is stale', ['agreement', 'priority'], {
      acquire: ignoresStale,
    }),
    within: SET_BACK,
  },
  store('the store grants for any stale version', ['one lease', 'one leader'], {
    acquire: anyVersionIsStale,
  }),
  {
    ...store('the store trusts a clock that was set back', ['agreement', 'priority'], {
      acquire: (before, claim, ...rest) => {
        const durationMs = before.durationMs === 0 ? 0 : Number.MAX_SAFE_INTEGER;
        return row.acquire({ ...before, durationMs }, claim, ...rest);
      },
    }),
    within: SET_BACK,
  },
  store('the order of waiting candidates is ignored', ['first come'], { firstAhead: () => null }),
  store('a candidate loses its place with each request', ['first come'], {
    registrationOf: (waiting, claim, nowMs) =>
      queue.registrationOf(
        [...waiting].map((each) => (each.nonce === claim.nonce ? { ...each, untilMs: nowMs } : each)),
        claim,
        nowMs,
      ),
  }),
  {
    ...store('a dead candidate keeps its place', ['agreement', 'priority'], {
      firstAhead: (waiting, claim, nowMs) =>
        queue.firstAhead(
          [...waiting].map((each) => ({ ...each, untilMs: Number.POSITIVE_INFINITY })),
          claim,
          nowMs,
        ),
    }),
    within: { faults: ['crash', 'no-restart', 'fair-order'] },
  },
  store('a hold ends with the release', ['hold'], {
    acquire: (before, claim, ...rest) =>
      row.acquire({ ...before, holdMs: before.holder === null ? 0 : before.holdMs }, claim, ...rest),
  }),
  {
    ...RIGHT,
    name: 'a store that has forgotten its leases grants at once',
    caughtBy: ['one lease', 'one leader', 'one worker'],
    afterLoss: 'grants at once',
  },
  {
    ...RIGHT,
    name: 'a store that has forgotten its tokens begins with 1',
    caughtBy: ['rising tokens'],
    afterLoss: 'counts from 1',
  },
  {
    ...RIGHT,
    name: 'notifications are believed in that never arrive',
    caughtBy: ['asks often'],
    believesPush: true,
  },
  { ...RIGHT, name: 'overdue work is not killed', caughtBy: ['one worker', 'agreement'], kills: false },
  { ...RIGHT, name: 'the sink does not check the token', caughtBy: ['fence'], isFenced: false },
  {
    ...RIGHT,
    name: 'terms are acknowledged before they are written',
    caughtBy: ['audit'],
    writesAuditLate: true,
  },
];
