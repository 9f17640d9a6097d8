import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { HttpClient, type HttpError, TOO_MANY_WAIT } from '../../../src/lease/stores/http-client.ts';

const servers: Server[] = [];
const clients: HttpClient[] = [];
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

/** A server whose connections fall silent, as behind a firewall that forgot them. New connections work. */
async function start() {
  const sockets = new Set<Socket>();
  const silent = new Set<Socket>();
  const server = createServer((request, response) => {
    if (!silent.has(request.socket) && request.url !== '/never') response.end('{}');
  });
  server.on('connection', (socket) => sockets.add(socket));
  servers.push(server);
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    fallSilent: () => {
      for (const socket of sockets) silent.add(socket);
    },
  };
}

function clientOf(url: string, timeoutMs: number, onStall = () => {}): HttpClient {
  const client = new HttpClient(url, { timeoutMs, onStall });
  clients.push(client);
  return client;
}

describe('connections to an HTTP server', () => {
  it('are all given up when one of them gives no answer, since the others lead the same way', async () => {
    const server = await start();
    let stalls = 0;
    const client = clientOf(server.url, 1_000, () => stalls++);
    const ask = () => client.request({ method: 'POST', path: '/', body: '{}' });
    await Promise.all(Array.from({ length: 8 }, ask));
    server.fallSilent();
    await expect(ask()).rejects.toMatchObject({ code: 'no answer within 1000 ms', wasSent: true });
    expect(stalls).toBe(1);
    await expect(ask()).resolves.toMatchObject({ status: 200 });
  });

  it('carry a bounded number of requests, and those that wait end when the client is closed', async () => {
    const server = await start();
    const client = clientOf(server.url, 60_000);
    const waiting = Array.from({ length: 2_000 }, () => client.request({ method: 'GET', path: '/never' }));
    const ends = Promise.allSettled(waiting);
    await expect(client.request({ method: 'GET', path: '/' })).rejects.toMatchObject({
      code: TOO_MANY_WAIT,
      wasSent: false,
    });
    client.close();
    const codes = (await ends).map((each) => (each as PromiseRejectedResult).reason as HttpError);
    expect(new Set(codes.map(({ code }) => code))).toEqual(new Set(['closed by this process']));
  });
});
