/** A connection of Postgres.js that is destroyed before the server is ready. */
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { existingPostgresJs } from '../../../../src/lease/stores/postgres/clients/existing-postgres-js.ts';

describe('a connection of Postgres.js to a server that has not answered yet', () => {
  let server: Server;
  const accepted: Socket[] = [];
  beforeEach(async () => {
    server = createServer((socket) => accepted.push(socket.resume().on('error', () => undefined)));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(() => {
    for (const socket of accepted.splice(0)) socket.destroy();
    server.close();
  });

  it('is not opened again after it was destroyed', async () => {
    const { port } = server.address() as AddressInfo;
    const sql = postgres({ host: '127.0.0.1', port, user: 'u', database: 'd' });
    const { servers } = await existingPostgresJs(sql as never, 20_000);
    const client = servers[0](null);
    const connected = client.connect().catch((reason: unknown) => reason);
    await expect.poll(() => accepted.length, { timeout: 20_000 }).toBe(1);
    client.destroy();
    expect(await connected).toBeInstanceOf(Error);
    await expect.poll(() => accepted.every(({ destroyed }) => destroyed), { timeout: 20_000 }).toBe(true);
    // The library would connect again at once.
    await delay(100);
    expect(accepted.filter(({ destroyed }) => !destroyed)).toEqual([]);
    expect(accepted).toHaveLength(1);
  });
});
