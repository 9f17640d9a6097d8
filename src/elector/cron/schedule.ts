/**
 * A cron expression and its time zone. The package croner reads the expression: five fields, or six with seconds first.
 * Where a zone sets its clock forward, a tick in the gap comes at the end of the gap. Where it sets its clock back, a tick
 * at a time of day that occurs twice comes once, at the first.
 */
import { Cron } from 'croner';
import { InputError } from '../../errors/hustings-error.ts';

export interface Schedule {
  /** The first tick after this time; null if there is none. */
  nextAfter(ms: number): number | null;
  /** The ticks after `fromMs` and up to `toMs`, in increasing order; only the last `most` of them. */
  between(fromMs: number, toMs: number, most: number): readonly number[];
}

export function parseSchedule(expression: string, timeZone: string): Schedule {
  const cron = parse(expression, timeZone);
  if (cron.nextRun(new Date()) === null) {
    throw new InputError(`the cron expression '${expression}' has no tick after now; correct it`);
  }
  return {
    nextAfter: (ms) => cron.nextRun(new Date(ms))?.getTime() ?? null,
    between: (fromMs, toMs, most) =>
      cron
        // Runs before the reference: one millisecond later includes a tick at `toMs`.
        .previousRuns(most, new Date(toMs + 1))
        .map((tick) => tick.getTime())
        .filter((tick) => tick > fromMs && tick <= toMs)
        .sort((a, b) => a - b),
  };
}

function parse(expression: string, timeZone: string): Cron {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new InputError(`timeZone must be an IANA time zone, as in Europe/Berlin, not '${timeZone}'`);
  }
  try {
    return new Cron(expression, { timezone: timeZone, paused: true });
  } catch (error) {
    const reason = (error as Error).message.replace(/^Cron\w+: */, '');
    throw new InputError(`the cron expression '${expression}' is not valid: ${reason}`);
  }
}
