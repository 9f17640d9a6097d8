/**
 * The connection of a process to the queue: commands to Redis, and BullMQ's queues and workers on the same server.
 *
 * Guarantees: every error is a `StoreError` without secrets. BullMQ reconnects by itself; `onTrouble` is told why it must.
 */

import { type BuildIdentity, identityOf } from '@hustings/base/node';
import { urlLibrary } from 'hustings/internal/lease/stores/redis/clients/redis-source';
import { redisError } from 'hustings/internal/lease/stores/redis/redis-error';
import { RedisSession } from 'hustings/internal/lease/stores/redis/redis-session';
import {
  clientOptions,
  type RedisSettings,
  redisSettings,
} from 'hustings/internal/lease/stores/redis/redis-settings';
import type { LeaseStore } from 'hustings/lease/etcd';
import { RedisLeaseStore } from 'hustings/lease/redis';
import type { Redis } from 'ioredis';
import {
  type BullLibrary,
  type BullProcessor,
  type BullQueue,
  type BullWorker,
  type BullWorkerOptions,
  loadBull,
} from './bull-library.ts';
import type { JobData } from './job.ts';
import { JOB_QUEUES, type JobQueueName, KEEP_MS, QueueKeys } from './queue-keys.ts';

/** BullMQ's stream of events, which nobody here reads. */
const MAX_EVENTS = 100;

/** The packages whose build decides the figures. */
const ENGINES = ['@hustings/base', '@hustings/study', '@hustings/claims', '@hustings/queue'];

export class QueueConnection {
  readonly label: string;
  readonly build: BuildIdentity;
  readonly keys: QueueKeys;
  /** The store of the coordinator's lease. */
  readonly leases: LeaseStore;
  /** Told of each error of a connection that BullMQ opens again. */
  onTrouble: (error: Error) => void = () => {};
  private readonly session: RedisSession<Redis>;
  private readonly settings: RedisSettings;
  private readonly bull: BullLibrary;
  private readonly queues = new Map<JobQueueName, BullQueue<JobData>>();

  private constructor(
    settings: RedisSettings,
    session: RedisSession<Redis>,
    bull: BullLibrary,
    leases: (prefix: string) => LeaseStore,
    build: BuildIdentity,
  ) {
    this.label = settings.label;
    this.settings = settings;
    this.session = session;
    this.bull = bull;
    this.build = build;
    this.keys = new QueueKeys(settings.prefix, build.hash);
    this.leases = leases(this.keys.leasePrefix);
  }

  /** Fails if the server cannot be used. `version` is that of the package, for people. */
  static async open(url: string, version: string): Promise<QueueConnection> {
    const bull = await loadBull();
    const settings = redisSettings(url);
    const session = new RedisSession(await urlLibrary(settings), settings);
    await session.call((redis) => redis.ping());
    const build = identityOf(version, ENGINES, import.meta.url);
    const { leasePrefix } = new QueueKeys(settings.prefix, build.hash);
    // The fence makes the wait after a restart needless: tokens rise even if the server forgot the lease.
    const leases = await RedisLeaseStore.open(url, { prefix: leasePrefix, waitAfterRestart: false });
    return new QueueConnection(settings, session, bull, () => leases, build);
  }

  redis<T>(work: (redis: Redis) => Promise<T>): Promise<T> {
    return this.session.call((redis) => work(redis));
  }

  /** Calls BullMQ's queue. */
  async jobs<T>(name: JobQueueName, work: (queue: BullQueue<JobData>) => Promise<T>): Promise<T> {
    try {
      return await work(this.queue(name));
    } catch (error) {
      throw redisError(this.settings, error);
    }
  }

  /** A job that a worker has begun cannot be removed. Its result is dropped. */
  async removeJobs(name: JobQueueName, ids: readonly string[]): Promise<void> {
    await this.jobs(name, (queue) => Promise.all(ids.map((id) => queue.remove(id).catch(() => 0))));
  }

  /** A worker of BullMQ that takes jobs at once. */
  worker(name: JobQueueName, work: BullProcessor<JobData>, options: BullWorkerOptions): BullWorker {
    const { bullPrefix: prefix } = this.keys;
    const connection = clientOptions(this.settings);
    const worker = new this.bull.Worker<JobData>(name, work, {
      ...options,
      connection,
      prefix,
      skipVersionCheck: true,
    });
    worker.on('error', (error) => this.report(error));
    return worker;
  }

  /** What a processor throws after it has given its job back. */
  givenBack(): Error {
    return new this.bull.WaitingError();
  }

  /** Puts the expiry of keys off. */
  async touch(keys: readonly string[]): Promise<void> {
    await this.redis((redis) => redis.pipeline(keys.map((key) => ['pexpire', key, KEEP_MS])).exec());
  }

  async close(): Promise<void> {
    await Promise.allSettled([...this.queues.values()].map((queue) => queue.close()));
    await this.leases.close();
    this.session.close();
  }

  private queue(name: JobQueueName): BullQueue<JobData> {
    const known = this.queues.get(name);
    if (known !== undefined) return known;
    const queue = new this.bull.Queue<JobData>(name, {
      connection: { ...clientOptions(this.settings), maxRetriesPerRequest: 1 },
      prefix: this.keys.bullPrefix,
      skipVersionCheck: true,
      streams: { events: { maxLen: MAX_EVENTS } },
    });
    queue.on('error', (error) => this.report(error));
    this.queues.set(name, queue);
    return queue;
  }

  /** BullMQ also reports that a job or its lock is gone: then another worker has it, or its batch has ended. */
  private report(error: Error & { code?: unknown }): void {
    const isOfServer = error.name === 'ReplyError' || typeof error.code === 'string';
    if (isOfServer || /connection/i.test(error.message)) this.onTrouble(redisError(this.settings, error));
  }
}

export const queueOf = (withFiles: boolean): JobQueueName => JOB_QUEUES[withFiles ? 1 : 0];
