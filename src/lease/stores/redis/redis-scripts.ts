/**
 * The rules of lease-row.ts as Lua scripts. Redis runs each script as one atomic step, on its own clock.
 *
 * One hash holds the row of an election. It never expires, so a server that evicts keys with a time to live keeps it, and the
 * next request still finds the token and the expired term. One list holds the ended terms, the newest first. Tokens and
 * versions are texts that are increased only by the server's 64-bit counters, because Lua numbers are exact only to 2^53.
 *
 * A token is at least the server's time in microseconds. No server grants two terms of one election within one microsecond,
 * so a token also exceeds forgotten tokens, unless the server's clock was set back.
 */
import { createHash } from 'node:crypto';

export interface RedisScript {
  readonly source: string;
  readonly sha: string;
}

/** KEYS[1] is the row, KEYS[2] the list of terms, KEYS[3] the layout of the store. */
const CLOCK = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function whole(number) return string.format('%.0f', number) end
`;

const ROW = `${CLOCK}
local flat = redis.call('HGETALL', KEYS[1])
local row = {}
for i = 1, #flat, 2 do row[flat[i]] = flat[i + 1] end
local untilMs = tonumber(row.untilMs or '0')
local isOver = untilMs <= now
`;

/**
 * The run is a start of the server, and `seenUs` the time of the first request in it. INFO names the run. Without INFO a run
 * begins when the store was empty. A row that was not written in this run proves nothing: the server may have forgotten what
 * came later. ARGV[1] is the name of the run, or empty.
 */
const RUN = `
local nowUs = time[1] * 1000000 + time[2]
local run, seenUs = unpack(redis.call('HMGET', KEYS[3], 'run', 'seenUs'))
seenUs = tonumber(seenUs or '0')
if not run or (ARGV[1] ~= '' and ARGV[1] ~= run) then
  run, seenUs = ARGV[1] ~= '' and ARGV[1] or whole(nowUs), nowUs
  redis.call('HSET', KEYS[3], 'run', run, 'seenUs', whole(seenUs))
elseif seenUs > nowUs then
  -- The clock was set back since then.
  seenUs = nowUs
  redis.call('HSET', KEYS[3], 'seenUs', whole(seenUs))
end
`;

/** Adds the ended term to the list. Its start is never after its end, even if the clock was set back. */
const END_TERM = `
local function endTerm(endMs, cause, keep)
  local startMs = tonumber(row.startMs)
  endMs = whole(math.max(startMs, endMs))
  redis.call('LPUSH', KEYS[2], cjson.encode({
    row.token, row.id, row.nonce, row.startMs, endMs, cause, whole(math.max(startMs, untilMs))
  }))
  redis.call('LTRIM', KEYS[2], 0, keep - 1)
  row.endedMs = endMs
end
`;

/** A failed notification is no error: the user may have no permission to publish. */
const NOTIFY = `redis.pcall('PUBLISH', channel, '')`;

function script(source: string): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}

/** An election whose row was not written in this run is granted to nobody until a forgotten holder must have stopped. */
export const ACQUIRE = script(`${ROW}${RUN}${END_TERM}
local _, id, nonce, ttl, priority, processProof, gone, keep, waits = unpack(ARGV)
local ttlMs = tonumber(ttl)
if row.nonce == nonce and not isOver and not row.evicted then
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('HSET', KEYS[1], 'untilMs', whole(now + ttlMs), 'atMs', whole(now), 'run', run)
  return {'ok', row.token}
end
local isFree = isOver
if not isFree then
  if row.nonce then isFree = row.nonce == gone else isFree = not row.successor or row.successor == id end
end
if not isFree then
  if row.nonce and tonumber(priority) > tonumber(row.priority) then
    local stands = row.challengerId and tonumber(row.challengerUntilMs) > now
    if not stands or row.challengerId == id or tonumber(row.challengerPriority) < tonumber(priority) then
      local since = stands and row.challengerId == id and row.challengerSinceMs or whole(now)
      redis.call('HSET', KEYS[1], 'challengerId', id, 'challengerPriority', priority, 'challengerSinceMs', since,
        'challengerUntilMs', whole(now + ttlMs))
    end
  end
  return {'held', whole(now), flat}
end
local leftUs = seenUs + math.max(ttlMs, tonumber(row.ttlMs or '0')) * 1000 - nowUs
if waits == '1' and row.run ~= run and leftUs > 0 then
  local safeMs = whole(now + math.ceil(leftUs / 1000))
  return {'held', whole(now), {'token', row.token or '0', 'version', row.version or '0', 'untilMs', safeMs}}
