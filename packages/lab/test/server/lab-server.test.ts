import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiCall, LabApi } from '../../src/server/lab-api.ts';
import { type LabServer, startLabServer } from '../../src/server/lab-server.ts';

const PAGE = '<!doctype html><title>page</title>';

/** Remembers what reaches it. */
class RecordingApi implements LabApi {
  readonly calls: ApiCall[] = [];
  isClosed = false;

  async handle(call: ApiCall, response: Parameters<LabApi['handle']>[1]): Promise<void> {
    this.calls.push(call);
    if (call.path === 'stream') {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write('data: 1\n\n');
    } else if (call.path === 'defect') throw new Error('secret of the defect');
    else response.end('done');
  }

  async close(): Promise<void> {
    this.isClosed = true;
  }
}

let folder: string;
let api: RecordingApi;
let server: LabServer;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hustings-lab-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html.br'), brotliCompressSync(PAGE));
  writeFileSync(join(folder, 'assets/main-1a2b.js.br'), brotliCompressSync('1;'));
  writeFileSync(join(folder, '.hidden.br'), brotliCompressSync('hidden'));
  api = new RecordingApi();
  server = await startLabServer({ port: 0, apis: { test: api }, folder });
});
afterEach(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

interface Sent {
  readonly method?: string;
  readonly headers?: Record<string, string | undefined>;
  readonly body?: string;
}

/** Sends exactly these headers: fetch would not let a test set Host or Origin. */
function send(path: string, { method = 'GET', headers = {}, body }: Sent = {}): Promise<Answer> {
  const given = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined));
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port: server.port, path, method, headers: given },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk) => chunks.push(chunk));
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            body: Buffer.concat(chunks),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}

const own = (): string => `http://127.0.0.1:${server.port}`;

/** A change as the page sends it. */
const change = (headers: Sent['headers'] = {}, body = '{"a":1}'): Promise<Answer> =>
  send('/api/test/change', {
    method: 'POST',
    headers: {
      origin: own(),
      'content-type': 'application/json',
      'x-hustings-token': server.token,
      'sec-fetch-site': 'same-origin',
      ...headers,
    },
    body,
  });

