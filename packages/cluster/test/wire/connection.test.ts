import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { Connection, PROCESS_CLOCK } from '../../src/wire/connection.ts';
import { STRICT } from '../../src/wire/policy.ts';

const TRAFFIC = { framesSent: 0, bytesSent: 0, framesReceived: 0, bytesReceived: 0 };
const EVENTS = { onEffect: () => undefined, onHeartbeatDue: () => undefined, onClose: () => undefined };

/** `before` is what happens to the socket in the same turn, before its connection is closed. */
async function closes(before: (socket: Socket) => void): Promise<boolean> {
  const server = createServer((socket) => socket.resume().on('error', () => undefined)).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const socket = connect((server.address() as { port: number }).port, '127.0.0.1');
  await once(socket, 'connect');
  const connection = new Connection(socket, socket, PROCESS_CLOCK, STRICT, EVENTS, { ...TRAFFIC });
  before(socket);
  connection.close(null, 'the member list has changed');
  await once(socket, 'close');
  server.close();
  return socket.destroyed;
}

it('closes a socket that Node is shutting down, because the peer has ended it in the same turn', async () => {
  expect(await closes((socket) => socket.end())).toBe(true);
});

it('closes a socket with bytes that the peer has not read', async () => {
  expect(await closes((socket) => socket.write(Buffer.alloc(8_000_000)))).toBe(true);
  expect(await closes((socket) => socket.end(Buffer.alloc(8_000_000)))).toBe(true);
});
