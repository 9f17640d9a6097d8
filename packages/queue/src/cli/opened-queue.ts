/** Opens the queue of a command. */

import { EnvironmentError } from '@hustings/base';
import { versionOfPackage } from '@hustings/base/command/package-version';
import { hasPassword } from 'hustings/internal/lease/store-url';
import { StoreError } from 'hustings/lease';
import { QueueConnection } from '../queue-connection.ts';

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
