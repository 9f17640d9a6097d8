/** How long something took or will take, for people: two figures at most, no more than anybody would say. */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

export function formatSpan(ms: number): string {
  if (ms < 10) return `${Math.round(ms * 100) / 100} ms`;
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 59_950) return `${Math.round(ms / 100) / 10} s`;
  // In whole units of the smaller of the two that are shown, so that none of them comes to 60.
  const first = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  const [large, largeMs] = UNITS[Math.min(first, UNITS.length - 2)];
  const [small, smallMs] = UNITS[Math.min(first, UNITS.length - 2) + 1];
  const smalls = Math.round(ms / smallMs);
  const most = largeMs / smallMs;
  const rest = smalls % most;
  return `${Math.floor(smalls / most)} ${large}${rest === 0 ? '' : ` ${rest} ${small}`}`;
}
