/**
 * Mutants of the candidate and of its store, each with one fault that real systems have had. The simulation must catch every
 * mutant by a named invariant, and must find no violation in the correct code.
 */
import type { CandidateOptions } from '../../../src/lease/core/candidate-options.ts';
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import * as row from '../../../src/lease/core/lease-row.ts';
import * as wrong from '../wrong-cores.ts';
import { anybodyReleases, goneIsAnybody, renewalRevives, sameTokenAgain } from '../wrong-rules.ts';
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
    const { current } = this.state;
    if (input.type === 'acquire-answer' && input.answer.type === 'held') {
      this.#latest = input.answer.record.token;
    }
    if (input.type === 'store-error' && current?.call === input.call && current.type === 'acquire') {
      const { call } = input;
      return super.step(
        {
          ...{ type: 'acquire-answer', call, pushing: false },
          answer: { type: 'ok', token: this.#latest + 1n },
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
    const outputs = super.step(input, this.state.last);
    return [...outputs, ...super.step({ type: 'tick' }, now)];
  }
}

class KeepsNonce extends LeaseCore {
  protected override nonceOf(): string {
    return `${this.options.identity}.1`;
  }
}

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
  core('the next attempt keeps its nonce', ['rising tokens'], KeepsNonce),
  store('anybody may release', ['owner only'], { release: anybodyReleases }),
  store('a renewal revives an expired lease', ['no revival'], { renew: renewalRevives }),
  store('the same candidate gets the same token again', ['rising tokens', 'no revival'], {
    acquire: sameTokenAgain,
  }),
  store('the successor is ignored', ['successor'], {
    acquire: (before, claim, nowMs, hasClock) =>
      row.acquire({ ...before, successor: null }, claim, nowMs, hasClock),
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
    acquire: (before, claim, nowMs, hasClock) => {
      const applied = row.acquire(before, claim, nowMs, hasClock);
      return { ...applied, row: { ...applied.row, challenger: null } };
    },
  }),
  store('a transfer request outlives its term', ['quiescence', 'agreement', 'priority'], {
    acquire: (before, claim, nowMs, hasClock) => {
      const applied = row.acquire(before, claim, nowMs, hasClock);
      return { ...applied, row: { ...applied.row, transferTo: before.transferTo } };
    },
    release: (before, release, nowMs, hasClock) => {
      const applied = row.release(before, release, nowMs, hasClock);
      return { ...applied, row: { ...applied.row, transferTo: before.transferTo } };
    },
  }),
  { ...RIGHT, name: 'overdue work is not killed', caughtBy: ['one worker', 'agreement'], kills: false },
  { ...RIGHT, name: 'the sink does not check the token', caughtBy: ['fence'], isFenced: false },
  {
    ...RIGHT,
    name: 'terms are acknowledged before they are written',
    caughtBy: ['audit'],
    writesAuditLate: true,
  },
];
