/**
 * The clock of the server that leads the bucket: it writes the time into each message that it takes. So a message is written, and
 * read again; another process may have written a later one meanwhile.
 */
import { StoreError } from '../../core/store-error.ts';
import type { NatsBucket } from './nats-connection.ts';
import type { NatsSettings } from './nats-settings.ts';

const KEY = 'clock';

export async function readClock(
  { connection, kv }: NatsBucket,
  { label, bucket, timeoutMs }: NatsSettings,
): Promise<number> {
  const answer = await connection.request(`$KV.${bucket}.${KEY}`, '', { timeout: timeoutMs });
  const { error } = answer.json<{ error?: { err_code?: number; description?: string } }>();
  if (error !== undefined) {
    const refusal = { name: 'JetStreamApiError', code: error.err_code, message: error.description };
    throw Object.assign(new Error(), refusal);
  }
  const entry = await kv.get(KEY);
  if (entry === null)
    throw new StoreError('busy', `${label}: another program has deleted the key ${KEY} of ${bucket}`);
  return entry.created.getTime();
}
