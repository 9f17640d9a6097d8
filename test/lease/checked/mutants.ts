/** Faults planted into the core, the rules of the store and the fence: the search must find each. */
import type { ClaimAnswer } from '../../../src/lease/core/calls.ts';
import type { Input, Now, Output } from '../../../src/lease/core/lease-event.ts';
import type { LeaseRecord } from '../../../src/lease/core/lease-record.ts';
import type { PendingCall } from '../../../src/lease/core/pending-call.ts';
import type { TermState } from '../../../src/lease/core/term-state.ts';
import { ttlOfHolder } from '../../../src/lease/core/waiting.ts';
import { CONFIGURATIONS, LARGER } from './configurations.ts';
import { OpenCore } from './open-core.ts';
import { REAL_RULES, type Setting } from './setting.ts';

export interface Mutant {
  readonly name: string;
  /** What catches it. */
  readonly property: string;
  /** In which the right code breaks nothing: it is one of those in configurations.ts, or allows less. */
  readonly setting: Setting;
  readonly planted: Partial<Setting>;
}

class StampedByAnswer extends OpenCore {
  protected override grantedAt(_call: PendingCall, now: Now): Now {
    return now;
  }
}

class CachedLeader extends OpenCore {
  override isValid(): boolean {
    return this.phase === 'leading';
  }
}

class WallClockOnly extends OpenCore {
  protected override leftOf({ granted }: TermState, durationMs: number, now: Now): number {
    return granted.wallMs + durationMs - now.wallMs;
  }
}

class MonotonicClockOnly extends OpenCore {
  protected override leftOf({ granted }: TermState, durationMs: number, now: Now): number {
    return granted.monoMs + durationMs - now.monoMs;
  }
}

class OwnTtl extends OpenCore {
  protected override ttlToWait(record: LeaseRecord): number {
    const { timing } = this.candidacy;
    const holder = record.holder === null ? null : { ...record.holder, ttlMs: timing.ttlMs };
    return ttlOfHolder({ ...record, holder }, timing);
  }
}

class ReleaseFirst extends OpenCore {
  override step(input: Input, now: Now): readonly Output[] {
    const outputs = super.step(input, now);
    if (!outputs.some(({ type }) => type === 'abort')) return outputs;
    return [...outputs, ...super.step({ type: 'settled' }, now)];
  }
}

class SilenceIsConsent extends OpenCore {
  override step(input: Input, now: Now): readonly Output[] {
    const { current, phase } = this.state;
    const isOut = current !== null && now.monoMs - current.sent.monoMs >= this.candidacy.timing.requestMs;
    if (phase !== 'claiming' || !isOut) return super.step(input, now);
    return super.step({ type: 'claim-answer', call: current.call, answer: { kind: 'ok', token: 1n } }, now);
  }
}

class NeverOverdue extends OpenCore {
  override step(input: Input, now: Now): readonly Output[] {
    return super.step(input, now).filter(({ type }) => type !== 'overdue');
  }
}

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the lease counts from the answer',
    property: 'P2',
    setting: CONFIGURATIONS.plain,
    planted: { core: StampedByAnswer },
  },
  {
    name: 'the leader does not look at the clock',
    property: 'P2',
    setting: CONFIGURATIONS.crashes,
    planted: { core: CachedLeader },
  },
  {
    name: 'only the wall clock counts',
    property: 'P2',
    setting: CONFIGURATIONS.jumps,
    planted: { core: WallClockOnly },
  },
  {
    name: 'only the monotonic clock counts',
    property: 'P2',
    setting: CONFIGURATIONS.sleep,
    planted: { core: MonotonicClockOnly },
  },
  {
    name: 'silence is taken for a grant',
    property: 'P2',
    setting: CONFIGURATIONS.plain,
    planted: { core: SilenceIsConsent },
  },
  {
    name: "a challenger waits for its own ttl, not the holder's",
    property: 'exclusion',
    setting: CONFIGURATIONS['two ttls'],
    planted: { core: OwnTtl },
  },
  {
    name: 'the lease is given back before the work has stopped',
    property: 'work before release',
    setting: CONFIGURATIONS.wishes,
    planted: { core: ReleaseFirst },
  },
  {
    name: 'overdue work is not killed',
    property: 'exclusion',
    setting: { ...CONFIGURATIONS.wishes, resigns: false, ends: false },
    planted: { core: NeverOverdue },
  },
  {
    name: 'the store renews what has expired',
    property: 'P1',
    setting: CONFIGURATIONS.plain,
    planted: {
      rules: {
        ...REAL_RULES,
        renew: (row, renewal, nowMs, hasClock) =>
          REAL_RULES.renew({ ...row, untilMs: Math.max(row.untilMs, nowMs + 1) }, renewal, nowMs, hasClock),
      },
    },
  },
  {
    name: 'the store releases without asking whose lease it is',
    property: 'P1',
    setting: CONFIGURATIONS.wishes,
    planted: {
      rules: {
        ...REAL_RULES,
        release: (row, release, nowMs, hasClock) => {
          const nonce = row.holder?.nonce ?? release.nonce;
          return REAL_RULES.release(row, { ...release, nonce, token: row.token }, nowMs, hasClock);
        },
      },
    },
  },
  {
    name: 'the token is not raised when the same candidate comes again',
    property: 'P3',
    setting: CONFIGURATIONS.plain,
    planted: {
      rules: {
        ...REAL_RULES,
        claim: (row, claim, nowMs, hasClock) => {
          const applied = REAL_RULES.claim(row, claim, nowMs, hasClock);
          if (applied.answer.kind === 'held' || row.holder?.id !== claim.id) return applied;
          const answer: ClaimAnswer = { kind: 'ok', token: row.token };
          return { ...applied, row: { ...applied.row, token: row.token }, answer };
        },
      },
    },
  },
  {
    name: 'a proof that one holder is gone is taken for any other',
    property: 'P1',
    setting: LARGER.gone,
    planted: {
      rules: {
        ...REAL_RULES,
        claim: (row, claim, nowMs, hasClock) => {
          const gone = claim.gone === null ? null : (row.holder?.nonce ?? null);
          return REAL_RULES.claim(row, { ...claim, gone }, nowMs, hasClock);
        },
      },
    },
  },
  {
    name: 'an eviction ends the lease at once',
    property: 'P1',
    setting: CONFIGURATIONS.evictions,
    planted: {
      rules: {
        ...REAL_RULES,
        evict: (row, nowMs) => ({ row: { ...row, holder: null, untilMs: nowMs }, answer: true, ended: null }),
      },
    },
  },
  {
    name: 'the sink does not look at the token',
    property: 'P4',
    setting: CONFIGURATIONS.writes,
    planted: { isStale: () => false },
  },
];
