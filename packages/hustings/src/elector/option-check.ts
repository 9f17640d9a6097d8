/** Checks what a program in plain JavaScript may get wrong: each mistake is named in one line. */

import { checkWhole, InputError, shownValue } from '@hustings/base';
import type { TickQuery } from '../lease/core/tick.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import type { AcquireOptions, HistoryOptions, LeaderWatchOptions, SignalOptions } from './elector.ts';

const MAX_HOLD_MS = 366 * 86_400_000;

/** Refuses a misspelled option, which would otherwise be ignored. `of` names the call. */
export function checkOptionNames(options: unknown, known: Readonly<Record<string, true>>, of: string): void {
  if (typeof options !== 'object' || options === null) {
    throw new InputError(
      `the options of ${of} must be an object, not ${options === null ? 'null' : typeof options}`,
    );
  }
  const unknown = Object.keys(options).find((key) => !Object.hasOwn(known, key));
  if (unknown === undefined) return;
  const similar = Object.keys(known).find((key) => isSimilar(key.toLowerCase(), unknown.toLowerCase()));
  const advice =
    similar === undefined ? `its options are ${Object.keys(known).join(', ')}` : `did you mean ${similar}?`;
  throw new InputError(`${of} has no option '${unknown}'; ${advice}`);
}

/** One of the names begins with the other, as ttlMs with ttl. */
const isSimilar = (a: string, b: string): boolean => a.startsWith(b) || b.startsWith(a);

/** Without `checkUrl`, the store must be an object. */
export function checkStore(
  store: unknown,
  checkUrl?: (url: string) => unknown,
): asserts store is LeaseStore | string {
  if (isStore(store)) return;
  if (typeof store === 'string') {
    if (checkUrl === undefined) {
      throw new InputError(
        "store must be a LeaseStore, as from RedisLeaseStore.open(client); createElector of 'hustings' takes a URL",
      );
    }
    checkUrl(store);
    return;
  }
  const advice = "give a URL such as 'sqlite:./leases.db', 'redis://HOST' or 'postgres://HOST/DATABASE'";
  if (store === undefined || store === null) {
    throw new InputError(`store is required; ${advice}, or a cluster`);
  }
  if (store instanceof URL)
    throw new InputError('store must be the text of a URL, not a URL object; give url.href');
  const client = clientOf(store);
  const noun = client?.noun ?? `${typeof store === 'object' ? 'an' : 'a'} ${typeof store}`;
  const remedy =
    client === null ? advice : `give a store that is opened with it: await ${client.store}.open(client)`;
  throw new InputError(`store must be a URL or a LeaseStore, not ${noun}; ${remedy}`);
}

/** What is wrong with an observer is found before the first event. */
export function checkObservers({ onEvent, logger }: { onEvent?: unknown; logger?: unknown }): void {
  if (onEvent !== undefined && typeof onEvent !== 'function') {
    throw new InputError(`onEvent must be a function, not ${typeof onEvent}`);
  }
  const { info, warn, error } = (logger ?? {}) as Record<string, unknown>;
  const hasMethods = [info, warn, error].every((method) => typeof method === 'function');
  if (logger !== undefined && typeof logger !== 'function' && !hasMethods) {
    throw new InputError(
      'logger must be a function, or have the methods info, warn and error, as console has',
    );
  }
}

function isStore(store: unknown): boolean {
  const { capabilities, acquire, renew } = (store ?? {}) as Partial<LeaseStore>;
  return typeof acquire === 'function' && typeof renew === 'function' && typeof capabilities === 'object';
}

/**
 * The client of a server, and the store that takes it; null for anything else. The classes of clients have no names to rely
 * on: that of ioredis is called EventEmitter.
 */
function clientOf(store: unknown): { readonly noun: string; readonly store: string } | null {
  const has = (...methods: string[]): boolean =>
    methods.every((method) => typeof (store as Record<string, unknown>)[method] === 'function');
  if (has('sendCommand')) return { noun: 'a Redis client', store: 'RedisLeaseStore' };
  if (has('query', 'escape')) return { noun: 'a MySQL client', store: 'MysqlLeaseStore' };
  if (has('query', 'connect', 'end') || has('unsafe', 'listen')) {
    return { noun: 'a PostgreSQL client', store: 'PostgresLeaseStore' };
  }
  return null;
}

export function checkLimit(limit: number | undefined): void {
  if (limit !== undefined) checkWhole('limit', limit);
}

export function checkWork(work: unknown): void {
  if (typeof work !== 'function') throw new InputError(`work must be a function, not ${typeof work}`);
}

export const TICK_OPTIONS: Readonly<Record<keyof TickQuery, true>> = { limit: true };
export const SIGNAL_OPTIONS: Readonly<Record<keyof SignalOptions, true>> = { signal: true };
export const WATCH_OPTIONS: Readonly<Record<keyof LeaderWatchOptions, true>> = { signal: true, slot: true };
export const HISTORY_OPTIONS: Readonly<Record<keyof HistoryOptions, true>> = {
  ...{ at: true, limit: true, slot: true },
};

/** The names of the leases that a caller asks about: of one slot, or of all. */
export function chosenSlots(names: readonly string[], slot: number | undefined): readonly string[] {
  if (slot === undefined) return names;
  const name = names[slot - 1];
  if (name === undefined)
    throw new InputError(`slot must be a whole number from 1 to ${names.length}, not ${shownValue(slot)}`);
  return [name];
}

const ACQUIRE_OPTIONS: Readonly<Record<keyof AcquireOptions, true>> = {
  ...SIGNAL_OPTIONS,
  timeoutMs: true,
  holdAtLeastMs: true,
};

export function checkAcquire(options: AcquireOptions, of: string): void {
  checkOptionNames(options, ACQUIRE_OPTIONS, of);
  const { timeoutMs, holdAtLeastMs = 0 } = options;
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs >= 0)) {
    throw new InputError(`timeoutMs must be a number of milliseconds from 0, not ${shownValue(timeoutMs)}`);
  }
  if (!(Number.isSafeInteger(holdAtLeastMs) && holdAtLeastMs >= 0 && holdAtLeastMs <= MAX_HOLD_MS)) {
    throw new InputError(
      `holdAtLeastMs must be a whole number of milliseconds from 0 to ${MAX_HOLD_MS} (366 days), not ${shownValue(holdAtLeastMs)}`,
    );
  }
}
