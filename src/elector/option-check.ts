/** Checks what a program in plain JavaScript may get wrong: each mistake is named in one line. */
import { InputError } from '../errors/hustings-error.ts';
import type { LeaseStore } from '../lease/lease-store.ts';

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

export function checkStore(store: unknown): asserts store is LeaseStore | string {
  if (typeof store === 'string' || isStore(store)) return;
  const advice = "give a URL such as 'sqlite:./leases.db', 'redis://HOST' or 'postgres://HOST/DATABASE'";
  if (store === undefined || store === null) throw new InputError(`store is required; ${advice}`);
  if (store instanceof URL)
    throw new InputError('store must be the text of a URL, not a URL object; give url.href');
  throw new InputError(
    `store must be a URL or a LeaseStore, not ${nounOf(store)}; hustings makes its own connections: ${advice}`,
  );
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

/** The classes of clients have no names to rely on: ioredis' is called EventEmitter. */
function nounOf(store: unknown): string {
  const { sendCommand, query } = store as Record<string, unknown>;
  if (typeof sendCommand === 'function') return 'a Redis client';
  if (typeof query === 'function') return 'a database client';
  return `${typeof store === 'object' ? 'an' : 'a'} ${typeof store}`;
}
