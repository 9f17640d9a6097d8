/** Three servers and three Sentinels: the primary is found, and found again after a failover. */
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeWith } from '../../../../../../test-kit/servers/index.ts';
import {
  GROUP,
  type SentinelSetup,
  startSentinels,
} from '../../../../../../test-kit/servers/redis-sentinels.ts';
import {
  RedisLeaseStore,
  type RedisStoreOptions,
} from '../../../../src/lease/stores/redis/redis-lease-store.ts';
import { claim, eventually, renew, win } from '../../contract/single-call.ts';
import { duringCampaign, ELECTION, staleLines } from '../leading.ts';

const TTL_MS = 1_500;

await describeWith('redis-server', 'Redis with Sentinels', () => {
  let setup: SentinelSetup;
  const opened: (() => Promise<void> | void)[] = [];
  const open = async (
    source: Parameters<typeof RedisLeaseStore.open>[0] = setup.url,
    options?: RedisStoreOptions,
  ): Promise<RedisLeaseStore> => {
    const store = await RedisLeaseStore.open(source, options);
    opened.push(() => store.close());
    return store;
  };
  const client = (): Redis => {
    const redis = new Redis({
      sentinels: setup.sentinels.map(({ port }) => ({ host: '127.0.0.1', port })),
      name: GROUP,
      keyPrefix: 'app:',
    });
    redis.on('error', () => undefined);
    opened.push(() => redis.disconnect());
    return redis;
  };

  beforeAll(async () => {
    setup = await startSentinels();
  }, 120_000);
  afterAll(async () => {
    for (const end of opened.reverse()) await end();
    await setup?.stop();
  });

  it('is reached through the Sentinels that answer, by URL or with an existing client', async () => {
    const hosts = setup.sentinels.map(({ port }) => `127.0.0.1:${port}`);
    const [byUrl, byClient] = [
      await open(setup.url.replace(hosts[0], '127.0.0.1:1'), { waitAfterRestart: false }),
      await open(client()),
    ];
    expect(byClient.label).toBe(`redis+sentinel://${hosts.join(',')}/${encodeURIComponent(GROUP)}`);
    const token = await win(byUrl, 'found', 'a');
    expect(await byClient.read(['found'])).toMatchObject([{ token, holder: { id: 'a' } }]);
    expect(await renew(byClient, 'found', 'a', token)).toMatchObject({ type: 'ok' });
    expect((await byClient.probe()).problems).toEqual([]);
  });

  it('is refused if no Sentinel knows the group, or no Sentinel answers', async () => {
    const stranger = await open(setup.url.replace(encodeURIComponent(GROUP), 'other'));
    await expect(claim(stranger, 'job', 'a')).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('know no primary named "other"'),
    });
    const silent = await open('redis+sentinel://127.0.0.1:1,127.0.0.1:2/other');
    await expect(claim(silent, 'job', 'a')).rejects.toMatchObject({ kind: 'unreachable' });
  });

  it('has one leader at a time through a failover in which the primary was killed, and tokens rise', async () => {
    const stores = await Promise.all([open(), open(), open(client())]);
    const lines = await duringCampaign(stores, TTL_MS, async ({ writes }) => {
      await writes();
      const [primary] = setup.servers;
      await primary.kill9();
      await eventually(
        async () => (await setup.primaryPort()) !== primary.port || undefined,
        'a replica was promoted',
      );
      await writes();
    });
    expect(staleLines(lines)).toEqual([]);
    expect(await (await open()).read([ELECTION])).toMatchObject([{ token: lines.at(-1)?.token }]);
  });
});
