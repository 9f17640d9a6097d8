/**
 * Compare-and-set of one key of a bucket. Each write names the sequence number of the message that it replaces.
 *
 * Servers before 2.9.21 compare that number before the replicas agree on the write, and not again afterwards: of several writes that
 * are under way at once, each may replace the same message (nats-server issue 4320). Those servers do refuse a second message with the
 * same id when the replicas have agreed, so there the id of a write is the key and the revision that it replaces. Later servers compare
 * at the right moment, and some of them remember the id of a write that they have dropped.
 *
 * A revision is the incarnation of the bucket, the server that gave it and the sequence number of a message; on those early servers
 * also a digest of its text. There a server that was paused may give a number a second time, and would take the id of the number
 * alone for one that it has seen in the last two minutes.
 *
 * A server has another id after each start, also after the start on an older copy of its data, which gives numbers a second time. So a
 * process that was paused between its reading and its write does not replace a message that it has not read.
 */
import { createHash } from 'node:crypto';
import type { MsgHdrs } from '@nats-io/transport-node';
import { StoreError } from '../../core/store-error.ts';
import type { NatsBucket, NatsLibrary } from './nats-connection.ts';
import { isConflict } from './nats-error.ts';
import type { NatsIncarnation } from './nats-incarnation.ts';
import type { NatsSettings } from './nats-settings.ts';

/** Stands for the message of a key that has none. */
export const NO_MESSAGE = '0';

/** A write of one key. */
export interface KeyWrite {
  readonly key: string;
  /** Null to delete the key. */
  readonly text: string | null;
  /** The message that is replaced. */
  readonly replaces: string;
}

/** What a server answers to a message for a stream. */
interface Acknowledgement {
  readonly seq?: number;
  readonly duplicate?: boolean;
  readonly error?: { readonly err_code?: number; readonly description?: string };
}

/** The sequence number of a message; 0 for none. On early servers also the digest of its text. */
export function messageOf(bucket: NatsBucket, sequence: number, text: string): string {
  if (!bucket.comparesEarly || sequence === 0) return `${sequence}`;
  return `${sequence} ${createHash('sha256').update(text).digest('base64url').slice(0, 16)}`;
}

/** The id of the server of a connection, which is new after each start of the server; '' while it is not connected. */
export const serverOf = ({ connection }: NatsBucket): string => connection.info?.server_id ?? '';

export const revisionOf = ({ id }: NatsIncarnation, server: string, message: string): string =>
  `${id} ${server} ${message}`;

/** The message of a revision; null if it belongs to another incarnation, or was given by another server. */
export function messageIn({ id }: NatsIncarnation, server: string, revision: string): string | null {
  const given = `${id} ${server} `;
  return server !== '' && revision.startsWith(given) ? revision.slice(given.length) : null;
}

/** Resolves with the message that was written, or with null if the one that it should replace was not there. */
export async function writeKey(
  { transport }: NatsLibrary,
  { label, bucket, timeoutMs }: NatsSettings,
  open: NatsBucket,
  { key, text, replaces }: KeyWrite,
): Promise<string | null> {
  const headers: MsgHdrs = transport.headers();
  headers.set('Nats-Expected-Last-Subject-Sequence', `${Number.parseInt(replaces, 10)}`);
  // A key that never was there is compared at the right moment by all servers.
  if (replaces !== NO_MESSAGE && open.comparesEarly) headers.set('Nats-Msg-Id', `${key} ${replaces}`);
  if (text === null) {
    headers.set('KV-Operation', 'PURGE');
    headers.set('Nats-Rollup', 'sub');
  }
  const answer = await open.connection
    .request(`$KV.${bucket}.${key}`, text ?? '', { headers, timeout: timeoutMs })
    .catch((error: unknown) => {
      // The server of the connection answers this when no server leads the bucket, which lasts some seconds.
      if (!(error instanceof transport.RequestError) || !error.isNoResponders()) throw error;
      throw new StoreError('busy', `${label} has no server that leads the bucket ${bucket} now`, error);
    });
  const { seq, duplicate, error } = answer.json<Acknowledgement>();
  if (duplicate === true) return null;
  if (seq !== undefined && error === undefined) return messageOf(open, seq, text ?? '');
  const refusal = { name: 'JetStreamApiError', code: error?.err_code, message: error?.description };
  if (isConflict(refusal)) return null;
  throw refusal;
}
