import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { until } from '../../../../../test-kit/until.ts';
import {
  FENCE_HEADER,
  FenceGate,
  FenceRejections,
  FileFenceMarks,
  fenceHeaders,
  type GateOptions,
  plainFence,
  signFence,
  withFence,
  withFetchFence,
} from '../../../src/lease/fence/index.ts';
import { expectLaw, falls, race, type Sink, terms } from './fence-law.ts';

const name = 'billing';
const key = randomBytes(32);
const folder = temporaryFolder();
const signed = (token: bigint): Record<string, string> =>
  fenceHeaders({ fence: signFence({ name, token, key }) });

const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

/** A service that answers with the token; its address. */
async function serve(options: GateOptions | FenceGate): Promise<string> {
  const server = createServer(withFence((_, response, { token }) => response.end(String(token)), options));
  servers.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

/** The same as a handler of fetch. */
function handle(options: GateOptions | FenceGate): (headers: Record<string, string>) => Promise<Response> {
  const handler = withFetchFence(async (_: Request, { token }) => new Response(String(token)), options);
  return (headers) => handler(new Request('http://service.example/', { headers }));
}

const kinds = [
  [
    'node:http',
    async (options: GateOptions | FenceGate) => {
      const url = await serve(options);
      return (headers: Record<string, string>) => fetch(url, { headers });
    },
  ],
  ['fetch', async (options: GateOptions | FenceGate) => handle(options)],
] as const;

describe.each(kinds)('a handler of %s behind a fence', (_, start) => {
  it('answers the newest term, 412 to an older one, 403 to a forged or foreign one, 400 to none', async () => {
    const rejections = new FenceRejections();
    const request = await start({ name, key, onRejected: rejections.count });
    const status = async (headers: Record<string, string>) => (await request(headers)).status;
    const answer = await request(signed(5n));
    expect([answer.status, await answer.text()]).toEqual([200, '5']);
    expect(await status(signed(5n))).toBe(200);
    expect(await status(signed(4n))).toBe(412);
    expect(await status(fenceHeaders({ name, token: 2n ** 63n - 1n }))).toBe(403);
    expect(await status({ [FENCE_HEADER]: signFence({ name: 'other', token: 9n, key }) })).toBe(403);
    expect(await status({ [FENCE_HEADER]: signFence({ name, token: 9n, key: randomBytes(32) }) })).toBe(403);
    expect(await status({})).toBe(400);
    expect(await status({ [FENCE_HEADER]: '5' })).toBe(400);
    expect(await status({ [FENCE_HEADER]: 'h'.repeat(5_000) })).toBe(400);
    expect(await status(signed(5n))).toBe(200);
    expect(rejections.byKind).toEqual({ stale: 1, forged: 2, foreign: 1, malformed: 3 });
  });

  it('gives the reason as JSON with a code', async () => {
    const request = await start({ name });
    await request(fenceHeaders({ name, token: 5n }));
    const refused = await request(fenceHeaders({ name, token: '4' }));
    expect(refused.headers.get('content-type')).toBe('application/json');
    expect(await refused.json()).toMatchObject({
      code: 'HUSTINGS_FENCE_STALE',
      message: expect.stringContaining('not 4'),
    });
  });

  it('answers 503 while the fence cannot be checked, without the reason', async () => {
    const newest = () => Promise.reject(new Error('password authentication failed for user "app"'));
    const refused = await (await start({ newest }))(fenceHeaders({ name, token: 5n }));
    expect(refused.status).toBe(503);
    expect(await refused.text()).not.toContain('password');
  });

  it('remembers its marks over a restart if they are in a file', async () => {
    const path = join(folder.path, `marks-${Math.random()}`);
    const before = await start({ name, marks: new FileFenceMarks(path) });
    expect((await before(fenceHeaders({ name, token: 5n }))).status).toBe(200);
    const after = await start({ name, marks: new FileFenceMarks(path) });
    expect((await after(fenceHeaders({ name, token: 4n }))).status).toBe(412);
  });
});

describe('a service behind a fence', () => {
  it('keeps P4 for racing requests; without the fence the same race violates it', async () => {
    const sink = (gate: FenceGate | null): Sink => {
      const log: bigint[] = [];
      const write = async (request: Request): Promise<Response> => {
        const text = await request.text();
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 3));
        log.push(BigInt(text));
        return new Response('written');
      };
      const handler = gate === null ? write : withFetchFence(write, gate);
      return {
        accepted: async () => log,
        write: async (token) => {
          const body = String(token);
          const headers = fenceHeaders({ name, token });
          const { status } = await handler(
            new Request('http://service.example/', { method: 'POST', body, headers }),
          );
          // Asked once more, for the error that a sink throws.
          if (status === 412) await gate?.pass({ name, token });
        },
      };
    };
    expect(await expectLaw(sink(new FenceGate({ name })), terms(5, 20))).toBeGreaterThan(0);
    const twin = sink(null);
    await race(twin, terms(5, 20));
    expect(falls(await twin.accepted())).toBe(true);
  });

  it('does not wait for slow or closed clients of the old term', async () => {
    const gate = new FenceGate({ name });
    const held: ServerResponse[] = [];
    const server = createServer(
      withFence((_, response: ServerResponse, { token }) => {
        if (token === 1n) response.end('x'.repeat(50_000_000));
        else if (token === 2n) held.push(response);
        else response.end('done');
      }, gate),
    );
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const send = (token: bigint) =>
      get({ port, host: '127.0.0.1', headers: fenceHeaders({ name, token }), agent: false }).on(
        'error',
        () => {},
      );
    const slow = send(1n);
    await once(slow, 'response');
    const gone = send(2n);
    await expect.poll(() => held.length, { timeout: 20_000 }).toBe(1);
    gone.destroy();
    const [answer] = await once(send(3n), 'response');
    expect(answer.statusCode).toBe(200);
    answer.resume();
    slow.destroy();
  });

  it('throws the error of its handler, and serves the next request', async () => {
    let isBroken = true;
    const handler = withFetchFence(
      async (_: Request) => {
        if (isBroken) throw new Error('disk full');
        return new Response('done');
      },
      { name },
    );
    const request = (token: bigint) =>
      handler(new Request('http://service.example/', { headers: fenceHeaders({ name, token }) }));
    await expect(request(1n)).rejects.toThrow('disk full');
    isBroken = false;
    expect((await request(2n)).status).toBe(200);
  });

  it('passes further arguments to the handler', async () => {
    const handler = withFetchFence(
      async (_: Request, { token }, context: { region: string }) =>
        new Response(`${context.region} ${token}`),
      { name },
    );
    const request = new Request('http://service.example/', {
      headers: { [FENCE_HEADER]: plainFence({ name, token: 3n }) },
    });
    expect(await (await handler(request, { region: 'north' })).text()).toBe('north 3');
  });
});

