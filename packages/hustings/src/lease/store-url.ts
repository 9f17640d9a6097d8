/**
 * The parts of a store's URL, and its secrets.
 *
 * Guaranteed: no label and no error of this file shows a user, a password or a query, not even of a malformed URL. Texts of
 * client libraries go through `scrub` before anybody sees them.
 *
 * A path after `sqlite:` is taken literally, without percent-decoding, so that every file can be named: relative to the
 * working directory, or absolute, also written `sqlite:///folder/leases.db`.
 */
import { InputError } from '@hustings/base';

/** What follows the scheme: a name, the path of a file, one server or several, with their secrets, or a namespace of a cluster. */
export type AddressType = 'name' | 'file' | 'server' | 'servers' | 'namespace';

export interface Address {
  /** For people: without user, password and query. */
  readonly label: string;
  /** The name or path after the scheme; '' for servers. */
  readonly path: string;
  /** The servers, each with its port if it has one. */
  readonly hosts: readonly string[];
}

export function schemeOf(text: string): string | undefined {
  return /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1].toLowerCase();
}

/** Parses the address in a URL that has a scheme. */
export function parseAddress(text: string, type: AddressType): Address {
  const scheme = schemeOf(text) ?? '';
  const rest = text.slice(scheme.length + 1);
  if (type === 'name') return { label: text, path: rest, hosts: [] };
  if (type === 'file') return { label: text, path: filePath(scheme, rest), hosts: [] };
  if (type === 'namespace') {
    return { label: text.replace(/\/\/.*@/, '//').replace(/\?.*/s, ''), path: rest, hosts: [] };
  }
  const hosts = hostsOf(text);
  const url = parseServer(scheme, text, hosts, type === 'servers');
  const named = hosts.length > 1 ? hosts.join(',') : url.host;
  return {
    label: `${scheme}://${named}${url.pathname}`,
    path: '',
    hosts: hosts.length > 1 ? hosts : [url.host],
  };
}

function filePath(scheme: string, rest: string): string {
  const subject = `the path after "${scheme}:"`;
  const path = rest.startsWith('///') ? rest.slice(2) : rest;
  if (path.trim() === '') {
    throw new InputError(`${subject} must not be empty; write for example ${scheme}:./leases.db`);
  }
  if (path.startsWith('//')) {
    throw new InputError(
      `${subject} must not begin with two slashes; write ${scheme}:leases.db for a relative path, ` +
        `${scheme}:/folder/leases.db for an absolute one`,
    );
  }
  if (path === ':memory:') {
    throw new InputError(`${subject} must not be ":memory:", which no other process sees; write memory:NAME`);
  }
  if (path.includes('?')) {
    throw new InputError(
      `${subject} must not have a query; remove it, this store has no settings in its URL`,
    );
  }
  if (path.includes('\0')) throw new InputError(`${subject} must not have a NUL character; remove it`);
  if (path.endsWith('/')) {
    throw new InputError(`${subject} must name a file, not a folder; add the name of the file`);
  }
  return path;
}

/** Matches the part before the servers, and the servers. */
const SERVERS = /^([^/]*\/\/(?:[^/?#]*@)?)([^/?#]*)/;

const hostsOf = (text: string): string[] => (SERVERS.exec(text)?.[2] ?? '').split(',');

/** The URL with one of its servers in place of all; with the first one by default. */
export function urlOfHost(text: string, host = hostsOf(text)[0]): URL {
  // A server on a local socket has no host: postgres://user@/database?host=/run/postgresql
  return new URL(text.replace(SERVERS, (_, before: string) => before + host).replace('@/', '@localhost/'));
}

function parseServer(scheme: string, text: string, hosts: readonly string[], maySeveral: boolean): URL {
  const advice = 'percent-encode characters such as @ : / ? # in the user and the password';
  if (!text.slice(scheme.length + 1).startsWith('//')) {
    throw new InputError(`the URL of a store must have "//" after "${scheme}:"; write ${scheme}://HOST…`);
  }
  if (hosts.length > 1 && !maySeveral) {
    throw new InputError(
      `the ${scheme}:// URL must name one server, not ${hosts.length}; give the address of the primary`,
    );
  }
  if (hosts.length > 1 && hosts.includes('')) {
    throw new InputError(`the ${scheme}:// URL has an empty host; remove the comma that is too many`);
  }
  let url: URL;
  try {
    // Each of several servers must be valid.
    [url] = hosts.map((host) => urlOfHost(text, host));
  } catch {
    // The cause is left out, because it contains the text.
    throw new InputError(`the ${scheme}:// URL cannot be parsed; ${advice}`);
  }
  if (/[@\s]/.test(url.host + url.pathname + url.search + url.hash)) {
    throw new InputError(`the ${scheme}:// URL has a stray @ or space; ${advice}`);
  }
  return url;
}

const SECRET_KEYS = /pass|pwd|secret|token|key|auth|user/i;

/** Does the URL contain a password, which a list of processes would show? */
export function hasPassword(url: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\/[^/?#:]*:[^/?#]+@/i.test(url) || /[?&][^=&]*(pass|pwd|secret)[^=&]*=./i.test(url)
  );
}

/** The text of a client library without the secrets of the URL, which is replaced by its label. */
export function scrub(text: string, url: string, label: string): string {
  const inText = text.split(url);
  const secrets = secretsOf(url);
  const clean = inText.map((piece) => secrets.reduce((rest, secret) => replaceSecret(rest, secret), piece));
  return clean.join(label);
}

function secretsOf(url: string): string[] {
  // By pattern, because a URL that cannot be parsed has secrets too.
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

/** A short secret is replaced only as a whole word, because it may occur inside other words. */
function replaceSecret(text: string, secret: string): string {
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
