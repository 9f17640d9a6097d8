/**
 * Fences in Redis: a script checks and raises the mark and runs the command, with nothing in between. Guaranteed: the tokens of the
 * commands that were run never fall (P4), as long as the mark is there. Tokens are compared as text, by length and then by digits:
 * Lua's numbers would take 2^53 and 2^53 + 1 for one.
 *
 * Not guaranteed: what Redis itself does not keep. The mark has no time to live, but FLUSHALL, an eviction under
 * maxmemory, a restart without persistence or a failover to a replica that lagged loses it, with the data that it guards.
 * A command that fails has raised the mark.
 */
import { createHash } from 'node:crypto';
import { InputError } from '../../errors/hustings-error.ts';
import { parseToken } from './fence.ts';
import { type RefusalOptions, reporting, staleError } from './fence-error.ts';

/** `ioredis`, `redis` (node-redis), or a function that sends one command. */
export type RedisConnection =
  | { call(command: string, ...args: string[]): Promise<unknown> }
  | { sendCommand(args: string[]): Promise<unknown> }
  | ((args: string[]) => Promise<unknown>);

export interface RedisFence extends RefusalOptions {
  /** Where the mark is kept, one key an election. In a cluster in the slot of what it guards: the same part in braces. */
  readonly key: string;
  readonly token: bigint | string;
  /** The keys that the command uses; its second word if not given. */
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

/** Runs the command and gives its answer, or throws a `FenceError` and has changed nothing. */
export function fencedRedis(
  redis: RedisConnection,
  fence: RedisFence,
  command: readonly string[],
): Promise<unknown> {
  return reporting(fence, async () => {
    const token = parseToken(fence.token);
    if (command.length === 0)
      throw new InputError("expected a command such as ['SET', key, value], got none");
    const keys = [fence.key, ...(fence.keys ?? command.slice(1, 2))];
    const args = [String(keys.length), ...keys, String(token), ...command];
    const [passed, answer] = (await evaluate(sender(redis), args)) as [number, unknown];
    if (passed === 0) throw staleError(fence.key, token, String(answer));
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
    // A restart forgets scripts; and nothing was run.
    if (!/^NOSCRIPT/.test((error as Error).message)) throw error;
    return send(['EVAL', SCRIPT, ...args]);
  }
}

function sender(redis: RedisConnection): (args: string[]) => Promise<unknown> {
  if (typeof redis === 'function') return redis;
  const { keyPrefix } = (redis as { options?: { keyPrefix?: unknown } }).options ?? {};
  if (keyPrefix) {
    // The client would put it before the mark, and not before the keys inside the command.
    throw new InputError('expected a client without keyPrefix, got one with: write the whole keys');
  }
  if ('call' in redis) return ([command, ...args]) => redis.call(command, ...args);
  return (args) => redis.sendCommand(args);
}
