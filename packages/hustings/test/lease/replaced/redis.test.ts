import { Redis } from 'ioredis';
import { describeWith, startRedis, type TestServer } from '../../../../../test-kit/servers/index.ts';
import { RedisLeaseStore } from '../../../src/lease/stores/redis/redis-lease-store.ts';
import { keysOf } from '../../../src/lease/stores/redis/redis-row.ts';
import { NAME, replacedStore, type Scene } from './replaced-store.ts';

async function withRedis({ server }: Scene, act: (redis: Redis) => Promise<unknown>): Promise<void> {
  const redis = new Redis(server.url);
  try {
    await act(redis);
  } finally {
    redis.disconnect();
  }
}

await describeWith('redis-server', 'a Redis store that was replaced', () => {
  replacedStore('Redis', {
    // A server that restarts with its latest snapshot.
    start: () => startRedis({ appendonly: false }),
    stop: (server: TestServer) => server.stop(),
    open: ({ server }) => RedisLeaseStore.open(server.url),
    replacements: {
      'everything is deleted (`FLUSHALL`)': {
        replace: (scene) => withRedis(scene, (redis) => redis.flushall()),
      },
      'the server restarts with an older snapshot': {
        backUp: (scene) => withRedis(scene, (redis) => redis.save()),
        replace: ({ server }) => server.restart('kill9'),
      },
      'the keys of one election are deleted': {
        replace: (scene) => {
          const { row, terms } = keysOf('hustings:', NAME);
          return withRedis(scene, (redis) => redis.del(row, terms));
        },
      },
    },
  });
});
