/** The rules of lease-row.ts as Lua scripts. The first argument of each is the run of the server. */
import {
  END_TERM,
  EXAMINE,
  LAYOUT,
  NOTIFY,
  READ_LAYOUT,
  ROW,
  RUN,
  script,
  sourceScript,
} from './redis-script-parts.ts';

/**
 * The entry of a waiting candidate is written again when half of its time is over, with the same place. Entries that are over are
 * removed when another candidate begins to wait, which gets the place after all others.
 */
const REGISTER = `
local function placeOf(entry) return tonumber(entry[5] or entry[4]) end
local function isValid(entry) return now < entry[4] + entry[3] end
local function register()
  if registerMs == '0' then return end
  local known = redis.call('HGET', waitingKey, nonce)
  local place = now
  local old = known and cjson.decode(known)
  if old and isValid(old) then
    place = placeOf(old)
    local isSame = old[1] == id and old[2] == priority and old[3] == registerMs
    local age = now - old[4]
    if isSame and age >= 0 and age * 2 < tonumber(registerMs) then return end
  else
    local all = redis.call('HGETALL', waitingKey)
    for i = 1, #all, 2 do
      local other = cjson.decode(all[i + 1])
      if isValid(other) then
        place = math.max(place, placeOf(other) + 1)
      else
        redis.call('HDEL', waitingKey, all[i])
      end
    end
  end
  redis.call('HSET', waitingKey, nonce, cjson.encode({id, priority, registerMs, whole(now), whole(place)}))
end
`;

/** The id of the candidate whose turn it is in fair order, by the rules of core/queue.ts; nil if it is that of the request. */
const FIRST_AHEAD = `
local function firstAhead()
  local waiting, own, first = {}, nil, nil
  local all = redis.call('HGETALL', waitingKey)
  for i = 1, #all, 2 do
    local entry = cjson.decode(all[i + 1])
    local each = {id = entry[1], nonce = all[i], priority = tonumber(entry[2]), place = placeOf(entry)}
    -- An entry of the future was made before the clock was set back: its end cannot be judged.
    if isValid(entry) and tonumber(entry[4]) <= now then
      if each.nonce == nonce then own = each else waiting[#waiting + 1] = each end
    end
  end
  local function isFirst(a, b)
    if a.priority ~= b.priority then return a.priority > b.priority end
    if a.place ~= b.place then return a.place < b.place end
    return a.nonce < b.nonce
  end
  local wanted = tonumber(priority)
  for _, each in ipairs(waiting) do
    local isAhead = each.priority >= wanted
    if own then isAhead = isFirst(each, {priority = wanted, place = own.place, nonce = nonce}) end
    if isAhead and (not first or isFirst(each, first)) then first = each end
  end
  return first and first.id
end
`;

/** `checkpoint` is empty if it stays, '-' if it is removed, and otherwise '=' with its text. */
const SET_CHECKPOINT = `if checkpoint == '-' then
    redis.call('HDEL', rowKey, 'checkpoint')
  elseif checkpoint ~= '' then
    redis.call('HSET', rowKey, 'checkpoint', string.sub(checkpoint, 2))
  end`;

/**
 * An election whose row was not written in this run is granted to nobody until a forgotten holder must have stopped.
 *
 * A token is at least the server's time in microseconds. No server grants two terms of one election within one microsecond,
 * so a token also exceeds forgotten tokens, unless the server's clock was set back.
 */
