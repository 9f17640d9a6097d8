/** Formats durations for people, in at most two units. */

/** Each unit, the next smaller one, how many of those it contains, and their length. */
const UNITS = [
  ['d', 'h', 24, 3_600_000],
  ['h', 'min', 60, 60_000],
  ['min', 's', 60, 1_000],
] as const;

export function formatDuration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 100) / 100} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  for (const [large, small, count, smallMs] of UNITS) {
    // Rounded first, so that the result is never 60 minutes.
    const smalls = Math.round(ms / smallMs);
    if (smalls < count) continue;
    const rest = smalls % count;
    return `${Math.floor(smalls / count)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
  }
  return `${Math.round(ms / 100) / 10} s`;
}
