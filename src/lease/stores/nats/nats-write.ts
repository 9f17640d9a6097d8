/**
 * Compare-and-set of one key of a bucket. Each write names the sequence number of the message that it replaces.
 *
 * Servers before 2.9.21 compare that number before the replicas agree on the write, and not again afterwards: of several writes that
 * are under way at once, each may replace the same message (nats-server issue 4320). Those servers do refuse a second message with the
 * same id when the replicas have agreed, so there the id of a write is the key and the number that it replaces. Later servers compare
 * at the right moment, and some of them remember the id of a write that they have dropped.
 */
import type { MsgHdrs } from '@nats-io/transport-node';
import { StoreError } from '../../core/store-error.ts';
import type { NatsBucket, NatsLibrary } from './nats-connection.ts';
import { isConflict } from './nats-error.ts';
import type { NatsSettings } from './nats-settings.ts';

/** A write of one key. */
export interface KeyWrite {
  readonly key: string;
  /** Null to delete the key. */
  readonly text: string | null;
  /** The sequence number of the message that is replaced; 0 if there is none. */
  readonly replaces: number;
}

/** What a server answers to a message for a stream. */
interface Acknowledgement {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

const FIXED_IN = [2, 9, 21];

/** Whether the server compares the sequence number too early. `version` is as the server greets. */
export function comparesEarly(version: string): boolean {
  const parts = /^(\d+)\.(\d+)\.(\d+)/.exec(version)?.slice(1).map(Number) ?? FIXED_IN;
  const index = parts.findIndex((part, at) => part !== FIXED_IN[at]);
  return index >= 0 && parts[index] < FIXED_IN[index];
}

/** Resolves with the sequence number of the new message, or with null if another message was there. */
export async function writeKey(
  { transport }: NatsLibrary,
  { label, bucket, timeoutMs }: NatsSettings,
  { connection }: NatsBucket,
  { key, text, replaces }: KeyWrite,
): Promise<number | null> {
  const headers: MsgHdrs = transport.headers();
  headers.set('Nats-Expected-Last-Subject-Sequence', `${replaces}`);
  // A key that never was there is compared at the right moment by all servers.
  if (replaces > 0 && comparesEarly(connection.info?.version ?? '')) {
    headers.set('Nats-Msg-Id', `${key} ${replaces}`);
  }
  if (text === null) {
    headers.set('KV-Operation', 'PURGE');
    headers.set('Nats-Rollup', 'sub');
  }
  const answer = await connection
    .request(`$KV.${bucket}.${key}`, text ?? '', { headers, timeout: timeoutMs })
    .catch((error: unknown) => {
      // The server of the connection answers this when no server leads the bucket, which lasts some seconds.
      if (!(error instanceof transport.RequestError) || !error.isNoResponders()) throw error;
      throw new StoreError('busy', `${label} has no server that leads the bucket ${bucket} now`, error);
    });
  const { seq, duplicate, error } = answer.json<Acknowledgement>();
  if (duplicate === true) return null;
  if (seq !== undefined && error === undefined) return seq;
  const refusal = { name: 'JetStreamApiError', code: error?.err_code, message: error?.description };
  if (isConflict(refusal)) return null;
  throw refusal;
}
