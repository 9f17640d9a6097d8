/**
 * What the Lua scripts have in common. Redis runs each script as one atomic step, on its own clock.
 *
 * One hash holds the row of an election, one list its ended terms, one hash its waiting candidates, and one sorted set its
 * ticks. One hash of the store holds its layout. No key has a time to live, so a server that evicts only such keys keeps all,
 * and the next request still finds the token and the expired term. Tokens and versions are texts that are increased only by
 * the server's 64-bit counters, because Lua numbers are exact only to 2^53.
 */
import { createHash } from 'node:crypto';
import type { RedisKeys } from './redis-row.ts';

/** The layout of the keys, and the first version that can read what this version writes. */
export const LAYOUT_VERSION = 3;
const COMPATIBLE_FROM = 3;

type KeyName = Exclude<keyof RedisKeys, 'channel'>;

export interface RedisScript {
  readonly source: string;
  readonly sha: string;
  /** In the script the key `row` is `rowKey`, and so on. */
  readonly keys: readonly KeyName[];
  /** Its last argument is 1 if this connection has just examined the server, otherwise 0. */
  readonly reliesOnExamination: boolean;
}

export function script(keys: readonly KeyName[], body: string, reliesOnExamination = false): RedisScript {
  const names = keys.map((key) => `${key}Key`).join(', ');
  return sourceScript(keys, `local ${names} = unpack(KEYS)\n${body}`, reliesOnExamination);
}

/** A script that names its keys itself: for several elections, the keys of each in turn. */
export function sourceScript(
  keys: readonly KeyName[],
  source: string,
  reliesOnExamination = false,
): RedisScript {
  return { source, sha: createHash('sha1').update(source).digest('hex'), keys, reliesOnExamination };
}

/**
 * Refuses a primary that became a replica while the connection was open, and completes the name of the run. `runName` is the
 * `run_id` of the server, or empty if the user may not run INFO.
 */
export const EXAMINE = `
if runName ~= '' then
  local info = redis.pcall('INFO', 'replication')
  if type(info) == 'string' then
    if string.match(info, 'role:(%a+)') ~= 'master' then return redis.error_reply('READONLY role') end
    runName = runName .. ':' .. (string.match(info, 'master_replid:(%x+)') or '')
  end
end
`;

/** Needs the key `layout`. Refuses a layout that only later versions understand. */
export const READ_LAYOUT = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function whole(number) return string.format('%.0f', number) end
local run, seenUs, version, compatibleFrom, pastToken = unpack(redis.call('HMGET', layoutKey,
  'run', 'seenUs', 'version', 'compatibleFrom', 'pastToken'))
if tonumber(compatibleFrom or '0') > ${LAYOUT_VERSION} then
  return redis.error_reply('LAYOUT version ' .. tostring(version))
end
`;

/** ARGV[1] is `runName`. */
export const LAYOUT = `local runName = ARGV[1]${EXAMINE}${READ_LAYOUT}
local function isLess(a, b) return #a < #b or (#a == #b and a < b) end
pastToken = pastToken or '0'
`;

/**
 * A run begins when the server starts or is promoted, and `seenUs` is the time of the first request in it. INFO names the
 * run: `run_id` changes with each start, and `master_replid` with each promotion, so no name returns. It also changes when
 * the first replica joins, which does no harm. Without INFO a run begins when the store was empty. A row that was not written
 * in this run proves nothing: the server may have forgotten what came later, or was not the primary then.
 */
export const RUN = `
local nowUs = time[1] * 1000000 + time[2]
seenUs = tonumber(seenUs or '0')
if not version then
  redis.call('HSET', layoutKey, 'version', ${LAYOUT_VERSION}, 'compatibleFrom', ${COMPATIBLE_FROM})
end
if not run or (runName ~= '' and runName ~= run) then
  run, seenUs = runName ~= '' and runName or whole(nowUs), nowUs
  redis.call('HSET', layoutKey, 'run', run, 'seenUs', whole(seenUs))
elseif seenUs > nowUs then
  -- The clock was set back since then.
  seenUs = nowUs
  redis.call('HSET', layoutKey, 'seenUs', whole(seenUs))
end
`;

/** The rest of a lease or a hold is nil if the clock was set back, because more time is left than was granted. */
export const ROW = `${LAYOUT}
local flat = redis.call('HGETALL', rowKey)
local row = {}
for i = 1, #flat, 2 do row[flat[i]] = flat[i + 1] end
if #flat == 0 and pastToken ~= '0' then flat = {'token', pastToken} end
local untilMs = tonumber(row.untilMs or '0')
local function leftMs(endMs, grantedMs)
  local left = grantedMs == 0 and 0 or math.max(0, endMs - now)
  if left <= grantedMs then return left end
end
local spanMs = tonumber(row.spanMs or row.ttlMs or '0')
local leaseLeft = leftMs(untilMs, spanMs)
local holdLeft = leftMs(tonumber(row.notBeforeMs or '0'), tonumber(row.holdMs or '0'))
`;

/** Adds the ended term to the list. Its start is never after its end, even if the clock was set back. */
export const END_TERM = `
local function endTerm(endMs, cause, keep)
  local startMs = tonumber(row.startMs)
  endMs = whole(math.max(startMs, endMs))
  redis.call('LPUSH', termsKey, cjson.encode({
    row.token, row.id, row.nonce, row.startMs, endMs, cause, whole(math.max(startMs, untilMs)), row.metadata
  }))
  redis.call('LTRIM', termsKey, 0, keep - 1)
  row.endedMs = endMs
end
`;

/** A failed notification is no error: the user may have no permission to publish. */
export const NOTIFY = `redis.pcall('PUBLISH', channel, '')`;
