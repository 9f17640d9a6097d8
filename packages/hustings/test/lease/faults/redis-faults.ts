/** What happens to a Redis server. A server that forgets everything grants nothing for one TTL; it does not notice a deleted key. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { keysOf } from '../../../src/lease/stores/redis/redis-row.ts';
import {
  anotherTerm,
  clockSteps,
  type Fault,
  restart,
  type Scene,
  whileCutOff,
  withoutNotifications,
} from './fault.ts';

async function withRedis<Answer>(
  { server }: Pick<Scene, 'server'>,
  act: (redis: Redis) => Promise<Answer>,
): Promise<Answer> {
  const redis = new Redis(server!.url);
  try {
    return await act(redis);
  } finally {
    redis.disconnect();
  }
}

/** The same as a clock that is set back by ARGV[1]: all times of the store are ahead by it. */
const SHIFT_TIMES = `
local byMs = tonumber(ARGV[1])
local function whole(number) return string.format('%.0f', number) end
local function shift(key, field, by)
  local value = tonumber(redis.call('HGET', key, field) or '0')
  if value > 0 then redis.call('HSET', key, field, whole(value + by)) end
end
for _, field in ipairs({'untilMs', 'notBeforeMs', 'challengerSinceMs', 'challengerUntilMs', 'atMs', 'startMs', 'endedMs'}) do
  shift(KEYS[1], field, byMs)
end
shift(KEYS[4], 'seenUs', byMs * 1000)
for index, text in ipairs(redis.call('LRANGE', KEYS[2], 0, -1)) do
  local term = cjson.decode(text)
  for _, place in ipairs({4, 5, 7}) do term[place] = whole(term[place] + byMs) end
  redis.call('LSET', KEYS[2], index - 1, cjson.encode(term))
end
local waiting = redis.call('HGETALL', KEYS[3])
for index = 1, #waiting, 2 do
  local entry = cjson.decode(waiting[index + 1])
  entry[4] = whole(entry[4] + byMs)
  redis.call('HSET', KEYS[3], waiting[index], cjson.encode(entry))
end`;

async function setBack(scene: Scene, byMs: number): Promise<void> {
  const { row, terms, waiting, layout } = keysOf('hustings:', scene.name);
  await withRedis(scene, (redis) => redis.eval(SHIFT_TIMES, 4, row, terms, waiting, layout, byMs));
}

const COMMON: readonly Fault[] = [
  {
    kind: 'store flushed',
    losesTerms: true,
    inflict: whileCutOff(async (scene) => {
      await withRedis(scene, (redis) => redis.flushall());
    }),
  },
  {
    kind: 'keys deleted',
    losesTerms: true,
    allowsTwoLeaders: true,
    inflict: whileCutOff(async (scene) => {
      const { row, terms } = keysOf('hustings:', scene.name);
      await withRedis(scene, (redis) => redis.del(row, terms));
    }),
  },
  ...clockSteps(setBack),
  {
    kind: 'notifications lost',
    inflict: (scene) =>
      withoutNotifications(scene, () =>
        withRedis(scene, (redis) => redis.call('CLIENT', 'KILL', 'TYPE', 'pubsub')),
      ),
  },
];

/** A server that keeps every answered write, unless its folder is lost. */
export const DURABLE_REDIS_FAULTS: readonly Fault[] = [
  ...COMMON,
  { kind: 'store restarted', inflict: (scene) => restart(scene) },
  {
    kind: 'store restarted empty',
    losesTerms: true,
    inflict: whileCutOff((scene) =>
      restart(scene, () => {
        for (const kept of ['appendonlydir', 'appendonly.aof']) {
          rmSync(join(scene.server!.folder, kept), { recursive: true, force: true });
        }
      }),
    ),
  },
];

/** A server that comes back with its latest snapshot, if there is one. */
export const VOLATILE_REDIS_FAULTS: readonly Fault[] = [
  ...COMMON,
  {
    kind: 'store restarted with an older snapshot',
    losesTerms: true,
    async prepare(scene) {
      await withRedis(scene, (redis) => redis.save());
      await anotherTerm(scene);
    },
    inflict: whileCutOff((scene) => restart(scene)),
  },
  {
    kind: 'store restarted empty',
    losesTerms: true,
    inflict: whileCutOff((scene) =>
      restart(scene, () => rmSync(join(scene.server!.folder, 'dump.rdb'), { force: true })),
    ),
  },
  {
    kind: 'notifications denied',
    inflict: async (scene) => {
      const allow = (rule: string) =>
        withRedis(scene, (redis) => redis.call('ACL', 'SETUSER', 'default', rule));
      const end = await withoutNotifications(scene, () => allow('resetchannels'));
      return async () => {
        await end();
        await allow('allchannels');
      };
    },
  },
];