describe('the files of the page', () => {
  it('are sent compressed to a browser, and plain to others', async () => {
    const compressed = await send('/', { headers: { 'accept-encoding': 'gzip, deflate, br' } });
    expect(compressed.headers['content-encoding']).toBe('br');
    expect(brotliDecompressSync(compressed.body).toString()).toBe(PAGE);
    const plain = await send('/');
    expect(plain.headers['content-encoding']).toBeUndefined();
    expect(plain.body.toString()).toBe(PAGE);
  });

  it('have a strict content security policy and no permission for other sites', async () => {
    const { headers } = await send('/');
    const policy = String(headers['content-security-policy']);
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).toContain("frame-ancestors 'self'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['cross-origin-resource-policy']).toBe('same-origin');
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  it('are kept by the browser only if their name has a hash', async () => {
    expect((await send('/')).headers['cache-control']).toBe('no-cache');
    expect((await send('/assets/main-1a2b.js')).headers['cache-control']).toContain('immutable');
  });

  it.each([
    '/nothing',
    '/assets',
    '/assets/',
    '/../lab-server.test.ts',
    '/..%2f..%2fpackage.json',
    '/assets/..%2findex.html',
    '/.hidden',
    '//index.html',
    '/index.html%00',
  ])('do not include %s', async (path) => expect((await send(path)).status).toBe(404));

  it('include a script that checks types, for the page alone', async () => {
    const { status, headers, body } = await send('/typescript.js');
    expect([status, headers['content-type']]).toEqual([200, 'text/javascript; charset=utf-8']);
    expect(body.includes('self.declarations = {')).toBe(true);
    expect((await send('/typescript.js', { headers: { origin: 'http://evil.example' } })).status).toBe(403);
    expect((await send('/typescript.js', { headers: { host: 'evil.example' } })).status).toBe(403);
  });

  it('are answered to HEAD without their content', async () => {
    const { status, headers, body } = await send('/', { method: 'HEAD' });
    expect([status, headers['content-length'], body.length]).toEqual([200, String(PAGE.length), 0]);
  });
});

describe('a request is refused with 403', () => {
  it.each([
    'evil.example',
    'evil.example:PORT',
    '127.0.0.1',
    '127.0.0.1.evil.example:PORT',
    '[::1]:PORT',
    '0.0.0.0:PORT',
  ])('for the Host %s, also on a file', async (host) => {
    const headers = { host: host.replace('PORT', String(server.port)) };
    expect((await send('/', { headers })).status).toBe(403);
    expect((await send('/api/session', { headers })).status).toBe(403);
    expect((await change(headers)).status).toBe(403);
    expect(api.calls).toEqual([]);
  });

  it.each([
    'http://evil.example',
    'null',
    'http://127.0.0.1:1',
    'https://127.0.0.1:PORT',
    'http://127.0.0.1:PORT.evil.example',
  ])('for the Origin %s', async (text) => {
    const headers = { origin: text.replace('PORT', String(server.port)) };
    expect((await send('/api/session', { headers })).status).toBe(403);
    expect((await change(headers)).status).toBe(403);
    expect(api.calls).toEqual([]);
  });

  it('if it changes something without the token, or with a wrong one', async () => {
    const wrong = server.token.replace(/./g, '0');
    for (const token of [undefined, '', wrong, server.token.slice(1), `${server.token}0`]) {
      expect((await change({ 'x-hustings-token': token })).status).toBe(403);
    }
    expect(api.calls).toEqual([]);
  });

  it('if another site makes the browser send it', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded', 'x-hustings-token': undefined };
    expect((await change({ ...form, 'sec-fetch-site': 'cross-site', origin: undefined })).status).toBe(403);
    for (const site of ['cross-site', 'same-site']) {
      const headers = { 'sec-fetch-site': site, 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' };
      expect((await send('/api/session', { headers })).status).toBe(403);
      expect((await send('/assets/main-1a2b.js', { headers })).status).toBe(403);
      const link = { ...headers, 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' };
      expect((await send('/', { headers: link })).status).toBe(200);
      expect((await send('/api/test/read', { headers: link })).status).toBe(403);
      const frame = { ...link, 'sec-fetch-dest': 'iframe' };
      expect((await send('/', { headers: frame })).status).toBe(403);
    }
    expect(api.calls).toEqual([]);
  });

  it('if it asks for an upgrade', async () => {
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1', () =>
        socket.write(
          `GET / HTTP/1.1\r\nhost: 127.0.0.1:${server.port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
        ),
      );
      let text = '';
      socket.on('data', (data) => {
        text += data;
      });
      socket.on('close', () => resolve(text));
    });
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
  });
});

describe('a change', () => {
  it('reaches its API with its document', async () => {
    expect((await change()).status).toBe(200);
    expect((await change({ 'content-type': 'application/json; charset=utf-8' })).status).toBe(200);
    expect(api.calls).toMatchObject([{ method: 'POST', path: 'change', body: { a: 1 } }, {}]);
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])(
    'must be JSON, not %j',
    async (type) => {
      expect((await change({ 'content-type': type })).status).toBe(415);
      expect(api.calls).toEqual([]);
    },
  );

  it('must be a document of at most 64 kB', async () => {
    expect((await change({}, '{"a":')).status).toBe(400);
    expect((await change({}, JSON.stringify('a'.repeat(70_000)))).status).toBe(413);
    expect(api.calls).toEqual([]);
  });

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('by %s is refused', async (method) => {
    const token = { 'x-hustings-token': server.token };
    const refused = await send('/api/test/change', { method, headers: token });
    expect([refused.status, refused.headers.allow]).toEqual([405, 'GET, HEAD, POST']);
    const file = await send('/', { method: 'POST', headers: token });
    expect([file.status, file.headers.allow]).toEqual([405, 'GET, HEAD']);
    const session = { method: 'POST', headers: { ...token, 'content-type': 'application/json' } };
    const { status, headers } = await send('/api/session', session);
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
    expect(api.calls).toEqual([]);
  });

  it('is not made by HEAD, of which an API is told', async () => {
    await send('/api/test/change', { method: 'HEAD' });
    expect(api.calls).toMatchObject([{ method: 'HEAD', path: 'change', body: undefined }]);
  });

  it('never reaches an API as GET: a GET has no document', async () => {
    await send('/api/test/change?a=1', { headers: { 'x-hustings-token': server.token } });
    expect(api.calls).toMatchObject([{ method: 'GET', path: 'change', body: undefined }]);
  });
});

describe('the server of the lab', () => {
  it('gives its own page the token of this start', async () => {
    const { body } = await send('/api/session', { headers: { 'sec-fetch-site': 'same-origin' } });
    expect(JSON.parse(body.toString())).toEqual({ token: server.token, apis: ['test'] });
    const other = await startLabServer({ port: 0, folder });
    await other.close();
    expect(other.token).not.toBe(server.token);
  });

  it('listens on loopback alone', async () => {
    expect(server.url).toBe(`http://127.0.0.1:${server.port}/`);
    const refused = await new Promise((resolve) => {
      connect(server.port, '::1')
        .once('error', () => resolve(true))
        .once('connect', () => resolve(false));
    });
    expect(refused).toBe(true);
  });

  it('shows nothing of a defect, and answers the next request', async () => {
    const { status, body } = await send('/api/test/defect');
    expect(status).toBe(500);
    expect(body.toString()).not.toContain('secret');
    expect((await send('/')).status).toBe(200);
  });

  it('answers 404 for an API that is not there', async () => {
    expect((await send('/api/other/x')).status).toBe(404);
    expect((await send('/api/constructor/x')).status).toBe(404);
  });

  it('takes the next port if the first is in use', async () => {
    const taken = createServer();
    const port = await new Promise<number>((resolve) =>
      taken.listen(0, '127.0.0.1', () => resolve((taken.address() as AddressInfo).port)),
    );
    const next = await startLabServer({ port, folder });
    expect(next.port).toBeGreaterThan(port);
    await next.close();
    taken.close();
  });

  it('ends, although a stream is open, and frees its port', async () => {
    const stream = request({ host: '127.0.0.1', port: server.port, path: '/api/test/stream' });
    const ended = new Promise<void>((resolve) => {
      stream.on('response', (response) => response.on('data', () => {}).on('close', () => resolve()));
      stream.on('error', () => resolve());
    });
    stream.end();
    while (api.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await server.close();
    await ended;
    expect(api.isClosed).toBe(true);
    const again = await startLabServer({ port: server.port, folder });
    await again.close();
  });

  it('says what to do if the page is not built', async () => {
    await expect(startLabServer({ port: 0, folder: join(folder, 'none') })).rejects.toThrow(
      'the page of the lab is not built: run npm run build',
    );
  });
});
