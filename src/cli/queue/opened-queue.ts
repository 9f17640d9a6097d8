/** Opens the queue of a command. */

import { versionOfPackage } from '../../base/command/package-version.ts';
import { EnvironmentError } from '../../base/hustings-error.ts';
import { StoreError } from '../../lease/core/store-error.ts';
import { hasPassword } from '../../lease/store-url.ts';
import { QueueConnection } from '../../queue/queue-connection.ts';

/** Fails if the server cannot be used. */
export async function openQueue(url: string): Promise<QueueConnection> {
  try {
    return await QueueConnection.open(url, versionOfPackage());
  } catch (error) {
    if (!(error instanceof StoreError) || error.kind !== 'denied' || hasPassword(url)) throw error;
    const text = `${url} needs a password; set HUSTINGS_QUEUE to a URL with the password`;
    throw new EnvironmentError(text, error);
  }
}

/** Closes the queue after `work`. */
export async function withQueue<T>(url: string, work: (queue: QueueConnection) => Promise<T>): Promise<T> {
  const connection = await openQueue(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
