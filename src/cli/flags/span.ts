/** How long something took or will take, for people: two figures at most, no more than anybody would say. */

/** Each with the next smaller one, and how many of that make it up. */
const UNITS = [
  ['d', 'h', 24, 3_600_000],
  ['h', 'min', 60, 60_000],
  ['min', 's', 60, 1_000],
] as const;

export function formatDuration(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 100) / 100} ms`;
  if (ms < 999.5) return `${Math.round(ms)} ms`;
  for (const [large, small, count, smallMs] of UNITS) {
    // Rounded first, so that nothing comes to 60 minutes.
    const smalls = Math.round(ms / smallMs);
    if (smalls < count) continue;
    const rest = smalls % count;
    return `${Math.floor(smalls / count)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
  }
  return `${Math.round(ms / 100) / 10} s`;
}
