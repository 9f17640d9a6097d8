/**
 * The stores that a URL can name. To add a store: its folder with an `index.ts`, its entry here, its test, its page
 * in docs/stores and its row in docs/choosing-a-store.md. Its module, and with it its client library, is loaded when a store is opened.
 */

import { existsSync } from 'node:fs';
import { InputError, listed } from '@hustings/base';
import type { LeaseStore, StoreOptions } from '../lease-store.ts';
import { type Address, type AddressType, parseAddress, schemeOf } from '../store-url.ts';

export interface StoreEntry {
  /** The name of its folder and of its door, `hustings/lease/KIND`. */
  readonly kind: string;
  /** As people write it. */
  readonly title: string;
  readonly schemes: readonly string[];
  /** Its URLs, as help texts show them. */
  readonly forms: readonly string[];
  readonly address: AddressType;
  /** The schemes whose URLs may list several hosts; none by default. */
  readonly listing?: readonly string[];
  /** Other processes see its leases. */
  readonly shared: boolean;
  /** The client library, which the user installs; null if there is nothing to install. */
  readonly client: string | null;
  /** The module behind its door. */
  load(): Promise<object>;
  open(url: string, options: StoreOptions): Promise<LeaseStore>;
}

interface StoreClass {
  open(url: string, options: StoreOptions): Promise<LeaseStore>;
}

function entry<Module extends object>(
  facts: Omit<StoreEntry, 'load' | 'open'>,
  load: () => Promise<Module>,
  classOf: (module: Module) => StoreClass,
): StoreEntry {
  return { ...facts, load, open: async (url, options) => classOf(await load()).open(url, options) };
}

const REDIS_LISTING = ['redis+sentinel', 'rediss+sentinel', 'redis+cluster', 'rediss+cluster'];

export const STORES: readonly StoreEntry[] = [
  entry(
    {
      kind: 'sqlite',
      title: 'SQLite',
      schemes: ['sqlite'],
      forms: ['sqlite:PATH'],
      address: 'file',
      shared: true,
      client: null,
    },
    () => import('./sqlite/index.ts'),
    ({ SqliteLeaseStore }) => SqliteLeaseStore,
  ),
  entry(
    {
      kind: 'redis',
      title: 'Redis',
      schemes: ['redis', 'rediss', ...REDIS_LISTING],
      forms: [
        'redis://HOST[:PORT][/DB]',
        'rediss://…',
        'redis+sentinel://HOST,…/GROUP[/DB]',
        'redis+cluster://HOST,…',
      ],
      address: 'server',
      listing: REDIS_LISTING,
      shared: true,
      client: 'ioredis',
    },
    () => import('./redis/index.ts'),
    ({ RedisLeaseStore }) => RedisLeaseStore,
  ),
  entry(
    {
      kind: 'postgres',
      title: 'PostgreSQL',
      schemes: ['postgres', 'postgresql'],
      forms: ['postgres://HOST[:PORT][,HOST[:PORT]…]/DATABASE', 'postgresql://…'],
      address: 'servers',
      shared: true,
      client: 'pg',
    },
    () => import('./postgres/index.ts'),
    ({ PostgresLeaseStore }) => PostgresLeaseStore,
  ),
  entry(
    {
      kind: 'mysql',
      title: 'MySQL and MariaDB',
      schemes: ['mysql', 'mariadb'],
      forms: ['mysql://HOST[:PORT]/DATABASE', 'mariadb://…'],
      address: 'server',
      shared: true,
      client: 'mysql2',
    },
    () => import('./mysql/index.ts'),
    ({ MysqlLeaseStore }) => MysqlLeaseStore,
  ),
  entry(
    {
      kind: 'etcd',
      title: 'etcd',
      schemes: ['etcd', 'etcds'],
      forms: ['etcd://HOST[:PORT][,HOST[:PORT]…]', 'etcds://…'],
      address: 'servers',
      shared: true,
      client: null,
    },
    () => import('./etcd/index.ts'),
    ({ EtcdLeaseStore }) => EtcdLeaseStore,
  ),
  entry(
    {
      kind: 'zookeeper',
      title: 'ZooKeeper',
      schemes: ['zookeeper', 'zookeepers'],
      forms: ['zookeeper://HOST[:PORT][,HOST[:PORT]…][/PATH]', 'zookeepers://…'],
      address: 'servers',
      shared: true,
      client: null,
    },
    () => import('./zookeeper/index.ts'),
    ({ ZookeeperLeaseStore }) => ZookeeperLeaseStore,
  ),
  entry(
    {
      kind: 'kubernetes',
      title: 'Kubernetes',
      schemes: ['kubernetes'],
      forms: ['kubernetes:NAMESPACE'],
      address: 'namespace',
      shared: true,
      client: null,
    },
    () => import('./kubernetes/index.ts'),
    ({ KubernetesLeaseStore }) => KubernetesLeaseStore,
  ),
  entry(
    {
      kind: 'nats',
      title: 'NATS',
      schemes: ['nats'],
      forms: ['nats://HOST[:PORT][,HOST[:PORT]…][/BUCKET]'],
      address: 'servers',
      shared: true,
      client: '@nats-io/kv',
    },
    () => import('./nats/index.ts'),
    ({ NatsLeaseStore }) => NatsLeaseStore,
  ),
  entry(
    {
      kind: 'memory',
      title: 'memory',
      schemes: ['memory'],
      forms: ['memory:NAME'],
      address: 'name',
      shared: false,
      client: null,
    },
    () => import('./memory/index.ts'),
    ({ MemoryLeaseStore }) => MemoryLeaseStore,
  ),
];

export interface StoreUrl extends Address {
  readonly store: StoreEntry;
}

/** Throws an `InputError` for a URL that names no store, or not in a form of that store. */
export function parseStoreUrl(text: unknown): StoreUrl {
  if (typeof text !== 'string') {
    throw new InputError(`the URL of a store must be a text, not ${typeof text}; give ${storeForms()}`);
  }
  const scheme = schemeOf(text);
  if (scheme === undefined) {
    const rule = text.trim() === '' ? 'must not be empty' : 'must begin with a scheme';
    throw new InputError(`the URL of a store ${rule}; give ${storeForms()}`);
  }
  const store = STORES.find(({ schemes }) => schemes.includes(scheme));
  if (store === undefined) {
    throw new InputError(`the URL of a store cannot have the scheme "${scheme}:"; give ${storeForms()}`);
  }
  return { store, ...parseAddress(text, store.listing?.includes(scheme) ? 'servers' : store.address) };
}

/** The path of a missing file; null if it exists, and for every other store. */
export function missingFile(url: string): string | null {
  const { store, path } = parseStoreUrl(url);
  return store.address === 'file' && !existsSync(path) ? path : null;
}

/** The URL without its secrets. Never throws: a URL that cannot be parsed is reduced to its scheme. */
export function redact(text: string): string {
  try {
    return parseStoreUrl(text).label;
  } catch {
    return `${/^[a-z][a-z0-9+.-]*:/i.exec(text)?.[0] ?? ''}…`;
  }
}

/** All forms of URLs, for errors. */
export function storeForms(): string {
  return listed(
    STORES.flatMap(({ forms }) => forms),
    'or',
  );
}

/** One form for each store that other processes see, for help texts. */
export function sharedStoreForms(): string {
  return listed(
    STORES.filter(({ shared }) => shared).map(({ address, forms, schemes: [scheme] }) =>
      address.startsWith('server') ? `${scheme}://…` : forms[0],
    ),
    'or',
  );
}
