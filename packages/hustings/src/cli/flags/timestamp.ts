/**
 * Times on the command line, in the time zone of this machine: 2026-11-15T03:00, 03:00, 3h ago. Times of a store are on
 * its wall clock, which may differ from this machine's: `hustings doctor` measures the difference.
 */
import { InputError } from '@hustings/base';

const DATE = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(Z|[+-]\d\d:?\d\d)?)?$/;
const TIME = /^(\d\d?):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?$/;
const AGO = /^((?:\d+(?:\.\d+)?\s*[a-z]+\s*)+)\bago$/;
const UNITS_MS: readonly (readonly [RegExp, number])[] = [
  [/^(ms|millis(econds?)?|milliseconds?)$/, 1],
  [/^(s|secs?|seconds?)$/, 1_000],
  [/^(m|mins?|minutes?)$/, 60_000],
  [/^(h|hrs?|hours?)$/, 3_600_000],
  [/^(d|days?)$/, 86_400_000],
  [/^(w|weeks?)$/, 7 * 86_400_000],
];
/** The clock of a store may be slightly ahead of this machine. */
const AHEAD_MS = 60_000;

/** Milliseconds since 1970. A time without a date is the latest one in the past. */
export function parseTimestamp(option: string, text: string, nowMs = Date.now()): number {
  const atMs = text === 'now' ? nowMs : (ofDate(text) ?? ofTime(text, nowMs) ?? ofAgo(text, nowMs));
  if (atMs === null) {
    throw new InputError(
      `--${option} must be a date, a time or both, such as 2026-11-15T03:00, 03:00 or '3h ago', not '${text}'`,
    );
  }
  if (atMs > nowMs + AHEAD_MS) {
    throw new InputError(`--${option} must be in the past, not '${text}'`);
  }
  return atMs;
}

const isTime = (hour: number, minute: number, second: number): boolean =>
  hour < 24 && minute < 60 && second < 60;

const milliseconds = (digits = ''): number => Number(`0.${digits || '0'}`) * 1_000;

function ofDate(text: string): number | null {
  const [found, year, month, day, hour = '0', minute = '0', second = '0', fraction, zone] =
    DATE.exec(text) ?? [];
  if (found === undefined || !isTime(Number(hour), Number(minute), Number(second))) return null;
  const isThere =
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  if (!isThere || Number(month) < 1 || Number(month) > 12) return null;
  const parts = [Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute)] as const;
  const ms = Math.floor(milliseconds(fraction));
  if (zone === undefined) return new Date(...parts, Number(second), ms).getTime();
  const [, sign = '+', hours = '0', minutes = '0'] = /^([+-])(\d\d):?(\d\d)$/.exec(zone) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return Date.UTC(...parts, Number(second), ms) - (sign === '-' ? -offsetMs : offsetMs);
}

function ofTime(text: string, nowMs: number): number | null {
  const [found, hour, minute, second = '0', fraction] = TIME.exec(text) ?? [];
  if (found === undefined || !isTime(Number(hour), Number(minute), Number(second))) return null;
  const date = new Date(nowMs);
  date.setHours(Number(hour), Number(minute), Number(second), Math.floor(milliseconds(fraction)));
  if (date.getTime() > nowMs) date.setDate(date.getDate() - 1);
  return date.getTime();
}

function ofAgo(text: string, nowMs: number): number | null {
  const [, spans] = AGO.exec(text.trim().toLowerCase()) ?? [];
  if (spans === undefined) return null;
  let agoMs = 0;
  for (const [, amount, word] of spans.matchAll(/(\d+(?:\.\d+)?)\s*([a-z]+)/g)) {
    const unitMs = UNITS_MS.find(([pattern]) => pattern.test(word))?.[1];
    if (unitMs === undefined) return null;
    agoMs += Number(amount) * unitMs;
  }
  // Nothing is recorded before 1970, and much earlier dates cannot be represented.
  return Math.max(0, Math.round(nowMs - agoMs));
}

const two = (figure: number): string => `${figure}`.padStart(2, '0');

/** 2026-11-15 03:00:00.123 in the time zone of this machine. */
export function formatTimestamp(ms: number): string {
  const at = new Date(ms);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const time = [at.getHours(), at.getMinutes(), at.getSeconds()].map(two).join(':');
  return `${day} ${time}.${`${at.getMilliseconds()}`.padStart(3, '0')}`;
}

/** ISO 8601, for JSON. */
export function isoOf(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}

export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone || 'this machine';
}
