/** Which ticks of a schedule to start, and which to record as missed: a pure function of what is recorded and of the time. */
import type { CronSchedule } from './schedule.ts';

export interface TickPolicy {
  /** `skip`: a tick that comes due while the work of an earlier one runs is missed. `queue`: it starts afterwards. */
  readonly overlap: 'skip' | 'queue';
  /** Whether the latest tick that came due before this term is started late. All others from before are missed. */
  readonly catchUp: boolean;
}

/** Times on the store's clock. */
export interface TickFacts {
  /** The latest recorded tick, or when the election began: no earlier tick is considered. */
  readonly afterMs: number;
  readonly nowMs: number;
  /** When this term began. */
  readonly electedMs: number;
  /** When the work of the latest tick of this term ended; 0 before the first. */
  readonly busyUntilMs: number;
}

/** `startMs` is the tick to start now; null for none. Missed ticks come before it, or before now. */
export interface TickPlan {
  readonly startMs: number | null;
  readonly missedMs: readonly number[];
}

/** After a long outage, earlier ticks than these are not recorded at all. */
export const MAX_MISSED = 1_000;

export function planTicks(
  schedule: CronSchedule,
  facts: TickFacts,
  { overlap, catchUp }: TickPolicy,
): TickPlan {
  const { afterMs, nowMs, electedMs, busyUntilMs } = facts;
  const due = schedule.between(afterMs, nowMs, MAX_MISSED);
  const inherited = due.filter((tick) => tick <= electedMs);
  const own = due.slice(inherited.length);
  const late = catchUp ? inherited.slice(-1) : [];
  const startMs =
    overlap === 'queue'
      ? [...late, ...own][0]
      : own.length > 0
        ? own.findLast((tick) => tick > busyUntilMs)
        : late[0];
  if (startMs === undefined) return { startMs: null, missedMs: due };
  return { startMs, missedMs: due.filter((tick) => tick < startMs) };
}
