import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { createElector } from '../../../../src/elector/create-elector.ts';
import {
  RedisLeaseStore,
  type RedisStoreOptions,
} from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { describeWith, startRedis } from '../../servers/index.ts';

const TTL_MS = 1_000;

interface Line {
  readonly id: string;
  readonly token: bigint;
}

/** Three candidates; the leader writes a line every 5 ms and checks before each that it still leads. */
async function throughRestart(options: RedisStoreOptions): Promise<readonly Line[]> {
  const server = await startRedis({ appendonly: false });
  const stop = new AbortController();
  const lines: Line[] = [];
  const stores = await Promise.all([1, 2, 3].map(() => RedisLeaseStore.open(server.url, options)));
  const runs = stores.map((store, index) =>
    createElector({ store, name: 'job', id: `c${index}`, ttlMs: TTL_MS, processProof: '' }).campaign(
      async (lead) => {
        while (lead.isValid() && !stop.signal.aborted) {
          lines.push({ id: `c${index}`, token: lead.token });
          await sleep(5);
        }
      },
      { signal: stop.signal },
    ),
  );
  const terms = (): number => new Set(lines.map(({ token }) => token)).size;
  try {
    for (let round = 1; round <= 2; round++) {
      await expect.poll(terms, { timeout: 30_000, interval: 10 }).toBeGreaterThanOrEqual(round);
      // Long enough for a leader that was forgotten to write on, if it could.
      await sleep(TTL_MS);
      if (round < 2) await server.restart('kill9');
    }
  } finally {
    stop.abort();
    await Promise.allSettled(runs);
    for (const store of stores) await store.close();
    await server.stop();
  }
  return lines;
}

await describeWith('redis-server', 'Redis without persistence', () => {
  it('that is killed and started again never has two leaders, and tokens rise', async () => {
    const lines = await throughRestart({});
    const stale = lines.filter(({ token }, index) => index > 0 && token < lines[index - 1].token);
    expect(stale).toEqual([]);
  });
});