describe('a request of an older leader that was sent by half', () => {
  it('does not hold up a newer leader: it gets 503 with Retry-After, and passes when the old handler has ended', async () => {
    const gate = new FenceGate({ name, waitMs: 50 });
    let old: AbortSignal | undefined;
    const server = createServer(
      withFence(async (request: IncomingMessage, response: ServerResponse, { token, signal }) => {
        if (token === 1n) {
          old = signal;
          await buffer(addAbortSignal(signal, request)).catch(() => {});
        }
        response.end(String(token));
      }, gate),
    );
    servers.push(server.listen(0, '127.0.0.1'));
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    const header = `${FENCE_HEADER}: ${plainFence({ name, token: 1n })}`;
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\n${header}\r\nContent-Length: 100\r\n\r\nhalf`);
    await until(() => old !== undefined);
    const ask = (): Promise<Response> =>
      fetch(`http://127.0.0.1:${port}/`, { headers: fenceHeaders({ name, token: 2n }) });
    await until(async () => (await ask()).status === 200);
    expect(old?.aborted).toBe(true);
    socket.destroy();
  });

  it('gets 503 as long as the old handler ignores its signal', async () => {
    const gate = new FenceGate({ name, waitMs: 50 });
    let finish: (() => void) | undefined;
    const handler = withFetchFence(async (_: Request, { token }) => {
      if (token === 1n)
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      return new Response(String(token));
    }, gate);
    const ask = (token: bigint): Promise<Response> =>
      handler(new Request('http://service.example/', { headers: fenceHeaders({ name, token }) }));
    const first = ask(1n);
    await until(() => finish !== undefined);
    const refused = await ask(2n);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ code: 'HUSTINGS_FENCE_BUSY' });
    finish?.();
    expect((await first).status).toBe(200);
    expect((await ask(2n)).status).toBe(200);
    expect((await ask(1n)).status).toBe(412);
  });
});
