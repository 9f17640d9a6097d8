/**
 * The state of shared work in Redis. A batch is one attempt at a work: its jobs, its results and their merged parts.
 *
 * Guarantees: the same work has one running batch. A result counts once, however often it is stored. Only `save` merges,
 * and it is fenced by the coordinator's token. A batch that fails or is cancelled is never used again.
 */
import { createHash, randomBytes } from 'node:crypto';
import { FenceError, fencedRedis } from 'hustings/lease/fence';
import type { Lead } from 'hustings/opentelemetry';
import type { Redis } from 'ioredis';
import type { JobResult } from './job.ts';
import type { QueueConnection } from './queue-connection.ts';
import { KEEP_MS } from './queue-keys.ts';
import { countTasks, idOf, MergedParts, type Part, type SharedWork, tasksPerJob } from './shared-work.ts';

export type BatchStatus = 'running' | 'done' | 'failed' | 'cancelled';

/** How far a batch is. */
export interface BatchState {
  readonly status: BatchStatus;
  readonly jobs: number;
  /** Jobs whose results are merged: the first ones. */
  readonly merged: number;
  /** Jobs that were handed out: the first ones. */
  readonly handed: number;
  /** The first job with an error so far. */
  readonly failed: number | null;
  readonly error: object | null;
}

export interface Batch {
  readonly name: string;
  readonly work: SharedWork;
  readonly perJob: number;
  /** By the clock of the server. */
  readonly createdMs: number;
}

const PART = 'part:';
const STATE_FIELDS = ['status', 'jobs', 'merged', 'handed', 'failed', 'error'];

const CREATE = script(`
local latestKey, batchKey, activeKey = unpack(KEYS)
local name, keepMs, stem = unpack(ARGV)
local latest = redis.call('GET', latestKey)
if latest then
  local status = redis.call('HGET', stem .. latest, 'status')
  if status == 'running' or status == 'done' then
    redis.call('PEXPIRE', latestKey, keepMs)
    redis.call('PEXPIRE', stem .. latest, keepMs)
    return latest
  end
end
redis.call('SET', latestKey, name, 'PX', keepMs)
local now = redis.call('TIME')
local createdMs = now[1] * 1000 + math.floor(now[2] / 1000)
redis.call('HSET', batchKey, 'status', 'running', 'merged', 0, 'handed', 0, 'createdMs', createdMs, unpack(ARGV, 4))
redis.call('PEXPIRE', batchKey, keepMs)
redis.call('SADD', activeKey, name)
redis.call('PEXPIRE', activeKey, keepMs)
return name
`);

const STORE = script(`
local batchKey, resultsKey = unpack(KEYS)
local job, result, isError, keepMs = unpack(ARGV)
local status, merged, failed = unpack(redis.call('HMGET', batchKey, 'status', 'merged', 'failed'))
if status ~= 'running' or tonumber(job) < tonumber(merged) then return 0 end
redis.call('HSET', resultsKey, job, result)
if isError == '1' and (not failed or tonumber(job) < tonumber(failed)) then
  redis.call('HSET', batchKey, 'failed', job)
end
redis.call('PEXPIRE', resultsKey, keepMs)
redis.call('PEXPIRE', batchKey, keepMs)
return 1
`);

const CANCEL = script(`
if redis.call('HGET', KEYS[1], 'status') ~= 'running' then return 0 end
redis.call('HSET', KEYS[1], 'status', 'cancelled')
redis.call('PEXPIRE', KEYS[1], ARGV[1])
redis.call('DEL', KEYS[2])
return 1
`);

export class BatchStore {
  private readonly connection: QueueConnection;

  constructor(connection: QueueConnection) {
    this.connection = connection;
  }

  /** The name of the latest batch of this work if it is running or done, otherwise of a new one. */
  async open(work: SharedWork): Promise<{ readonly name: string; readonly isNew: boolean }> {
    const id = idOf(work);
    const own = `${id}-${randomBytes(4).toString('hex')}`;
    const { keys } = this.connection;
    const perJob = tasksPerJob(work);
    const jobs = Math.ceil(countTasks(work) / perJob);
    const fields = ['jobs', jobs, 'perJob', perJob, 'work', JSON.stringify(work)];
    const name = (await this.run(
      CREATE,
      [keys.latest(id), keys.batch(own), keys.active],
      [own, KEEP_MS, keys.batch(''), ...fields],
    )) as string;
    return { name, isNew: name === own };
  }

