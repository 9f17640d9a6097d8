import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../../../../test-kit/until.ts';
import type { Sidecar } from '../../src/sidecar/sidecar.ts';
import { get, openStream, post, progress, send, start } from './sidecar-client.ts';

let sidecar: Sidecar;
let folder: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-sidecar-'));
  sidecar = await start({ names: ['billing', 'report'], timing: { ttlMs: 15_000 }, stopGraceMs: 50 });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy();
});
afterAll(async () => {
  await sidecar.close();
  rmSync(folder, { recursive: true, force: true });
});

const isIdle = async (): Promise<boolean> => {
  const { elections } = (await get(sidecar, '/healthz')).body;
  return elections.every(({ state }: { state: string }) => state === 'idle');
};

/** An open connection on which nothing was sent yet. */
function connection(): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect(sidecar.port!, '127.0.0.1', () => resolve(socket)).once('error', reject);
    socket.on('error', () => undefined);
    sockets.push(socket);
  });
}

describe('a request is refused with 403', () => {
  it.each(['evil.example', 'evil.example:PORT', '127.0.0.1', '[::1]:PORT', '0.0.0.0:PORT'])(
    'for the Host %s',
    async (text) => {
      const host = text.replace('PORT', String(sidecar.port));
      for (const path of ['/leader?name=billing', '/metrics', '/healthz']) {
        expect((await send(sidecar, path, { headers: { host } })).status).toBe(403);
      }
      expect((await post(sidecar, '/campaign', { name: 'billing' }, { host })).status).toBe(403);
      expect(await isIdle()).toBe(true);
    },
  );

  it('for any Origin: no page has business here', async () => {
    for (const origin of ['http://evil.example', 'null', `http://127.0.0.1:${sidecar.port}`]) {
      expect((await send(sidecar, '/leader?name=billing', { headers: { origin } })).status).toBe(403);
      expect((await post(sidecar, '/campaign', { name: 'billing' }, { origin })).status).toBe(403);
    }
    const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect((await send(sidecar, '/metrics', { headers })).status).toBe(403);
    expect(await isIdle()).toBe(true);
  });

  it('if it changes something without the token, or with a wrong one', async () => {
    const right = 'a-token-of-the-test';
    for (const token of [undefined, '', right.slice(1), `${right}x`, right.toUpperCase()]) {
      const headers = { 'x-hustings-token': token };
      for (const path of ['/campaign', '/progress', '/release']) {
        expect((await post(sidecar, path, { name: 'billing' }, headers)).status).toBe(403);
      }
    }
    expect(await isIdle()).toBe(true);
  });

  it('for two Hosts, of which the first one is right', async () => {
    const socket = await connection();
    let text = '';
    socket.on('data', (data) => (text += data));
    socket.write(`GET /healthz HTTP/1.1\r\nhost: 127.0.0.1:${sidecar.port}\r\nhost: evil.example\r\n\r\n`);
    await until(() => text !== '');
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('if it asks for an upgrade', async () => {
    const socket = await connection();
    let text = '';
    socket.on('data', (data) => (text += data));
    socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n');
    await until(() => text !== '');
    expect(text).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a request is refused', () => {
  it('with 415, 400, 404, 405 and 413 for a wrong form, and begins nothing', async () => {
    const cases: [number, Promise<{ status: number }>][] = [
      [
        415,
        post(sidecar, '/campaign', 'name=billing', { 'content-type': 'application/x-www-form-urlencoded' }),
      ],
      [400, post(sidecar, '/campaign', '{')],
      [400, post(sidecar, '/campaign', '[]')],
      [400, post(sidecar, '/campaign', {})],
      [400, post(sidecar, '/campaign', { name: '__proto__' })],
      [400, post(sidecar, '/campaign', { name: 'billing', proof: 'stream' })],
      [400, post(sidecar, '/campaign', { name: 'billing', proof: 'word' })],
      [400, post(sidecar, '/campaign', { name: 'billing', progressWithinMs: 1 })],
      [400, post(sidecar, '/campaign', { name: 'billing', progressWithinMs: '500' })],
      [400, post(sidecar, '/progress', { campaign: 7 })],
      [410, post(sidecar, '/progress', { campaign: 'gone' })],
      [410, post(sidecar, '/release', { campaign: 'gone' })],
      [404, get(sidecar, '/')],
      [404, get(sidecar, '/constructor')],
      [404, get(sidecar, '/fence')],
      [400, get(sidecar, '/leader?name=other')],
      [405, get(sidecar, '/campaign?name=billing')],
      [405, send(sidecar, '/leader', { method: 'DELETE' })],
      [413, post(sidecar, '/campaign', { name: 'billing', padding: 'x'.repeat(5_000) })],
    ];
    for (const [status, answer] of cases) expect((await answer).status).toBe(status);
    expect(await isIdle()).toBe(true);
  });

  it.each([
    ['progresWithinMs', '; did you mean progressWithinMs?'],
    ['prof', '; did you mean proof?'],
    ['constructor', ''],
  ])('with 400 for the unknown field %s, with the known ones, and begins nothing', async (field, meant) => {
    const { status, body } = await post(sidecar, '/campaign', { name: 'billing', [field]: 'stream' });
    const error = `there is no field '${field}'${meant}; /campaign has name, proof, progressWithinMs`;
    expect([status, body]).toEqual([400, { error }]);
    expect(await isIdle()).toBe(true);
  });

  it.each([
    ['its chunks are longer than allowed', 'transfer-encoding: chunked', `1388\r\n${'x'.repeat(5_000)}\r\n`],
    ['its length is larger than allowed', 'content-length: 5000', ''],
  ])(
    'with 413 at once if %s, also if the client waits with the rest for an answer',
    async (_, header, part) => {
      const socket = await connection();
      let text = '';
      let isOver = false;
      socket.on('data', (data) => (text += data)).on('close', () => (isOver = true));
      socket.write(
        `POST /campaign HTTP/1.1\r\nhost: 127.0.0.1:${sidecar.port}\r\nx-hustings-token: a-token-of-the-test\r\n` +
          `content-type: application/json\r\n${header}\r\n\r\n${part}`,
      );
      // After five seconds the answer would be 408.
      await until(() => text.includes('\r\n\r\n'));
      expect(text).toMatch(/^HTTP\/1\.1 413 /);
      await until(() => text.includes('the request must be at most 4096 bytes'));
      // Nor may the rest take longer than a request.
      await until(() => isOver);
    },
  );

  it('if its body is huge: the connection ends long before all is sent', async () => {
    const socket = await connection();
    const most = 64 * 1024 * 1024;
    socket.write(
      `POST /campaign HTTP/1.1\r\nhost: 127.0.0.1:${sidecar.port}\r\nx-hustings-token: a-token-of-the-test\r\n` +
        `content-type: application/json\r\ncontent-length: ${most}\r\n\r\n`,
    );
    let text = '';
    let isOver = false;
    socket.on('data', (data) => (text += data)).on('close', () => (isOver = true));
    const chunk = Buffer.alloc(64 * 1024, 'x');
    let sent = 0;
    while (!isOver && sent < most) {
      sent += chunk.length;
      if (!socket.write(chunk))
        await new Promise((resolve) => socket.once('drain', resolve).once('close', resolve));
    }
    expect(isOver || text.includes('413')).toBe(true);
    expect(sent).toBeLessThan(most / 4);
    expect((await get(sidecar, '/healthz')).status).toBe(200);
  });
});

describe('a flood', () => {
  it('of silent connections ends some of them, and neither a stream nor a new request', async () => {
    const stream = openStream(sidecar, { name: 'report', proof: 'stream' });
    await until(() => stream.news.some(({ type }) => type === 'elected'));
    const silent = await Promise.all(Array.from({ length: 300 }, connection));
    await until(() => silent.filter(({ destroyed, closed }) => destroyed || closed).length >= 230);
    expect((await get(sidecar, '/leader?name=report')).body).toMatchObject({ leads: true });
    expect(stream.news.some(({ type }) => type === 'lost')).toBe(false);
    const [first] = stream.news;
    await post(sidecar, '/release', { campaign: first.type === 'campaign' ? first.campaign : '' });
  });

  it('of requests that never end is cut after a time, and others are answered meanwhile', async () => {
    const slow = await Promise.all(Array.from({ length: 10 }, connection));
    let cut = 0;
    for (const socket of slow) {
      socket.write(`GET /leader HTTP/1.1\r\nhost: 127.0.0.1:${sidecar.port}\r\nx: `);
      const timer = setInterval(() => socket.write('x'), 100);
      socket.on('close', () => {
        cut++;
        clearInterval(timer);
      });
    }
    expect((await get(sidecar, '/healthz')).status).toBe(200);
    await until(() => cut === slow.length);
    expect((await get(sidecar, '/healthz')).status).toBe(200);
  });
});

describe('several elections', () => {
  it('are independent, and each has its campaign, leader and metrics', async () => {
    const { body } = await post(sidecar, '/campaign', { name: 'billing' });
    await until(async () => (await progress(sidecar, body.campaign)).state === 'leading');
    const [billing, report] = await Promise.all([
      get(sidecar, '/leader?name=billing'),
      get(sidecar, '/leader?name=report'),
    ]);
    expect(billing.body).toMatchObject({ name: 'billing', type: 'led', leads: true });
    expect(report.body).toMatchObject({ name: 'report', leads: false });
    const metrics = await get(sidecar, '/metrics');
    expect(metrics.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(metrics.body).toMatch(/hustings_is_leader\{election="billing",candidate="[^"]+"\} 1/);
    expect(metrics.body).toMatch(/hustings_is_leader\{election="report",candidate="[^"]+"\} 0/);
    await post(sidecar, '/release', { campaign: body.campaign });
  });
});

describe('a Unix-domain socket', () => {
  it('serves its user alone, and goes away with the sidecar', async () => {
    const socket = join(folder, 'sock');
    const first = await start({ place: { socket }, stopGraceMs: 50 });
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const to = { socketPath: socket };
    expect((await get(to, '/leader')).body).toMatchObject({ type: 'vacant' });
    expect((await post(to, '/campaign', {}, { 'x-hustings-token': undefined })).status).toBe(403);
    expect((await post(to, '/campaign')).status).toBe(201);
    await expect(start({ place: { socket } })).rejects.toThrow(/the socket .* is in use/);
    await first.close();
    expect(existsSync(socket)).toBe(false);
  });
});

describe('the sidecar', () => {
  it('is refused with a short token, without an election, with one twice, and on a port that is in use', async () => {
    await expect(start({ token: 'short' })).rejects.toThrow(/the token must have at least 16/);
    await expect(start({ names: [] })).rejects.toThrow(/an election is required/);
    await expect(start({ names: ['a', 'a'] })).rejects.toThrow(/a name of its own/);
    await expect(start({ place: { port: sidecar.port! } })).rejects.toThrow(
      `port ${sidecar.port} is in use; use another one, or 0 for any`,
    );
  });

  it('shows the metadata of the leader, such as its address', async () => {
    const metadata = { address: '10.0.0.7:80' };
    const named = await start({ metadata, stopGraceMs: 50 });
    const { body } = await post(named, '/campaign');
    await until(async () => (await progress(named, body.campaign)).state === 'leading');
    expect((await get(named, '/leader')).body).toMatchObject({ type: 'led', metadata });
    await named.close();
  });

  it('signs fences with a key, and shows none without the token', async () => {
    const fenceKey = 'k'.repeat(32);
    const signing = await start({ fenceKey, stopGraceMs: 50 });
    const { body } = await post(signing, '/campaign');
    await until(async () => (await progress(signing, body.campaign)).state === 'leading');
    const { fence = '', token = '' } = await progress(signing, body.campaign);
    const { readFence } = await import('../../src/lease/fence/signed-fence.ts');
    expect(readFence(fence, { name: 'billing', key: fenceKey }).token).toBe(BigInt(token));
    for (const path of ['/leader', '/healthz', '/metrics', '/readyz']) {
      const text = JSON.stringify((await get(signing, path)).body);
      expect(text).not.toContain(fence.split('.').at(-1));
    }
    await post(signing, '/release', { campaign: body.campaign });
    await signing.close();
  });
});
