/**
 * A cron expression and its time zone. The package croner reads the expression: five fields, or six with seconds first.
 *
 * An expression with one fixed minute and hour has one tick a day: where a zone sets its clock forward over that time, the tick
 * comes at the end of the gap, and where the time occurs twice, at the first. Any other expression follows the clock on the
 * wall: a time that is skipped has no tick, and a time that occurs twice has two.
 */

import { InputError } from '@hustings/base';
import { Cron } from 'croner';

export interface CronSchedule {
  /** The last tick up to this time; null if there is none. */
  latestUntil(ms: number): number | null;
  /** The first tick after this time; null if there is none. */
  nextAfter(ms: number): number | null;
  /** The ticks after `fromMs` and up to `toMs`, in increasing order; only the last `most` of them. */
  between(fromMs: number, toMs: number, most: number): readonly number[];
}

export function parseSchedule(expression: string, timeZone: string): CronSchedule {
  const cron = parse(expression, timeZone);
  if (cron.nextRun(new Date()) === null) {
    throw new InputError(`the cron expression '${expression}' has no tick after now; correct it`);
  }
  const nextAfter = (ms: number): number | null => cron.nextRun(new Date(ms))?.getTime() ?? null;
  return {
    nextAfter,
    latestUntil: (ms) => lastUntil(cron, ms, 1)[0] ?? null,
    between: (fromMs, toMs, most) => {
      const ticks: number[] = [];
      for (let tick = nextAfter(fromMs); tick !== null && tick <= toMs; tick = nextAfter(tick)) {
        ticks.push(tick);
        if (ticks.length > most) return lastUntil(cron, toMs, most);
      }
      return ticks;
    },
  };
}

/** Backwards from the end: there are too many ticks to visit them all. */
function lastUntil(cron: Cron, toMs: number, most: number): readonly number[] {
  // Runs before the second of the reference: a later second includes a tick at `toMs`.
  const runs = cron.previousRuns(most + 1, new Date(toMs + 1_000)).map((run) => run.getTime());
  return runs
    .filter((run) => run <= toMs)
    .slice(0, most)
    .reverse();
}

function parse(expression: string, timeZone: string): Cron {
  try {
    new Intl.DateTimeFormat('en', { timeZone });
  } catch {
    throw new InputError(`timeZone must be an IANA time zone, as in Europe/Berlin, not '${timeZone}'`);
  }
  // The package also reads dates, nicknames and a seventh field for years.
  const fields = expression.trim().split(/\s+/).length;
  if (fields !== 5 && fields !== 6) {
    throw new InputError(
      `a cron expression must have 5 fields, or 6 with seconds first, as in '*/5 * * * *', not '${expression}'`,
    );
  }
  try {
    return new Cron(expression, { timezone: timeZone, paused: true });
  } catch (error) {
    const reason = (error as Error).message.replace(/^Cron\w+: */, '');
    throw new InputError(`the cron expression '${expression}' is not valid: ${reason}`);
  }
}
