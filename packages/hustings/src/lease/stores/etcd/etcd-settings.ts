/**
 * The settings of an etcd store, from its URL and its options: `etcd://user:password@host:2379,host:2379/prefix`, or `etcds:` for
 * TLS. An option overrides the same setting in the URL. No message quotes a part that may contain a password.
 */
import type { ConnectionOptions } from 'node:tls';
import { InputError } from '@hustings/base';
import type { StoreOptions } from '../../lease-store.ts';
import { parseAddress, schemeOf } from '../../store-url.ts';
import { checkQuery, decodedPart, wholeSetting } from '../url-setting.ts';

/** The options of `EtcdLeaseStore.open`. */
export interface EtcdStoreOptions extends StoreOptions {
  /** The prefix of all keys, 'hustings/' by default; also the path of the URL. */
  readonly prefix?: string;
  /** The timeout of a call, 2,000 by default; also in the URL. */
  readonly timeoutMs?: number;
  /** For etcds: the CA of the servers, or a client certificate. */
  readonly tls?: ConnectionOptions;
}

export interface EtcdSettings {
  readonly url: string;
  readonly label: string;
  /** As http://host:port or https://host:port. */
  readonly endpoints: readonly string[];
  readonly user: string;
  readonly password: string;
  readonly prefix: string;
  readonly timeoutMs: number;
  readonly tls: ConnectionOptions;
}

const FORM = 'write etcd://host:2379 or etcd://user:password@host1:2379,host2:2379/prefix';

export function etcdSettings(text: string, options: EtcdStoreOptions = {}): EtcdSettings {
  const { label, hosts } = parseAddress(text, 'servers');
  const scheme = schemeOf(text);
  if (scheme !== 'etcd' && scheme !== 'etcds') {
    throw new InputError(`the URL of an etcd store must begin with etcd: or etcds:, not ${label}; ${FORM}`);
  }
  const url = new URL(text.replace(hosts.join(','), hosts[0]));
  const { searchParams: query } = url;
  checkQuery(query, 'an etcd', ['timeoutMs']);
  const timeoutMs = wholeSetting('timeoutMs', options.timeoutMs ?? query.get('timeoutMs') ?? 2_000, 1);
  const path = decodedPart(url.pathname.replace(/^\//, ''));
  const prefix = options.prefix ?? (path === '' ? 'hustings/' : path.endsWith('/') ? path : `${path}/`);
  return {
    ...{ url: text, label, prefix, timeoutMs },
    endpoints: hosts.map((host) => endpoint(scheme === 'etcds' ? 'https' : 'http', host)),
    user: decodedPart(url.username),
    password: decodedPart(url.password),
    tls: options.tls ?? {},
  };
}

const endpoint = (scheme: string, host: string): string =>
  `${scheme}://${/:\d+$/.test(host) ? host : `${host}:2379`}`;