end
if row.nonce then
  local cause = row.evicted and 'evicted' or isOver and 'expired' or 'gone'
  endTerm(isOver and untilMs or now, cause, keep)
end
redis.call('LTRIM', KEYS[2], 0, keep - 2)
local function isLess(a, b) return #a < #b or (#a == #b and a < b) end
local least = time[1] .. string.format('%06d', tonumber(time[2]))
if isLess(row.token or '0', least) then
  redis.call('HSET', KEYS[1], 'token', least)
else
  redis.call('HINCRBY', KEYS[1], 'token', 1)
end
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('HDEL', KEYS[1], 'evicted', 'successor', 'transferTo')
if row.challengerId == id then
  redis.call('HDEL', KEYS[1], 'challengerId', 'challengerPriority', 'challengerSinceMs', 'challengerUntilMs')
end
redis.call('HSET', KEYS[1], 'id', id, 'nonce', nonce, 'ttlMs', ttl, 'priority', priority, 'processProof', processProof,
  'untilMs', whole(now + ttlMs), 'atMs', whole(now), 'run', run,
  'startMs', whole(math.max(now, tonumber(row.endedMs or '0'))), 'endedMs', row.endedMs or '0')
return {'ok', redis.call('HGET', KEYS[1], 'token')}
`);

export const RENEW = script(`${CLOCK}${RUN}
local _, nonce, token, ttl = unpack(ARGV)
local row = redis.call('HMGET', KEYS[1], 'nonce', 'token', 'untilMs', 'evicted', 'transferTo',
  'challengerId', 'challengerPriority', 'challengerSinceMs', 'challengerUntilMs')
if row[1] ~= nonce or row[2] ~= token or tonumber(row[3]) <= now then return {'lost'} end
if row[4] then return {'evicted'} end
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('HSET', KEYS[1], 'untilMs', whole(now + ttl), 'atMs', whole(now), 'run', run)
if row[6] and tonumber(row[9]) > now then
  return {'ok', row[5] or '', row[6], row[7], whole(now - row[8])}
end
return {'ok', row[5] or ''}
`);

export const RELEASE = script(`${ROW}${RUN}${END_TERM}
local _, nonce, token, reason, successor, reserveMs, keep, channel = unpack(ARGV)
if row.nonce ~= nonce or row.token ~= token or isOver then return {'lost'} end
endTerm(now, reason, keep)
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('HDEL', KEYS[1], 'id', 'nonce', 'priority', 'processProof', 'evicted', 'transferTo', 'successor')
if successor == '' then
  redis.call('HSET', KEYS[1], 'untilMs', whole(now))
else
  redis.call('HSET', KEYS[1], 'untilMs', whole(now + reserveMs), 'successor', successor)
end
redis.call('HSET', KEYS[1], 'endedMs', row.endedMs, 'atMs', whole(now), 'run', run)
${NOTIFY}
return {'ok'}
`);

export const EVICT = script(`${ROW}
local channel = ARGV[2]
if not row.nonce or isOver then return 0 end
if not row.evicted then
  redis.call('HINCRBY', KEYS[1], 'version', 1)
  redis.call('HSET', KEYS[1], 'evicted', '1')
end
${NOTIFY}
return 1
`);

export const REQUEST_TRANSFER = script(`${ROW}
local _, channel, to = unpack(ARGV)
if not row.nonce or isOver then return 0 end
redis.call('HSET', KEYS[1], 'transferTo', to)
${NOTIFY}
return 1
`);

export const READ = script(`${CLOCK}
return {whole(now), redis.call('HGETALL', KEYS[1])}
`);

/** ARGV[1] is the index of the last term to return: −1 for all. */
export const HISTORY = script(`${CLOCK}
return {whole(now), redis.call('HGETALL', KEYS[1]), redis.call('LRANGE', KEYS[2], 0, ARGV[1])}
`);

/** Runs every command of the other scripts on a key of the prefix, to detect missing permissions early. */
export const TRY_RIGHTS = script(`${CLOCK}
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'atMs', whole(now))
redis.call('HINCRBY', KEYS[1], 'version', 1)
redis.call('HGET', KEYS[1], 'version')
redis.call('HMGET', KEYS[1], 'version', 'atMs')
redis.call('HGETALL', KEYS[1])
redis.call('HDEL', KEYS[1], 'atMs', 'version')
redis.call('LPUSH', KEYS[1], '')
redis.call('LTRIM', KEYS[1], 0, 0)
redis.call('LRANGE', KEYS[1], 0, 0)
redis.call('DEL', KEYS[1])
local sent = redis.pcall('PUBLISH', ARGV[1], '')
if type(sent) == 'table' and sent.err then return {whole(now), sent.err} end
return {whole(now), ''}
`);
