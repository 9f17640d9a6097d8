import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../base/src/hustings-error.ts';
import { parseSchedule } from '../../../src/elector/cron/schedule.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (ticks: readonly number[]): string[] =>
  ticks.map((tick) => new Date(tick).toISOString().slice(0, 19));

describe('a schedule', () => {
  it('lists the ticks after one time and up to another', () => {
    const { between } = parseSchedule('*/10 * * * * *', 'UTC');
    expect(iso(between(at('2026-11-15T12:00:00Z'), at('2026-11-15T12:00:30Z'), 10))).toEqual([
      '2026-11-15T12:00:10',
      '2026-11-15T12:00:20',
      '2026-11-15T12:00:30',
    ]);
    expect(between(at('2026-11-15T12:00:00Z'), at('2026-11-15T12:00:09.999Z'), 10)).toEqual([]);
  });

  it('lists only the last ticks of a long time', () => {
    const { between } = parseSchedule('* * * * *', 'UTC');
    const ticks = between(at('2020-01-01T00:00:00Z'), at('2026-11-15T12:00:30Z'), 3);
    expect(iso(ticks)).toEqual(['2026-11-15T11:58:00', '2026-11-15T11:59:00', '2026-11-15T12:00:00']);
  });

  it('has the ticks of its time zone, moved to the end of a gap, and once at a time that occurs twice', () => {
    const { between } = parseSchedule('30 2 * * *', 'Europe/Berlin');
    expect(iso(between(at('2026-03-28T00:00Z'), at('2026-03-31T00:00Z'), 10))).toEqual([
      '2026-03-28T01:30:00',
      '2026-03-29T01:00:00',
      '2026-03-30T00:30:00',
    ]);
    expect(iso(between(at('2026-10-24T00:00Z'), at('2026-10-27T00:00Z'), 10))).toEqual([
      '2026-10-24T00:30:00',
      '2026-10-25T00:30:00',
      '2026-10-26T01:30:00',
    ]);
  });

  it('that has a tick each half hour has them in both hours of a clock that is set back', () => {
    const { between } = parseSchedule('*/30 * * * *', 'Europe/Berlin');
    expect(between(at('2026-10-25T00:00Z'), at('2026-10-25T03:00Z'), 10)).toHaveLength(6);
  });

  it('agrees with itself: the next tick after a time is the first of those after it', () => {
    const { between, nextAfter } = parseSchedule('7,21 */3 * * 1-5', 'America/New_York');
    for (let hour = 0; hour < 400; hour += 7) {
      const fromMs = at('2026-10-28T00:00Z') + hour * 3_600_000;
      expect(between(fromMs, fromMs + 8 * 86_400_000, 1_000)[0]).toBe(nextAfter(fromMs));
    }
  });

  it.each([
    ['hello', 'UTC'],
    ['99 * * * *', 'UTC'],
    ['0 0 30 2 *', 'UTC'],
    ['* * * * *', 'Mars/Olympus'],
  ])('refuses %s in %s', (expression, zone) => {
    expect(() => parseSchedule(expression, zone)).toThrow(InputError);
  });

  it.each(['0 0 3 * * * 2099', '2099-01-01T00:00:00', '@daily', '* * * *', ''])(
    'refuses %s, because it has neither five nor six fields',
    (expression) => {
      expect(() => parseSchedule(expression, 'UTC')).toThrow(
        `a cron expression must have 5 fields, or 6 with seconds first, as in '*/5 * * * *', not '${expression}'`,
      );
    },
  );
});