const ACQUIRE_BODY = `${ROW}${RUN}${END_TERM}
local _, id, nonce, ttl, priority, processProof, gone, stale, holdMs, registerMs, keep, waits, metadata, fair = unpack(ARGV)
local ttlMs = tonumber(ttl)
${REGISTER}${FIRST_AHEAD}
local function isPast(left) return left == 0 or (left == nil and (row.version or '0') == stale) end
local isOver = isPast(leaseLeft)
if row.nonce == nonce and not isOver and not row.evicted then
  redis.call('HINCRBY', rowKey, 'version', 1)
  redis.call('HSET', rowKey, 'untilMs', whole(now + ttlMs), 'spanMs', ttl, 'run', run)
  redis.call('HDEL', waitingKey, nonce)
  return {'ok', row.token, row.checkpoint}
end
local isNamed
if row.nonce then isNamed = row.nonce == gone else isNamed = row.successor == id end
local isFree = (isOver or isNamed) and isPast(holdLeft)
local isSuccessor = not row.nonce and isNamed and not isOver
local ahead = isFree and fair == '1' and not isSuccessor and firstAhead() or nil
if not isFree or ahead then
  if row.nonce and tonumber(priority) > tonumber(row.priority) then
    local stands = row.challengerId and tonumber(row.challengerSinceMs) <= now and now < tonumber(row.challengerUntilMs)
    if not stands or row.challengerId == id or tonumber(row.challengerPriority) < tonumber(priority) then
      local since = stands and row.challengerId == id and row.challengerSinceMs or whole(now)
      redis.call('HSET', rowKey, 'challengerId', id, 'challengerPriority', priority, 'challengerSinceMs', since,
        'challengerUntilMs', whole(now + ttlMs))
    end
  end
  register()
  return {'held', whole(now), flat, ahead}
end
local waitMs = math.max(ttlMs, tonumber(row.ttlMs or '0'))
local leftUs = seenUs + waitMs * 1000 - nowUs
if waits == '1' and row.run ~= run and leftUs > 0 then
  -- Without a row the election has no name yet, and nothing would remove the entry.
  if row.token then register() end
  return {'held', whole(now), {'token', row.token or pastToken, 'version', row.version or '0',
    'untilMs', whole(now + math.ceil(leftUs / 1000)), 'spanMs', whole(waitMs)}}
end
if row.nonce then
  local cause = row.evicted and 'evicted' or isOver and 'expired' or 'gone'
  endTerm(isOver and math.min(untilMs, now) or now, cause, keep)
end
redis.call('LTRIM', termsKey, 0, keep - 2)
local previous = row.token or '0'
if isLess(previous, pastToken) then previous = pastToken end
local clock = time[1] .. string.format('%06d', tonumber(time[2]))
if isLess(previous, clock) then
  redis.call('HSET', rowKey, 'token', clock)
else
  redis.call('HSET', rowKey, 'token', previous)
  redis.call('HINCRBY', rowKey, 'token', 1)
end
redis.call('HINCRBY', rowKey, 'version', 1)
redis.call('HDEL', rowKey, 'evicted', 'standBackMs', 'successor', 'transferTo', 'metadata', 'updates')
if metadata ~= '' then redis.call('HSET', rowKey, 'metadata', metadata) end
if row.challengerId == id then
  redis.call('HDEL', rowKey, 'challengerId', 'challengerPriority', 'challengerSinceMs', 'challengerUntilMs')
end
redis.call('HDEL', waitingKey, nonce)
redis.call('HSET', rowKey, 'id', id, 'nonce', nonce, 'ttlMs', ttl, 'priority', priority, 'processProof', processProof,
  'untilMs', whole(now + ttlMs), 'spanMs', ttl, 'holdMs', holdMs, 'notBeforeMs', whole(now + holdMs),
  'run', run, 'startMs', whole(math.max(now, tonumber(row.endedMs or '0'))), 'endedMs', row.endedMs or '0')
return {'ok', redis.call('HGET', rowKey, 'token'), row.checkpoint}
`;

const ACQUIRE_KEYS = ['row', 'terms', 'layout', 'waiting'] as const;

export const ACQUIRE = script(ACQUIRE_KEYS, ACQUIRE_BODY);

/**
 * All of several elections, or none. Each is first tried without a write, at one time for all. If all would be granted, all are;
 * otherwise those that would not be are refused as by ACQUIRE, and the others are left as they are.
 */
export const ACQUIRE_ALL = sourceScript(
  ACQUIRE_KEYS,
  `local server, time = redis, redis.call('TIME')
local isTrial = true
local writes = {HSET = true, HDEL = true, HINCRBY = true, LPUSH = true, LTRIM = true}
local redis = {pcall = server.pcall, error_reply = server.error_reply}
function redis.call(command, ...)
  if command == 'TIME' then return time end
  if isTrial and writes[command] then return 0 end
  return server.call(command, ...)
end
local function attempt(rowKey, termsKey, layoutKey, waitingKey, ARGV)
${ACQUIRE_BODY}
end
local count = #KEYS / ${ACQUIRE_KEYS.length}
local width = (#ARGV - 1) / count
local function ask(n)
  local args = {ARGV[1]}
  for i = 1, width do args[i + 1] = ARGV[1 + (n - 1) * width + i] end
  local first = (n - 1) * ${ACQUIRE_KEYS.length}
  return attempt(KEYS[first + 1], KEYS[first + 2], KEYS[first + 3], KEYS[first + 4], args)
end
local isAll, granted = true, {}
for n = 1, count do
  local answer = ask(n)
  if answer.err then return answer end
  granted[n] = answer[1] == 'ok'
  isAll = isAll and granted[n]
end
isTrial = false
local answers = {}
for n = 1, count do
  if isAll or not granted[n] then
    answers[n] = ask(n)
  else
    local now = time[1] * 1000 + math.floor(time[2] / 1000)
    answers[n] = {'held', string.format('%.0f', now), server.call('HGETALL', KEYS[(n - 1) * ${ACQUIRE_KEYS.length} + 1])}
  end
end
return answers
`,
);

/**
 * INFO takes more than a third of the time of a renewal. It is left out if `isExamined`: this connection has just examined the
 * server, which refuses the write if it is a replica. Then the run is the last one that a script has seen. If a later run has
 * begun since, the row does not count as written in it: the next holder waits as for a row that was not renewed.
 *
 * One write of two fields, because a renewal seldom changes more. A version counts writes and stays far below 2^53. Only the
 * renewals that carry an update have the arguments for it.
 */
