/** Durations on the command line: 15s, 500ms, 2m, 1h, 30d. A number without a unit is rejected. */
import { InputError } from '../hustings-error.ts';

const UNIT_MS = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Node's timers cannot wait longer than 24 days. */
const MAX_MS = 2 ** 31 - 1;

/** Returns whole milliseconds. */
export function parseDuration(option: string, text: string, maxMs = MAX_MS): number {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/.exec(text) ?? [];
  const ms = Math.round(Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS]);
  if (unit === undefined) {
    throw new InputError(
      `--${option} must be a duration with a unit, such as 15s, 500ms or 2m, not '${text}'`,
    );
  }
  if (ms > maxMs) {
    throw new InputError(`--${option} must be at most ${Math.floor(maxMs / UNIT_MS.d)} days, not '${text}'`);
  }
  return ms;
}

/** A unit, the next smaller unit, how many of those it has, and the milliseconds of the smaller one. */
const UNITS = [
  ['d', 'h', 24, 3_600_000],
  ['h', 'min', 60, 60_000],
  ['min', 's', 60, 1_000],
] as const;

export function formatDuration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 100) / 100} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  for (const [large, small, count, smallMs] of UNITS) {
    // Rounded first, so that no result is 60 min.
    const smalls = Math.round(ms / smallMs);
    if (smalls < count) continue;
    const rest = smalls % count;
    return `${Math.floor(smalls / count)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
  }
  return `${Math.round(ms / 100) / 10} s`;
}
