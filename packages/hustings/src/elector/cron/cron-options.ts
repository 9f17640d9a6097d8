/** The options of `elector.cron`, and what its work is told about a tick. */
import type { Lead } from '../lead.ts';

/** The options of `cron`. */
export interface CronOptions {
  /** Ends the schedule when it aborts. */
  readonly signal?: AbortSignal | undefined;
  /** The IANA time zone of the expression, as in `Europe/Berlin`; UTC by default, because replicas may differ in theirs. */
  readonly timeZone?: string | undefined;
  /**
   * What happens to a tick that comes due while the work of an earlier one runs: `skip` records it as missed, and is the
   * default; `queue` starts it afterwards.
   */
  readonly overlap?: 'skip' | 'queue' | undefined;
  /**
   * Whether a tick that came due while nobody led is started late. Only the latest one is, once; earlier ones are recorded
   * as missed. True by default.
   */
  readonly catchUp?: boolean | undefined;
  /** Whether a tick whose leader was lost before its work ended is started again. False by default. */
  readonly retryInterrupted?: boolean | undefined;
}

/** One tick, as its work sees it. */
export interface CronTick {
  /** The time for which the schedule calls, in milliseconds since 1970. It identifies the tick. */
  readonly tickMs: number;
  /** Whether an earlier leader was lost while it did this work. */
  readonly isRetry: boolean;
}

/** Called once for each tick. Its end is recorded: a return as completed, an error as failed. */
export type CronWork = (lead: Lead, tick: CronTick) => unknown;