export const RENEW = script(
  ['row', 'layout'],
  `local runName, nonce, token, ttl, number, metadata, checkpoint = unpack(ARGV)
local isExamined = ARGV[#ARGV]
${READ_LAYOUT}
local row = redis.call('HMGET', rowKey, 'nonce', 'token', 'untilMs', 'evicted', 'version', 'spanMs', 'run', 'transferTo',
  'challengerId')
local isTerm = row[1] == nonce and row[2] == token
local isOk = isTerm and not row[4] and tonumber(row[3]) > now
if isOk and isExamined == '1' then runName = '' end
${EXAMINE}
if not isOk then
  if isTerm and row[4] then return {'evicted', redis.call('HGET', rowKey, 'standBackMs') or '0'} end
  return {'lost'}
end
${RUN}
redis.call('HSET', rowKey, 'version', whole(row[5] + 1), 'untilMs', whole(now + ttl))
if row[6] ~= ttl or row[7] ~= run then redis.call('HSET', rowKey, 'spanMs', ttl, 'run', run) end
if #ARGV > 5 and tonumber(number) > tonumber(redis.call('HGET', rowKey, 'updates') or '0') then
  redis.call('HSET', rowKey, 'updates', number)
  if metadata ~= '' then redis.call('HSET', rowKey, 'metadata', metadata) end
  ${SET_CHECKPOINT}
end
if row[9] then
  local priority, sinceMs, untilMs = unpack(redis.call('HMGET', rowKey, 'challengerPriority', 'challengerSinceMs',
    'challengerUntilMs'))
  if tonumber(sinceMs) <= now and now < tonumber(untilMs) then
    return {'ok', row[8] or '', row[9], priority, whole(now - sinceMs)}
  end
end
return row[8] and {'ok', row[8]} or 1
`,
  true,
);

export const RELEASE = script(
  ['row', 'terms', 'layout'],
  `${ROW}${RUN}${END_TERM}
local _, nonce, token, reason, successor, reserveMs, keep, channel, checkpoint = unpack(ARGV)
if row.nonce ~= nonce or row.token ~= token or leaseLeft == 0 then return {'lost'} end
endTerm(now, reason, keep)
redis.call('HINCRBY', rowKey, 'version', 1)
redis.call('HDEL', rowKey, 'id', 'nonce', 'priority', 'processProof', 'evicted', 'standBackMs', 'transferTo', 'successor',
  'metadata', 'updates')
${SET_CHECKPOINT}
local reservedMs = '0'
if successor ~= '' then
  reservedMs = reserveMs
  redis.call('HSET', rowKey, 'successor', successor)
end
redis.call('HSET', rowKey, 'untilMs', whole(now + reservedMs), 'spanMs', reservedMs, 'endedMs', row.endedMs, 'run', run)
${NOTIFY}
if row.evicted then return {'evicted', row.standBackMs} end
return {'ok'}
`,
);

export const WITHDRAW = script(
  ['layout', 'waiting'],
  `${LAYOUT}\nreturn redis.call('HDEL', waitingKey, ARGV[2])`,
);

export const EVICT = script(
  ['row', 'layout'],
  `${ROW}
local _, channel, standBackMs = unpack(ARGV)
if not row.nonce or leaseLeft == 0 then return 0 end
if standBackMs == '' then standBackMs = row.evicted and row.standBackMs or row.ttlMs end
if not row.evicted or standBackMs ~= row.standBackMs then
  redis.call('HINCRBY', rowKey, 'version', 1)
  redis.call('HSET', rowKey, 'evicted', '1', 'standBackMs', standBackMs)
end
${NOTIFY}
return 1
`,
);

export const REQUEST_TRANSFER = script(
  ['row', 'layout', 'waiting'],
  `${ROW}
local _, channel, to = unpack(ARGV)
if not row.nonce or leaseLeft == 0 then return 'not-held' end
local isRegistered = false
local all = redis.call('HGETALL', waitingKey)
for i = 2, #all, 2 do
  local entry = cjson.decode(all[i])
  isRegistered = isRegistered or (entry[1] == to and now < entry[4] + entry[3])
end
if not isRegistered then return 'unknown-candidate' end
redis.call('HSET', rowKey, 'transferTo', to)
${NOTIFY}
return 'requested'
`,
);

export const READ = script(['row', 'layout'], `${ROW}\nreturn {whole(now), flat}`);

export const CANDIDATES = script(
  ['waiting', 'layout'],
  `${LAYOUT}\nreturn {whole(now), redis.call('HGETALL', waitingKey)}`,
);

/** ARGV[2] is the index of the last term to return: −1 for all. */
export const HISTORY = script(
  ['row', 'terms', 'layout'],
  `${ROW}\nreturn {whole(now), flat, redis.call('LRANGE', termsKey, 0, ARGV[2])}`,
);
