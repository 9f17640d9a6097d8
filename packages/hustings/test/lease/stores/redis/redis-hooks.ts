/** What the contract suite changes behind the back of the store, over a connection of its own to the server. */
import type { Cluster, Redis } from 'ioredis';
import { expect } from 'vitest';
import { keysOf } from '../../../../src/lease/stores/redis/redis-row.ts';
import type { StoreUnderTest } from '../../contract/suite.ts';

export function redisHooks(raw: () => Redis | Cluster, prefix = 'hustings:'): Omit<StoreUnderTest, 'open'> {
  const rowOf = (name: string): string => keysOf(prefix, name).row;
  const { layout } = keysOf(prefix, '');
  return {
    setToken: async (name, token) => {
      await raw().hset(rowOf(name), 'token', `${token}`);
    },
    setBack: async (name, ms) => {
      const row = rowOf(name);
      if (Number(await raw().exists(row)) === 0) return;
      await raw().hincrby(row, 'untilMs', ms);
      await raw().hincrby(row, 'notBeforeMs', ms);
      await raw().hincrby(row, 'startMs', ms);
      if (Number(await raw().hexists(row, 'challengerId')) === 0) return;
      await raw().hincrby(row, 'challengerSinceMs', ms);
      await raw().hincrby(row, 'challengerUntilMs', ms);
    },
    putOffTick: async (name, fromMs, toMs) => {
      const { ticks } = keysOf(prefix, name);
      const [member] = await raw().zrangebyscore(ticks, fromMs, fromMs);
      await raw().zrem(ticks, member);
      await raw().zadd(ticks, toMs, JSON.stringify([`${toMs}`, ...JSON.parse(member).slice(1)]));
    },
    layout: {
      raise: async (compatibleFrom) => {
        await raw().hset(layout, { version: 5, compatibleFrom, future: 'kept' });
      },
      restore: async () => {
        expect(await raw().hget(layout, 'future')).toBe('kept');
        await raw().hset(layout, { version: 3, compatibleFrom: 3 });
        await raw().hdel(layout, 'future');
      },
      setExtra: async (name, value) => {
        await raw().hset(rowOf(name), 'future', value);
      },
      extra: (name) => raw().hget(rowOf(name), 'future'),
    },
  };
}
