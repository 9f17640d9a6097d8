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
  close(): Promise<void>;
}

/** `isFenced` false: a service that takes everything, to show that the harness sees it. */
export async function startSink(name: string, key: FenceKey | null, isFenced = true): Promise<Sink> {
  const accepted: bigint[] = [];
  let stale = 0;
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
  return {
    url: `http://127.0.0.1:${port}/`,
    accepted,
    get stale() {
      return stale;
    },
    async close() {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
