/** Faults planted into the core, the rules of the store and the fence: the search must find each. */
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import * as wrong from '../wrong-cores.ts';
import { anybodyReleases, goneIsAnybody, renewalRevives, sameTokenAgain } from '../wrong-rules.ts';
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

class SilenceIsConsent extends OpenCore {
  override step(input: Input, now: ClockReading): readonly Output[] {
    const { current, type } = this.state;
    const isOut =
      current !== null && now.monoMs - current.sent.monoMs >= this.options.timing.requestTimeoutMs;
    if (type !== 'acquiring' || !isOut) return super.step(input, now);
    return super.step({ type: 'acquire-answer', call: current.call, answer: { type: 'ok', token: 1n } }, now);
  }
}

/** The search saves and loads what it steps: a wrong core of an open one is open too. */
const open = (plant: (Base: wrong.CoreClass) => wrong.CoreClass): typeof OpenCore =>
  plant(OpenCore) as typeof OpenCore;

export const MUTANTS: readonly Mutant[] = [
  {
    name: 'the lease counts from the answer',
    property: 'P2',
    setting: CONFIGURATIONS.plain,
    planted: { core: open(wrong.countsFromReply) },
  },
  {
    name: 'the leader does not look at the clock',
    property: 'P2',
    setting: CONFIGURATIONS.crashes,
    planted: { core: open(wrong.cachesLeadership) },
  },
  {
    name: 'only the wall clock counts',
    property: 'P2',
    setting: CONFIGURATIONS.jumps,
    planted: { core: open(wrong.trustsWallClock) },
  },
  {
    name: 'only the monotonic clock counts',
    property: 'P2',
    setting: CONFIGURATIONS.sleep,
    planted: { core: open(wrong.trustsMonotonicClock) },
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
    planted: { core: open(wrong.waitsForOwnTtl) },
  },
  {
    name: 'the lease is given back before the work has stopped',
    property: 'work before release',
    setting: CONFIGURATIONS.wishes,
    planted: { core: open(wrong.releasesBeforeWorkIsDead) },
  },
  {
    name: 'overdue work is not killed',
    property: 'exclusion',
    setting: { ...CONFIGURATIONS.wishes, releases: false, ends: false },
    planted: { core: open(wrong.neverSaysOverdue) },
  },
  {
    name: 'the store renews what has expired',
    property: 'P1',
    setting: CONFIGURATIONS.plain,
    planted: { rules: { ...REAL_RULES, renew: renewalRevives } },
  },
  {
    name: 'the store releases without asking whose lease it is',
    property: 'P1',
    setting: CONFIGURATIONS.wishes,
    planted: { rules: { ...REAL_RULES, release: anybodyReleases } },
  },
  {
    name: 'the token is not raised when the same candidate comes again',
    property: 'P3',
    setting: CONFIGURATIONS.plain,
    planted: { rules: { ...REAL_RULES, acquire: sameTokenAgain } },
  },
  {
    name: 'a proof that one holder is gone is taken for any other',
    property: 'P1',
    setting: LARGER.gone,
    planted: { rules: { ...REAL_RULES, acquire: goneIsAnybody } },
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
