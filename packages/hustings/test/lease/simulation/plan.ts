/**
 * What a seed decides before the run: the number of candidates, the TTL, the type of store and the faults.
 *
 * If the store has no clock, expiry is sound only while the clocks of the candidates agree within the margin that a challenger
 * waits (a fifteenth of the TTL) and are fine enough to measure it: such worlds have clock rates within 6 % and no tiny TTL.
 * If the store has a clock, P1 to P4 must hold at any rate. That no two candidates lead at the same true time can hold only
 * while a second of a candidate is not much longer than a second of the store (stopAfterMs is 11/15 of the TTL): `exclusive`
 * worlds have rates of at least 0.8. If machines also sleep, only the wall clock shows it, and nobody sets it back.
 */
import { Random } from '../../../../study/src/kernel/random.ts';

/** Drawn from a stream of their own, so that the worlds of regressions.ts stay the same without them. */
const LATER_FAULTS = [
  'store-forgets',
  'store-clock-back',
  'store-clock-forward',
  'deaf',
  'holds',
  'fair-order',
] as const;

const FIRST_FAULTS = [
  'delay',
  'lost-request',
  'lost-reply',
  'duplicate',
  'reorder',
  'one-way',
  'partition',
  'pause',
  'late-timer',
  'crash',
  'no-restart',
  'clock-step',
  'clock-rate',
  'suspend',
  'store-restart',
  'slow-store',
  'stale-read',
  'busy',
  'notification-fault',
  'gone',
  'evict',
  'transfer',
  'release',
  'work-ignores-stop',
  'short-work',
  'no-progress',
  'priorities',
  'mixed-ttl',
] as const;

export const FAULTS = [...FIRST_FAULTS, ...LATER_FAULTS] as const;

export type Fault = (typeof FAULTS)[number];

export interface Plan {
  readonly seed: number;
  readonly candidates: number;
  readonly faults: ReadonlySet<Fault>;
  /** How long faults happen; afterwards there are none. */
  readonly faultyMs: number;
  readonly ttlMs: number;
  readonly storeHasClock: boolean;
  readonly storePushes: boolean;
  /** No notification arrives, although a test notification came through. */
  readonly isLossy?: boolean;
  /** Overdue work is killed. */
  readonly killable: boolean;
  /** The longest delay of a message without faults, as a fraction of the shortest request timeout. */
  readonly usualDelay: number;
  readonly exclusive: boolean;
  readonly rates: { readonly least: number; readonly most: number };
}

/** What a shrunk failure has less of than the plan of its seed. */
export interface Cut {
  readonly candidates?: number;
  readonly faultyMs?: number;
  readonly faults?: readonly Fault[];
}

export function planOf(seed: number, cut: Cut = {}): Plan {
  const random = new Random(seed, 'plan');
  // Two to four candidates are as frequent as all other numbers together.
  const candidates = random.chance(0.5) ? 2 + random.below(3) : 1 + random.below(9);
  const storeHasClock = random.chance(0.7);
  const storePushes = random.chance(0.5);
  const killable = random.chance(0.7);
  const ttlMs = drawTtl(random, storeHasClock);
  // Some worlds have hardly any fault, some nearly all.
  const density = random.unit() * 0.7;
  const drawn: Fault[] = FIRST_FAULTS.filter(() => random.chance(density));
  const wild = random.chance(0.4);
  const close = random.chance(0.3);
  const speed = random.below(3);
  const faultyTtls = 8 + random.below(25);
  const later = new Random(seed, 'later faults');
  for (const fault of LATER_FAULTS) {
    if (later.chance(density) && isPossible(fault, drawn, storeHasClock, ttlMs)) drawn.push(fault);
  }
  const faults = new Set(cut.faults ?? drawn);
  const rates =
    !storeHasClock || close || faults.has('store-clock-back')
      ? { least: 0.94, most: 1.06 }
      : wild
        ? { least: 0.5, most: 2 }
        : { least: 0.8, most: 2 };
  return {
    seed,
    candidates: cut.candidates ?? candidates,
    faults,
    faultyMs: cut.faultyMs ?? faultyTtls * ttlMs,
    ttlMs,
    storeHasClock,
    storePushes,
    killable,
    usualDelay: [0, 0.05, 0.33][speed],
    // A clock that jumps forward ends leases early.
    exclusive: rates.least >= 0.8 && !faults.has('store-clock-forward'),
    rates,
  };
}

/**
 * What a fault cannot be combined with. A store that forgot waits for one TTL of a challenger, which must be that of the holder,
 * and its tokens rise only if its clock is not behind the last grant. A challenger that observes a record must be able to
 * measure the margin. A lease that is held at least for a time comes late to a candidate of higher priority.
 */
function isPossible(
  fault: (typeof LATER_FAULTS)[number],
  others: readonly Fault[],
  storeHasClock: boolean,
  ttlMs: number,
): boolean {
  if (fault === 'store-forgets') return storeHasClock && !others.includes('mixed-ttl');
  if (fault === 'store-clock-back') return storeHasClock && ttlMs >= 100 && !others.includes('store-forgets');
  if (fault === 'holds') return !others.includes('priorities');
  return fault !== 'store-clock-forward' || storeHasClock;
}

function drawTtl(random: Random, storeHasClock: boolean): number {
  const kind = random.below(20);
  const share = random.unit();
  const from = (least: number, most: number): number => Math.round(least + share * (most - least));
  if (kind < 4 && storeHasClock) return from(10, 60);
  if (kind < 13) return from(100, 1_000);
  if (kind < 19) return from(1_000, 5_000);
  return share < 0.5 ? 15_000 : 60_000;
}

/** Only the timers of the process decide when overdue work is killed: then it must be dead in time. */
export function isPunctual({ faults, killable, rates, ttlMs }: Plan): boolean {
  const late: readonly Fault[] = ['pause', 'suspend', 'late-timer', 'store-clock-forward'];
  const runsTrue = !faults.has('clock-rate') || rates.least >= 0.94;
  return killable && ttlMs >= 300 && runsTrue && !late.some((fault) => faults.has(fault));
}
