import { connect, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import { get, openStream, start } from './sidecar-client.ts';

const STREAMS = 1_000;

it('1,000 services lead over 1,000 streams of one sidecar, and a probe is still answered', async () => {
  const names = Array.from({ length: STREAMS }, (_, index) => `election-${index}`);
  const sidecar = await start({ names, timing: { ttlMs: 120_000 }, stopGraceMs: 50 });
  const streams = names.map((name) => openStream(sidecar, { name, proof: 'stream' }));
  const isElected = ({ news }: (typeof streams)[number]): boolean =>
    news.some(({ type }) => type === 'elected');
  await until(() => streams.every(isElected));
  expect((await get(sidecar, '/healthz')).status).toBe(200);
  expect((await get(sidecar, `/leader?name=${names[STREAMS - 1]}`)).body.leads).toBe(true);
  await sidecar.close();
  await Promise.all(streams.map(({ ended }) => ended));
}, 120_000);

it('a client that does not read its stream does not keep the sidecar from ending', async () => {
  const sidecar = await start({ timing: { ttlMs: 1_500 }, stopGraceMs: 50 });
  const socket: Socket = await new Promise((resolve) => {
    const opened = connect(sidecar.port!, '127.0.0.1', () => resolve(opened));
  });
  socket.pause();
  const body = '{"progressWithinMs":60000}';
  socket.write(
    `POST /campaign HTTP/1.1\r\nhost: 127.0.0.1:${sidecar.port}\r\naccept: text/event-stream\r\n` +
      `x-hustings-token: a-token-of-the-test\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await until(async () => (await get(sidecar, '/leader')).body.leads === true);
  await sidecar.close();
  await expect(get(sidecar, '/healthz')).rejects.toThrow();
  socket.destroy();
}, 60_000);
