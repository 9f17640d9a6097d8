/**
 * The settings of a NATS store, from its URL and its options: `nats://user:password@host:4222,host:4222/bucket?replicas=3`, or
 * `tls:` for TLS. A user without a password is a token. An option overrides the same setting in the URL. No message quotes a part
 * that may contain a secret.
 */
import { InputError } from '@hustings/base';
import type { StoreOptions } from '../../lease-store.ts';
import { parseAddress, schemeOf } from '../../store-url.ts';
import { checkQuery, decodedPart, flagSetting, wholeSetting } from '../url-setting.ts';

/** The options of `NatsLeaseStore.open`. */
export interface NatsStoreOptions extends StoreOptions {
  /** The name of the key-value bucket, 'hustings' by default; also the path of the URL. */
  readonly bucket?: string;
  /** On how many servers a new bucket is kept, 1 by default; also in the URL. */
  readonly replicas?: number;
  /** The timeout of a call, 2,000 by default; also in the URL. */
  readonly timeoutMs?: number;
  /**
   * Whether the first lease of an election is granted only when its bucket is one TTL old, true by default; also in the URL. False
   * only for tests: candidates of a bucket that was deleted may still lead.
   */
  readonly waitAfterCreation?: boolean;
  /** Further options of the client library: an authenticator, a CA, a client certificate. */
  readonly client?: object;
}

export interface NatsSettings {
  readonly url: string;
  readonly label: string;
  readonly bucket: string;
  readonly replicas: number;
  readonly timeoutMs: number;
  readonly waitAfterCreation: boolean;
  /** As the client library takes them. */
  readonly connection: object;
}

const FORM = 'write nats://host:4222 or nats://user:password@host1,host2,host3/bucket?replicas=3';
const IN_URL = ['replicas', 'timeoutMs', 'waitAfterCreation'];

export function natsSettings(text: string, options: NatsStoreOptions = {}): NatsSettings {
  const { label, hosts } = parseAddress(text, 'servers');
  if (schemeOf(text) !== 'nats') {
    throw new InputError(`the URL of a NATS store must begin with nats:, not ${label}; ${FORM}`);
  }
  if (hosts[0] === '') throw new InputError(`the URL of a NATS store must have a host; ${FORM}`);
  const url = new URL(text.replace(hosts.join(','), hosts[0]));
  const { searchParams: query } = url;
  checkQuery(query, 'a NATS', IN_URL);
  const bucket = options.bucket ?? (decodedPart(url.pathname.replace(/^\//, '')) || 'hustings');
  if (!/^[-\w]+$/.test(bucket)) {
    throw new InputError(
      `the bucket of a NATS store must have only letters, digits, - and _, not ${JSON.stringify(bucket)}`,
    );
  }
  const [user, password] = [decodedPart(url.username), decodedPart(url.password)];
  const timeoutMs = wholeSetting('timeoutMs', options.timeoutMs ?? query.get('timeoutMs') ?? 2_000, 1);
  return {
    ...{ url: text, label, bucket, timeoutMs },
    waitAfterCreation:
      options.waitAfterCreation ?? flagSetting('waitAfterCreation', query.get('waitAfterCreation') ?? 'true'),
    replicas: wholeSetting('replicas', options.replicas ?? query.get('replicas') ?? 1, 1),
    connection: {
      servers: [...hosts],
      ...(password === '' ? (user === '' ? {} : { token: user }) : { user, pass: password }),
      timeout: timeoutMs,
      // A server that is silent for one and a half timeouts is left for another one. The library's own interval is two minutes.
      pingInterval: Math.ceil(timeoutMs / 2),
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 100,
      ignoreClusterUpdates: false,
      ...options.client,
    },
  };
}
