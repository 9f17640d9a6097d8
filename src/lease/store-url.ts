/**
 * Stores are named by URL: `memory:NAME`, `sqlite:PATH`, `redis://…`, `rediss://…`, `postgres://…`, `postgresql://…`.
 *
 * Guaranteed: no label and no error of this file shows a user, a password or a query, also where the URL is malformed.
 * What drivers write about themselves goes through `scrub` before anybody sees it.
 *
 * A path after `sqlite:` is taken as it stands, without percent-decoding, so that every file has a name: relative to
 * the working folder, or absolute, which may also be written `sqlite:///folder/leases.db`.
 */
import { InputError } from '../errors/hustings-error.ts';

export type StoreKind = 'memory' | 'sqlite' | 'redis' | 'postgres';

export interface StoreUrl {
  readonly kind: StoreKind;
  /** As it was given, secrets and all. */
  readonly text: string;
  /** For people: without user, password and query. */
  readonly label: string;
  /** What stands after `memory:` or `sqlite:`; '' for servers. */
  readonly path: string;
}

const KINDS: Readonly<Record<string, StoreKind>> = {
  memory: 'memory',
  sqlite: 'sqlite',
  redis: 'redis',
  rediss: 'redis',
  postgres: 'postgres',
  postgresql: 'postgres',
};

export const STORE_FORMS =
  'sqlite:PATH, redis://HOST[:PORT][/DB], rediss://…, postgres://HOST[:PORT]/DATABASE, postgresql://… or memory:NAME';

export function parseStoreUrl(text: unknown): StoreUrl {
  if (typeof text !== 'string') {
    throw new InputError(`expected the URL of a store, got ${typeof text}: give ${STORE_FORMS}`);
  }
  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1].toLowerCase();
  if (scheme === undefined) {
    const given = text.trim() === '' ? 'an empty text' : 'a text without a scheme';
    throw new InputError(`expected the URL of a store, got ${given}: give ${STORE_FORMS}`);
  }
  if (!Object.hasOwn(KINDS, scheme)) {
    throw new InputError(`expected the URL of a store, got the scheme "${scheme}:": give ${STORE_FORMS}`);
  }
  const kind = KINDS[scheme];
  const rest = text.slice(scheme.length + 1);
  if (kind === 'memory') return { kind, text, label: text, path: rest };
  if (kind === 'sqlite') return { kind, text, label: text, path: sqlitePath(rest) };
  const url = parseServer(scheme, text);
  return { kind, text, label: `${scheme}://${url.host}${url.pathname}`, path: '' };
}

function sqlitePath(rest: string): string {
  const expected = 'expected the path of a database file after "sqlite:"';
  const path = rest.startsWith('///') ? rest.slice(2) : rest;
  if (path.trim() === '') {
    throw new InputError(`${expected}, got nothing: give one, as in sqlite:./leases.db`);
  }
  if (path.startsWith('//')) {
    throw new InputError(
      `${expected}, got two slashes: write sqlite:leases.db for a relative path, sqlite:/folder/leases.db for an absolute one`,
    );
  }
  if (path === ':memory:') {
    throw new InputError(`${expected}, got ":memory:", which no other process sees: write memory:NAME`);
  }
  if (path.includes('?')) {
    throw new InputError(`${expected}, got a query: leave it out, this store takes no settings in its URL`);
  }
  if (path.includes('\0')) throw new InputError(`${expected}, got one with a NUL character: remove it`);
  if (path.endsWith('/')) throw new InputError(`${expected}, got that of a folder: add the name of the file`);
  return path;
}

function parseServer(scheme: string, text: string): URL {
  const notification = 'characters such as @ : / ? # in a user or password must be percent-encoded';
  if (!text.slice(scheme.length + 1).startsWith('//')) {
    throw new InputError(`expected ${scheme}://HOST…, got no "//" after "${scheme}:": add it`);
  }
  let url: URL;
  try {
    // A server on a local socket has no host: postgres://user@/database?host=/run/postgresql
    url = new URL(text.replace('@/', '@localhost/'));
  } catch {
    // The cause is left out: it holds the text.
    throw new InputError(
      `expected a well-formed ${scheme}:// URL, got one that cannot be read: ${notification}`,
    );
  }
  if (/[@\s]/.test(url.host + url.pathname + url.search + url.hash)) {
    throw new InputError(
      `expected a well-formed ${scheme}:// URL, got one with a stray @ or space: ${notification}`,
    );
  }
  return url;
}

/** The URL for people. Never throws: what cannot be read is shown by its scheme alone. */
export function redact(text: string): string {
  try {
    return parseStoreUrl(text).label;
  } catch {
    return `${/^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? ''}…`;
  }
}

const SECRET_KEYS = /pass|pwd|secret|token|key|auth|user/i;

/** Whether everybody who reads the URL, as in a list of processes, reads a password. */
export function hasPassword(url: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:[^/?#]+@/i.test(url) || /[?&][^=&]*(pass|pwd|secret)[^=&]*=./i.test(url)
  );
}

/** The text of a driver without what the URL keeps secret. */
export function scrub(text: string, url: string): string {
  const label = redact(url);
  const inText = text.split(url);
  const secrets = secretsOf(url);
  const clean = inText.map((piece) => secrets.reduce((rest, secret) => blot(rest, secret), piece));
  return clean.join(label);
}

function secretsOf(url: string): string[] {
  // By pattern, since a URL that cannot be parsed has secrets too.
  const authority = /^[a-z][a-z0-9+.-]*:\/\/(.*)@/i.exec(url)?.[1] ?? '';
  const query = /\?([^#]*)/.exec(url)?.[1] ?? '';
  const colon = authority.indexOf(':');
  const [user, password] =
    colon < 0 ? [authority, ''] : [authority.slice(0, colon), authority.slice(colon + 1)];
  const values = query.split('&').flatMap((pair) => {
    const [key, ...value] = pair.split('=');
    return SECRET_KEYS.test(key) ? [value.join('=')] : [];
  });
  const found = [authority, password, user, query, ...values].flatMap((secret) => [
    secret,
    decoded(secret),
    JSON.stringify(decoded(secret)).slice(1, -1),
    encodeURIComponent(decoded(secret)),
  ]);
  return [...new Set(found)].filter((secret) => secret !== '').sort((a, b) => b.length - a.length);
}

/** A secret of a few letters is looked for as a word: within words it would blot out what is none. */
function blot(text: string, secret: string): string {
  if (secret.length >= 4) return text.replaceAll(secret, '***');
  const escaped = secret.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(`(?<![\\p{L}\\p{N}])${escaped}(?![\\p{L}\\p{N}])`, 'gu'), '***');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
