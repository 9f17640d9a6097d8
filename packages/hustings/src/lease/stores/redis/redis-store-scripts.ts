/** Lua scripts for the whole store: its layout, idle elections, permissions. */
import { LAYOUT, ROW, RUN, script } from './redis-script-parts.ts';

const FORGET_UP_TO = `
local function forgetUpTo(token)
  if isLess(pastToken, token) then redis.call('HSET', layoutKey, 'pastToken', token) end
end
`;

/** ARGV[2] is the token above which all new tokens are. */
export const INIT = script(['layout'], `${LAYOUT}${RUN}${FORGET_UP_TO}\nforgetUpTo(ARGV[2])\nreturn 1`);

/** One page of the keys that match ARGV[3], from the cursor ARGV[2]. */
export const SCAN = script(
  ['layout'],
  `${LAYOUT}\nreturn redis.call('SCAN', ARGV[2], 'MATCH', ARGV[3], 'COUNT', 1000)`,
);

/** Deletes an election that nobody used for ARGV[2], unless ARGV[3] is 1. A free lease was last written `spanMs` before `untilMs`. No election gives its tokens again. */
export const PRUNE = script(
  ['row', 'terms', 'layout', 'waiting', 'ticks'],
  `${ROW}${FORGET_UP_TO}
if not row.token or row.checkpoint or leaseLeft ~= 0 or holdLeft ~= 0 then return 0 end
if now - (untilMs - spanMs) < tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '1' then return 1 end
forgetUpTo(row.token)
redis.call('DEL', rowKey, termsKey, waitingKey, ticksKey)
return 1
`,
);

/** Runs every command of the other scripts on a key of the prefix, to detect missing permissions early. */
export const TRY_RIGHTS = script(
  ['row'],
  `local time = redis.call('TIME')
redis.call('DEL', rowKey)
redis.call('HSET', rowKey, 'untilMs', time[1])
redis.call('HINCRBY', rowKey, 'version', 1)
redis.call('HGET', rowKey, 'version')
redis.call('HMGET', rowKey, 'version', 'untilMs')
redis.call('HGETALL', rowKey)
redis.call('HDEL', rowKey, 'untilMs', 'version')
redis.call('LPUSH', rowKey, '')
redis.call('LTRIM', rowKey, 0, 0)
redis.call('LRANGE', rowKey, 0, 0)
redis.call('DEL', rowKey)
redis.call('ZADD', rowKey, 1, '')
redis.call('ZREVRANGE', rowKey, 0, 0)
redis.call('ZRANGEBYSCORE', rowKey, 1, 1)
redis.call('ZREM', rowKey, '')
redis.call('ZREMRANGEBYRANK', rowKey, 0, 0)
redis.call('DEL', rowKey)
local sent = redis.pcall('PUBLISH', ARGV[1], '')
local nowMs = string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000))
return {nowMs, type(sent) == 'table' and sent.err or ''}
`,
);
