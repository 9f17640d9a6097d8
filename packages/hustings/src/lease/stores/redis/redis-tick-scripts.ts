/** The rules of tick.ts as Lua scripts. The score of a tick is its time, and its member is all that is known of it. */
import { AHEAD_MS } from '../../core/tick.ts';
import { LAYOUT, ROW, script } from './redis-script-parts.ts';

/** The times of the missed ticks follow the other arguments. `tickMs` is empty if only missed ticks are recorded. */
export const START_TICK = script(
  ['row', 'layout', 'ticks'],
  `${ROW}
local _, nonce, token, tickMs, retry, keep = unpack(ARGV)
if row.nonce ~= nonce or row.token ~= token or leaseLeft == 0 then return {'lost'} end
local member = redis.call('ZREVRANGE', ticksKey, 0, 0)[1]
local latest = member and cjson.decode(member)
local isInterrupted = latest and latest[2] == 'running' and latest[3] ~= token
local isRetry = retry == '1' and isInterrupted and #ARGV == 6 and tonumber(tickMs) == tonumber(latest[1])
local times = {}
for index = 7, #ARGV do times[index - 6] = ARGV[index] end
local missed = #times
if tickMs ~= '' then times[missed + 1] = tickMs end
for _, each in ipairs(times) do
  if latest and not isRetry and tonumber(each) <= tonumber(latest[1]) then return {'taken', latest[1]} end
end
for _, each in ipairs(times) do
  if tonumber(each) > now then return {'early', whole(now)} end
end
if isRetry then redis.call('ZREM', ticksKey, member) end
for index, each in ipairs(times) do
  local isMissed = index <= missed
  redis.call('ZADD', ticksKey, each, cjson.encode({
    each, isMissed and 'missed' or 'running', token, row.id, whole(now), isMissed and whole(now) or ''
  }))
end
redis.call('ZREMRANGEBYRANK', ticksKey, 0, -1 - keep)
return {'started'}
`,
);

export const END_TICK = script(
  ['layout', 'ticks'],
  `${LAYOUT}
local _, token, tickMs, state = unpack(ARGV)
local member = redis.call('ZRANGEBYSCORE', ticksKey, tickMs, tickMs)[1]
if not member then return 0 end
local tick = cjson.decode(member)
if tick[3] ~= token or tick[2] ~= 'running' then return 0 end
tick[2], tick[6] = state, whole(math.max(tonumber(tick[5]), now))
redis.call('ZREM', ticksKey, member)
redis.call('ZADD', ticksKey, tickMs, cjson.encode(tick))
return 1
`,
);

/** Removes the ticks that are ahead of the clock. */
export const RESET_TICKS = script(
  ['row', 'layout', 'ticks'],
  `${ROW}
local ahead = whole(now + ${AHEAD_MS})
local removed = redis.call('ZREVRANGEBYSCORE', ticksKey, '+inf', '(' .. ahead)
redis.call('ZREMRANGEBYSCORE', ticksKey, '(' .. ahead, '+inf')
return {whole(now), flat, removed}
`,
);

/** ARGV[2] is the index of the last tick to return: −1 for all. */
export const TICKS = script(
  ['row', 'layout', 'ticks'],
  `${ROW}\nreturn {whole(now), flat, redis.call('ZREVRANGE', ticksKey, 0, ARGV[2])}`,
);
