import { describe, expect, it } from 'vitest';
import { formatDuration } from '../../../../base/src/command/duration.ts';
import { InputError } from '../../../../study/src/kernel/index.ts';
import { formatTimestamp, parseTimestamp } from '../../../src/cli/flags/timestamp.ts';

/** In the zone of the machine, whichever it is. */
const NOW_MS = new Date(2026, 10, 15, 9, 30, 0).getTime();
const at = (text: string): number => parseTimestamp('at', text, NOW_MS);
const local = (...parts: [number, number, number, number?, number?, number?, number?]): number =>
  new Date(
    parts[0],
    parts[1] - 1,
    parts[2],
    parts[3] ?? 0,
    parts[4] ?? 0,
    parts[5] ?? 0,
    parts[6] ?? 0,
  ).getTime();

describe('a time', () => {
  it.each([
    ['2026-11-15', local(2026, 11, 15)],
    ['2026-11-15T03:00', local(2026, 11, 15, 3)],
    ['2026-11-15 03:00', local(2026, 11, 15, 3)],
    ['2026-11-15T03:04:05', local(2026, 11, 15, 3, 4, 5)],
    ['2026-11-15T03:04:05.6789', local(2026, 11, 15, 3, 4, 5, 678)],
    ['2024-02-29', local(2024, 2, 29)],
    ['03:00', local(2026, 11, 15, 3)],
    ['3:00', local(2026, 11, 15, 3)],
    ['09:30', NOW_MS],
    ['10:00', local(2026, 11, 14, 10)],
    ['23:59:59', local(2026, 11, 14, 23, 59, 59)],
    ['now', NOW_MS],
    ['3h ago', NOW_MS - 3 * 3_600_000],
    ['1h30m ago', NOW_MS - 90 * 60_000],
    ['1.5 hours ago', NOW_MS - 90 * 60_000],
    ['2 days 3 minutes ago', NOW_MS - 2 * 86_400_000 - 180_000],
    ['1 Week ago', NOW_MS - 7 * 86_400_000],
    ['250ms ago', NOW_MS - 250],
    ['999999999d ago', 0],
  ])("'%s' is %d", (text, ms) => expect(at(text)).toBe(ms));

  it.each([
    ['2026-11-15T03:00Z', Date.UTC(2026, 10, 15, 3)],
    ['2026-11-15T03:00:00.5Z', Date.UTC(2026, 10, 15, 3, 0, 0, 500)],
    ['2026-11-14T03:00+02:00', Date.UTC(2026, 10, 14, 1)],
    ['2026-11-14T03:00-0530', Date.UTC(2026, 10, 14, 8, 30)],
  ])("'%s' is the same in every zone", (text, ms) =>
    expect(parseTimestamp('at', text, Date.UTC(2026, 10, 16))).toBe(ms),
  );

  it.each([
    ...['', ' ', 'soon', '3', '3h', 'ago', '3 fortnights ago', '-3h ago', '3h in', 'h ago', '24:00', '12:60'],
    ...[
      '2026-02-30',
      '2023-02-29',
      '2026-13-01',
      '2026-00-10',
      '2026-1-1',
      '2026-11-15T3',
      '2026-11-15T25:00',
    ],
    ...['15.11.2026', '1763175600000', 'NaN', '2026-11-15T03:00+2', "03:00'; --"],
  ])("'%s' is rejected", (text) => {
    expect(() => at(text)).toThrow(InputError);
    expect(() => at(text)).toThrow(/--at must be a date, a time or both, such as .* not /);
  });

  it('in the future is rejected, with a tolerance for clocks that are ahead', () => {
    expect(() => at('2026-11-15T09:32')).toThrow(/--at must be in the past, not '2026-11-15T09:32'/);
    expect(at('2026-11-15T09:30:30')).toBe(NOW_MS + 30_000);
  });

  it('is formatted so that it can be parsed again', () => {
    const ms = local(2026, 3, 4, 5, 6, 7, 89);
    expect(formatTimestamp(ms)).toBe('2026-03-04 05:06:07.089');
    expect(at(formatTimestamp(ms))).toBe(ms);
  });
});

describe('a duration', () => {
  it.each([
    [0, '0 ms'],
    [0.4567, '0.46 ms'],
    [98.4, '98 ms'],
    [999, '999 ms'],
    [14_240, '14.2 s'],
    [59_960, '1 min'],
    [61_000, '1 min 1 s'],
    [3_599_900, '1 h'],
    [21_000_000, '5 h 50 min'],
    [86_400_000, '1 d'],
    [86_400_000 * 40.5, '40 d 12 h'],
  ])('of %d ms is %s', (ms, text) => expect(formatDuration(ms)).toBe(text));
});
