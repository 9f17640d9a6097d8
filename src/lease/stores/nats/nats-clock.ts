/**
 * The clock of the server that leads the bucket: it writes the time into each message that it takes. So a message is written, and
 * read again; another process may have written a later one meanwhile.
 */
import type { NatsBucket } from './nats-connection.ts';
import type { NatsSettings } from './nats-settings.ts';

const KEY = 'clock';

export async function readClock(
  { connection, kv }: NatsBucket,
  { bucket, timeoutMs }: NatsSettings,
): Promise<number> {
  const answer = await connection.request(`$KV.${bucket}.${KEY}`, '', { timeout: timeoutMs });
  const { error } = answer.json<{ error?: { err_code?: number; description?: string } }>();
  const entry = error === undefined ? await kv.get(KEY) : null;
  if (entry !== null) return entry.created.getTime();
  throw { name: 'JetStreamApiError', code: error?.err_code, message: error?.description ?? 'no clock' };
}
