/** Mutants of the core, of the rules of the store and of the fence: the search must find each. */
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import * as wrong from '../wrong-cores.ts';
import {
  anybodyReleases,
  anyVersionIsStale,
  evictsTermsOfNonce,
  goneIsAnybody,
  ignoresStale,
  renewalRevives,
  sameTokenAgain,
} from '../wrong-rules.ts';
import { CONFIGURATIONS, LARGER } from './configurations.ts';
import { OpenCore } from './open-core.ts';
import { REAL_RULES, type Setting } from './setting.ts';

export interface Mutant {
  readonly name: string;
  /** The property that it violates. */
  readonly property: string;
  /** The correct code violates nothing here: one of configurations.ts, or a smaller one. */
  readonly setting: Setting;
  readonly planted: Partial<Setting>;
}

class SilenceIsConsent extends OpenCore {
  override step(input: Input, now: ClockReading): readonly Output[] {
    const { current, type } = this.state.phase;
    const isOut =
      current !== null && now.monoMs - current.sent.monoMs >= this.options.timing.requestTimeoutMs;
    if (type !== 'acquiring' || !isOut) return super.step(input, now);
    const answer = { type: 'ok', token: 1n, checkpoint: null } as const;
    return super.step({ type: 'acquire-answer', call: current.call, answer, pushing: false }, now);
  }
}

/** The search saves and loads the state of the core: a mutant of OpenCore can do that too. */
const open = (plant: (Base: wrong.CoreClass) => wrong.CoreClass): typeof OpenCore =>
  plant(OpenCore) as typeof OpenCore;

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the lease counts from the answer, not from the request',
    property: 'P2',
    setting: CONFIGURATIONS.plain,
    planted: { core: open(wrong.countsFromReply) },
  },
  {
    name: 'the leader does not check the clock',
    property: 'P2',
    setting: CONFIGURATIONS.crashes,
    planted: { core: open(wrong.cachesLeadership) },
  },
  {
    name: 'only the wall clock is used',
    property: 'P2',
    setting: LARGER.jumps,
    planted: { core: open(wrong.trustsWallClock) },
  },
  {
    name: 'only the monotonic clock is used',
    property: 'P2',
    setting: CONFIGURATIONS.sleep,
    planted: { core: open(wrong.trustsMonotonicClock) },
  },
  {
    name: 'a missing answer is treated as a grant',
    property: 'P2',
    setting: CONFIGURATIONS.plain,
    planted: { core: SilenceIsConsent },
  },
  {
    name: "a waiting candidate uses its own ttl, not the holder's",
    property: 'mutual exclusion',
    setting: CONFIGURATIONS['two ttls'],
    planted: { core: open(wrong.waitsForOwnTtl) },
  },
  {
    name: 'the lease is released before the work has stopped',
    property: 'work before release',
    setting: CONFIGURATIONS.wishes,
    planted: { core: open(wrong.releasesBeforeWorkIsDead) },
  },
  {
    name: 'overdue work is not killed',
    property: 'mutual exclusion',
    setting: { ...CONFIGURATIONS.wishes, releases: false, ends: false },
    planted: { core: open(wrong.neverSaysOverdue) },
  },
  {
    name: 'the store renews an expired lease',
    property: 'P1',
    setting: CONFIGURATIONS.plain,
    planted: { rules: { ...REAL_RULES, renew: renewalRevives } },
  },
  {
    name: 'the store releases without checking the holder',
    property: 'P1',
    setting: CONFIGURATIONS.wishes,
    planted: { rules: { ...REAL_RULES, release: anybodyReleases } },
  },
  {
    name: 'the token does not increase when the same candidate acquires again',
    property: 'P3',
    setting: CONFIGURATIONS.plain,
    planted: { rules: { ...REAL_RULES, acquire: sameTokenAgain } },
  },
  {
    name: 'a proof that one holder is dead is applied to another',
    property: 'P1',
    setting: LARGER.gone,
    planted: { rules: { ...REAL_RULES, acquire: goneIsAnybody } },
  },
  {
    name: 'an eviction ends the lease immediately',
    property: 'P1',
    setting: CONFIGURATIONS.evictions,
    planted: {
      rules: {
        ...REAL_RULES,
        evict: (row, _cooldownMs, nowMs) => ({
          row: { ...row, holder: null, untilMs: nowMs },
          answer: true,
          ended: null,
        }),
      },
    },
  },
  {
    name: 'a version is called stale after half the time',
    property: 'P1',
    setting: LARGER['clock set back'],
    planted: { core: open(wrong.callsStaleEarly) },
  },
  {
    name: 'the store grants for any stale version',
    property: 'P1',
    setting: LARGER['clock set back'],
    planted: { rules: { ...REAL_RULES, acquire: anyVersionIsStale } },
  },
  {
    name: 'a store that has lost its data grants at once',
    property: 'P1',
    setting: CONFIGURATIONS.forgets,
    planted: { afterLoss: 'grants at once' },
  },
  {
    name: 'a store that has lost its data gives tokens from 1',
    property: 'P3',
    setting: CONFIGURATIONS.forgets,
    planted: { afterLoss: 'counts from 1' },
  },
  {
    name: 'an answer to an earlier attempt is accepted',
    property: 'mutual exclusion',
    setting: LARGER['two under way, ends'],
    planted: { core: open(wrong.awaitsEarlierAttempt) },
  },
  {
    name: 'an older grant replaces a newer one',
    property: 'late answer',
    setting: CONFIGURATIONS.alone,
    planted: { core: open(wrong.olderGrantReplacesNewer) },
  },
  {
    name: 'an eviction is told to an earlier term of the same attempt',
    property: 'eviction',
    setting: CONFIGURATIONS.alone,
    planted: { rules: { ...REAL_RULES, renew: evictsTermsOfNonce } },
  },
  {
    name: 'a leader renews although its work is stalled',
    property: 'stalled work',
    setting: CONFIGURATIONS.stalls,
    planted: { core: open(wrong.renewsStalledWork) },
  },
  {
    name: 'the store ignores that a version is stale',
    property: 'recovery',
    setting: { ...CONFIGURATIONS.clockless, lateTimers: false },
    planted: { rules: { ...REAL_RULES, acquire: ignoresStale } },
  },
  {
    name: 'the resource does not check the token',
    property: 'P4',
    setting: LARGER.writes,
    planted: { isStale: () => false },
  },
];
