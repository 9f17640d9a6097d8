/**
 * The settings of a ZooKeeper store, from its URL and its options: `zookeeper://user:password@host:2181,host:2181/path`, or
 * `zookeepers:` for TLS. An option overrides the same setting in the URL. No message quotes a part that may contain a password.
 */
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '@hustings/base';
import type { StoreOptions } from '../../lease-store.ts';
import { parseAddress, schemeOf, urlOfHost } from '../../store-url.ts';
import { checkQuery, decodedPart, wholeSetting } from '../url-setting.ts';

/** The options of `ZookeeperLeaseStore.open`. */
export interface ZookeeperStoreOptions extends StoreOptions {
  /** The node above all others, '/hustings' by default; also the path of the URL. */
  readonly path?: string;
  /** The timeout of a call, 2,000 by default; also in the URL. */
  readonly timeoutMs?: number;
  /** The session timeout that is asked for, 24,000 by default; also in the URL. The server may grant another one. */
  readonly sessionTimeoutMs?: number;
  /** For zookeepers: the CA of the servers, or a client certificate. */
  readonly tls?: ConnectionOptions;
}

export interface ZookeeperSettings {
  readonly label: string;
  readonly servers: readonly { readonly host: string; readonly port: number }[];
  /** The user and the password of the digest scheme, with a colon between them; '' without. */
  readonly digest: string;
  /** The path of the node above all others, without a slash at its end. */
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly sessionTimeoutMs: number;
  /** Null without TLS. */
  readonly tls: ConnectionOptions | null;
}

const FORM = 'write zookeeper://host:2181 or zookeeper://user:password@host1,host2,host3/path';
const IN_URL = ['timeoutMs', 'sessionTimeoutMs'];

export function zookeeperSettings(text: string, options: ZookeeperStoreOptions = {}): ZookeeperSettings {
  const { label, hosts } = parseAddress(text, 'servers');
  const scheme = schemeOf(text);
  if (scheme !== 'zookeeper' && scheme !== 'zookeepers') {
    throw new InputError(
      `the URL of a ZooKeeper store must begin with zookeeper: or zookeepers:, not ${label}; ${FORM}`,
    );
  }
  if (hosts[0] === '') throw new InputError(`the URL of a ZooKeeper store must have a host; ${FORM}`);
  const url = urlOfHost(text);
  checkQuery(url.searchParams, 'a ZooKeeper', IN_URL);
  const [user, password] = [decodedPart(url.username), decodedPart(url.password)];
  if ((user === '') !== (password === '')) {
    throw new InputError(`the URL of a ZooKeeper store must have a user and a password, or neither; ${FORM}`);
  }
  const setting = (word: 'timeoutMs' | 'sessionTimeoutMs', byDefault: number): number =>
    wholeSetting(word, options[word] ?? url.searchParams.get(word) ?? byDefault, 1);
  return {
    label,
    servers: hosts.map((host) => serverOf(host)),
    digest: user === '' ? '' : `${user}:${password}`,
    prefix: prefixOf(options.path ?? decodedPart(url.pathname)),
    timeoutMs: setting('timeoutMs', 2_000),
    sessionTimeoutMs: setting('sessionTimeoutMs', 24_000),
    tls: scheme === 'zookeepers' ? (options.tls ?? {}) : null,
  };
}

function serverOf(text: string): { host: string; port: number } {
  const [, host, port = '2181'] = /^(.*?)(?::(\d+))?$/.exec(text)!;
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}

function prefixOf(path: string): string {
  const names = path.split('/').filter(Boolean);
  if (names.length === 0) return '/hustings';
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ZooKeeper allows none in the names of nodes.
  if (names[0] === 'zookeeper' || names.some((name) => /^\.\.?$|[\u0000-\u001f\u007f-\u009f]/.test(name))) {
    throw new InputError(
      `the path of a ZooKeeper store must not begin with /zookeeper, nor have ., .. or control characters; ${FORM}`,
    );
  }
  return `/${names.join('/')}`;
}
