import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

let echo: Server;
let proxy: TcpProxy;
let received = '';
const clientEnds: Socket[] = [];
const serverEnds: Socket[] = [];

beforeEach(async () => {
  received = '';
  echo = createServer((socket) => {
    serverEnds.push(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      received += data;
      socket.write(`<${data}>`);
    });
  });
  echo.listen(0, '127.0.0.1');
  await once(echo, 'listening');
  proxy = await startTcpProxy((echo.address() as { port: number }).port);
});

afterEach(async () => {
  for (const socket of [...clientEnds.splice(0), ...serverEnds.splice(0)]) socket.destroy();
  await proxy.close();
  echo.close();
});

interface Client {
  readonly socket: Socket;
  heard: string;
  end: string;
}

function connect(): Client {
  const client: Client = { socket: createConnection(proxy.port, '127.0.0.1'), heard: '', end: '' };
  clientEnds.push(client.socket);
  client.socket.on('data', (data) => {
    client.heard += data;
  });
  client.socket.on('error', (error) => {
    client.end = (error as NodeJS.ErrnoException).code ?? '';
  });
  client.socket.on('close', () => {
    client.end ||= 'closed';
  });
  return client;
}

const until = (read: () => unknown, value: unknown): Promise<void> =>
  expect.poll(read, { timeout: 20_000, interval: 5 }).toBe(value);

describe('a proxy', () => {
  it('passes bytes both ways, counts them, and passes the end on', async () => {
    const client = connect();
    client.socket.write('hello');
    await until(() => client.heard, '<hello>');
    expect([proxy.bytesToServer, proxy.bytesToClient]).toEqual([5, 7]);
    expect(proxy.connections).toBe(1);
    client.socket.end();
    await until(() => client.end, 'closed');
    await until(() => proxy.openConnections, 0);
  });

  it('that is cut resets open connections and new ones, until it passes again', async () => {
    const before = connect();
    before.socket.write('a');
    await until(() => before.heard, '<a>');
    proxy.set('cut');
    await until(() => before.end, 'ECONNRESET');
    const during = connect();
    await until(() => during.end !== '', true);
    proxy.set('pass');
    const after = connect();
    after.socket.write('b');
    await until(() => after.heard, '<b>');
    expect(received).toBe('ab');
  });

  it('that is a black hole keeps connections open and swallows for good what is sent meanwhile', async () => {
    const old = connect();
    old.socket.write('a');
    await until(() => old.heard, '<a>');
    proxy.set('blackhole');
    const young = connect();
    await once(young.socket, 'connect');
    old.socket.write('b');
    young.socket.write('c');
    // Neither end learns that the other has hung up.
    serverEnds[0].end();
    await until(() => young.socket.bytesWritten, 1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    proxy.set('pass');
    old.socket.write('d');
    const fresh = connect();
    fresh.socket.write('e');
    await until(() => fresh.heard, '<e>');
    expect(received).toBe('ae');
    expect([old.end, old.heard, young.end, young.heard]).toEqual(['', '<a>', '', '']);
  });

  it('can swallow one way only: the server hears, the client does not', async () => {
    const client = connect();
    await once(client.socket, 'connect');
    proxy.set('swallow-to-client');
    client.socket.write('a');
    await until(() => received, 'a');
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([client.heard, client.end]).toEqual(['', '']);
  });

  it('can swallow one way only: the server does not hear, but is heard', async () => {
    const client = connect();
    await until(() => serverEnds.length, 1);
    proxy.set('swallow-to-server');
    client.socket.write('a');
    serverEnds[0].write('push');
    await until(() => client.heard, 'push');
    expect(received).toBe('');
  });

  it('delays each way, and keeps the order when the delay changes', async () => {
    const client = connect();
    await once(client.socket, 'connect');
    proxy.delay(100);
    const startMs = performance.now();
    client.socket.write('a');
    await until(() => proxy.openConnections, 1);
    await new Promise((resolve) => setTimeout(resolve, 20));
    proxy.delay(0);
    client.socket.write('b');
    await until(() => received, 'ab');
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(95);
  });

  it('resets a client whose server refuses', async () => {
    const lonely = await startTcpProxy(1);
    const socket = createConnection(lonely.port, '127.0.0.1');
    const [error] = await once(socket, 'error').catch((reason) => [reason]);
    expect(error).toMatchObject({ code: 'ECONNRESET' });
    await lonely.close();
  });

  it('writes itself into the address of a server', () => {
    expect(proxy.url('redis://u:p@127.0.0.1:1/0')).toBe(`redis://u:p@127.0.0.1:${proxy.port}/0`);
  });
});
