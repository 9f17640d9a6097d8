import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { describeWith, startRedis } from '../../../../../../test-kit/servers/index.ts';
import { RedisLeaseStore } from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { duringCampaign, staleLines } from '../leading.ts';

const TTL_MS = 1_000;

await describeWith('redis-server', 'Redis without persistence', () => {
  it('that is killed and started again never has two leaders, and tokens rise', async () => {
    const server = await startRedis({ appendonly: false });
    try {
      const stores = await Promise.all([1, 2, 3].map(() => RedisLeaseStore.open(server.url)));
      const lines = await duringCampaign(stores, TTL_MS, async ({ lines: written }) => {
        const terms = (): number => new Set(written.map(({ token }) => token)).size;
        for (const term of [1, 2]) {
          await expect.poll(terms, { timeout: 30_000, interval: 10 }).toBeGreaterThanOrEqual(term);
          // Long enough for a leader that was forgotten to write on, if it could.
          await sleep(TTL_MS);
          if (term === 1) await server.restart('kill9');
        }
      });
      expect(staleLines(lines)).toEqual([]);
    } finally {
      await server.stop();
    }
  });
});
