/** A fenced service: it delays some writes like a slow network, and records the accepted writes. */
import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { splitFence } from '../../../src/lease/fence/fence.ts';
import type { FenceKey } from '../../../src/lease/fence/fence-key.ts';
import { FenceGate, withFence } from '../../../src/lease/fence/index.ts';

export interface Sink {
  readonly url: string;
  /** In the order in which they were let through. */
  readonly accepted: readonly bigint[];
  /** How many came too late, and were refused. */
  readonly stale: number;
  /** Sends one write of every term that wrote before: all but those of the newest are too late. */
  repeat(): Promise<void>;
  close(): Promise<void>;
}

/** `isFenced` false: a service that takes everything, to show that the harness sees it. */
export async function startSink(name: string, key: FenceKey | null, isFenced = true): Promise<Sink> {
  const accepted: bigint[] = [];
  let stale = 0;
  const fences = new Set<string>();
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const gate = new FenceGate({
    name,
    ...(key === null ? {} : { key }),
    onRejected: ({ refusal }) => {
      if (refusal === 'stale') stale++;
    },
  });
  const fenced = withFence((_request, response, { token }) => {
    accepted.push(token);
    response.writeHead(200, {});
    response.end('');
  }, gate);
  const server = createServer(async (request, response) => {
    fences.add(String(request.headers['hustings-fence']));
    const delayMs = Number(request.headers['x-delay-ms'] ?? 0);
    // A leader that is killed hangs up; what it sent is on its way all the same.
    if (delayMs > 0) await sleep(delayMs, undefined, { signal: stopping.signal }).catch(() => {});
    if (isFenced) await fenced(request, response);
    else {
      accepted.push(splitFence(request.headers['hustings-fence']).token);
      response.end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  return {
    url,
    accepted,
    get stale() {
      return stale;
    },
    async repeat() {
      for (const fence of [...fences]) {
        const answer = await fetch(url, { method: 'POST', headers: { 'hustings-fence': fence } });
        await answer.text();
      }
    },
    async close() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