  /** Null if Redis does not have it any more. */
  async batch(name: string): Promise<Batch | null> {
    const [work, perJob, createdMs] = await this.connection.redis((redis) =>
      redis.hmget(this.connection.keys.batch(name), 'work', 'perJob', 'createdMs'),
    );
    if (work === null) return null;
    return { name, work: JSON.parse(work), perJob: Number(perJob), createdMs: Number(createdMs) };
  }

  async state(name: string): Promise<BatchState | null> {
    const [status, jobs, merged, handed, failed, error] = await this.connection.redis((redis) =>
      redis.hmget(this.connection.keys.batch(name), ...STATE_FIELDS),
    );
    if (status === null) return null;
    return {
      status: status as BatchStatus,
      jobs: Number(jobs),
      merged: Number(merged),
      handed: Number(handed),
      failed: failed === null ? null : Number(failed),
      error: error === null ? null : JSON.parse(error),
    };
  }

  async parts(name: string, type: SharedWork['type']): Promise<MergedParts> {
    const fields = await this.connection.redis((redis) => redis.hgetall(this.connection.keys.batch(name)));
    const saved = Object.entries(fields)
      .filter(([field]) => field.startsWith(PART))
      .map(([field, text]): Part => [Number(field.slice(PART.length)), JSON.parse(text)]);
    return new MergedParts(type, saved);
  }

  async active(): Promise<readonly string[]> {
    return this.connection.redis((redis) => redis.smembers(this.connection.keys.active));
  }

  /** Removes the results of a batch that has ended, and its name from the active batches. */
  async deactivate(name: string): Promise<void> {
    const { keys } = this.connection;
    await this.connection.redis((redis) => redis.del(keys.results(name)));
    await this.connection.redis((redis) => redis.srem(keys.active, name));
  }

  /** Does nothing if the batch has ended, or if the result is merged already. */
  async storeResult(name: string, job: number, result: JobResult): Promise<void> {
    const { keys } = this.connection;
    const isError = result.type === 'error' ? 1 : 0;
    await this.run(
      STORE,
      [keys.batch(name), keys.results(name)],
      [job, JSON.stringify(result), isError, KEEP_MS],
    );
  }

  /** The results of these jobs; null where one is missing. */
  async results(name: string, jobs: readonly number[]): Promise<readonly (JobResult | null)[]> {
    if (jobs.length === 0) return [];
    const key = this.connection.keys.results(name);
    const texts = await this.connection.redis((redis) => redis.hmget(key, ...jobs.map(String)));
    return texts.map((text) => (text === null ? null : JSON.parse(text)));
  }

  /** The coordinator's write: rejects with a `FenceError` if a later coordinator has written. */
  async save(
    lead: Lead,
    name: string,
    fields: Readonly<Record<string, string | number>>,
    parts: ReadonlyMap<number, Part[1]> = new Map(),
  ): Promise<void> {
    const { keys } = this.connection;
    const pairs = [
      ...Object.entries(fields).flatMap(([field, value]) => [field, String(value)]),
      ...[...parts].flatMap(([index, value]) => [`${PART}${index}`, JSON.stringify(value)]),
    ];
    const command = ['HSET', keys.batch(name), ...pairs];
    const fence = { key: keys.fence, token: lead.token };
    // Returned and not thrown: the connection would take a refusal for an error of the server.
    const refusal = await this.connection.redis((redis) =>
      fencedRedis(redis, fence, command).then(
        () => null,
        (error) => (error instanceof FenceError ? error : Promise.reject(error)),
      ),
    );
    if (refusal !== null) throw refusal;
    await this.connection.touch([keys.batch(name), keys.results(name), keys.fence]);
  }

  async forgetResults(name: string, jobs: readonly number[]): Promise<void> {
    const key = this.connection.keys.results(name);
    await this.connection.redis((redis) => redis.hdel(key, ...jobs.map(String)));
  }

  /** The coordinator removes its jobs. False if it has ended already. */
  async cancel(name: string): Promise<boolean> {
    const { keys } = this.connection;
    return Number(await this.run(CANCEL, [keys.batch(name), keys.results(name)], [KEEP_MS])) === 1;
  }

  private async run(
    { source, sha }: Script,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<unknown> {
    return this.connection.redis(async (redis: Redis) => {
      try {
        return await redis.evalsha(sha, keys.length, ...keys, ...args);
      } catch (error) {
        if (!/^NOSCRIPT/.test((error as Error).message)) throw error;
        return redis.eval(source, keys.length, ...keys, ...args);
      }
    });
  }
}

interface Script {
  readonly source: string;
  readonly sha: string;
}

function script(source: string): Script {
  return { source, sha: createHash('sha1').update(source).digest('hex') };
}
