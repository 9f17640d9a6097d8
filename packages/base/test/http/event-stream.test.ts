import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { EventStream } from '../../src/http/event-stream.ts';

it('a stream is closed when its reader is far behind, so that it costs little memory', async () => {
  let stream: EventStream | undefined;
  let isClosed = false;
  const server = createServer((_, response) => {
    stream = new EventStream(response, () => {
      isClosed = true;
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket: Socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n');
  while (stream === undefined) await turn();
  const message = 'x'.repeat(100_000);
  let sent = 0;
  // What the kernel buffers comes on top of what the stream keeps.
  while (!isClosed && sent < 10_000) {
    stream.send(message);
    stream.keepAlive();
    sent++;
    await turn();
  }
  expect(isClosed).toBe(true);
  socket.destroy();
  server.close();
});
