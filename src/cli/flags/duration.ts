/** Durations on the command line: 15s, 500ms, 2m, 1h. A number without a unit is rejected. */
import { InputError } from '../../errors/hustings-error.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
/** Timers cannot wait longer than 24 days. */
const MOST_MS = 2 ** 31 - 1;

/** In whole milliseconds. */
export function parseDuration(option: string, text: string): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  if (unit === undefined) {
    throw new InputError(
      `--${option} must be a duration with a unit, such as 15s, 500ms or 2m, not '${text}'`,
    );
  }
  if (ms > MOST_MS) throw new InputError(`--${option} must be at most 24 days, not '${text}'`);
  return ms;
}
