/**
 * Fences in Redis: one atomic script checks and raises the mark and runs the command. Guaranteed: the tokens of the commands
 * that ran never decrease (P4), as long as the mark exists. Tokens are compared as text, by length and then by digits, because
 * Lua numbers are exact only to 2^53.
 *
 * Not guaranteed: what Redis itself does not keep. The mark has no time to live, but FLUSHALL, an eviction under maxmemory, a
 * restart without persistence or a failover to a replica that lagged behind loses it, together with the data that it guards.
 * A command that fails has still raised the mark.
 */
import { createHash } from 'node:crypto';
import { InputError } from '@hustings/base';
import { parseToken } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';

/** `ioredis`, `redis` (node-redis), or a function that sends one command. */
export type RedisConnection =
  | {
      /** Sends a command, as in `ioredis`. */
      call(command: string, ...args: string[]): Promise<unknown>;
    }
  | {
      /** Sends a command, as in `redis`. */
      sendCommand(args: string[]): Promise<unknown>;
    }
  | ((args: string[]) => Promise<unknown>);

/** The fence of a command, and the key of its mark. */
export interface RedisFence extends RefusalOptions {
  /** The key of the mark, one per election. In a cluster it must be in the slot of the guarded keys: use the same hash tag. */
  readonly key: string;
  readonly token: bigint | string;
  /** The keys of the command; its first argument by default. */
  readonly keys?: readonly string[] | undefined;
}

const SCRIPT = `
local mark, token = redis.call('GET', KEYS[1]), ARGV[1]
if mark then
  if not string.find(mark, '^[1-9]%d*$') then
    return redis.error_reply('FENCE the mark at this key is not a token')
  end
  if #mark > #token or (#mark == #token and mark > token) then return {0, mark} end
end
if mark ~= token then redis.call('SET', KEYS[1], token) end
return {1, redis.call(unpack(ARGV, 2))}
`;
const SHA = createHash('sha1').update(SCRIPT).digest('hex');

/** Runs the command and returns its answer, or throws a `FenceError` and changes nothing. */
export function fencedRedis(
  redis: RedisConnection,
  fence: RedisFence,
  command: readonly string[],
): Promise<unknown> {
  return reporting(fence, async () => {
    const token = parseToken(fence.token);
    if (command.length === 0)
      throw new InputError("the command must not be empty; give for example ['SET', key, value]");
    const keys = [fence.key, ...(fence.keys ?? command.slice(1, 2))];
    const args = [String(keys.length), ...keys, String(token), ...command];
    const [passed, answer] = (await evaluate(sender(redis), args)) as [number | string, unknown];
    // A text with the option stringNumbers of ioredis.
    if (Number(passed) === 0) throw staleError(fence.key, token, String(answer));
    return answer;
  });
}

async function evaluate(
  send: (args: string[]) => Promise<unknown>,
  args: readonly string[],
): Promise<unknown> {
  try {
    return await send(['EVALSHA', SHA, ...args]);
  } catch (error) {
    // A restart forgets scripts. Nothing was run.
    if (!/^NOSCRIPT/.test((error as Error).message)) throw error;
    return send(['EVAL', SCRIPT, ...args]);
  }
}

function sender(redis: RedisConnection): (args: string[]) => Promise<unknown> {
  if (typeof redis === 'function') return redis;
  const { keyPrefix } = (redis as { options?: { keyPrefix?: unknown } }).options ?? {};
  if (keyPrefix) {
    // The client would add the prefix to the key of the mark, but not to the keys of the command.
    throw new InputError('the client must not have a keyPrefix; write complete keys');
  }
  if ('call' in redis) return ([command, ...args]) => redis.call(command, ...args);
  return (args) => redis.sendCommand(args);
}
