/**
 * BullMQ, an optional peer dependency, loaded on use. What is used of it is declared here, so that the sources compile where
 * it is not installed.
 */
import type { RedisOptions } from 'ioredis';
import { QueueError } from './queue-error.ts';

export interface BullJob<Data> {
  readonly data: Data;
  /** Gives a job under way back to the queue. */
  moveToWait(token?: string): Promise<unknown>;
}

export interface BullJobOptions {
  /** A job is not added if the queue has one with this id. */
  readonly jobId: string;
  readonly attempts: number;
  readonly backoff: { readonly type: 'fixed'; readonly delay: number };
  readonly removeOnComplete: boolean;
  readonly removeOnFail: boolean;
}

export interface BullQueue<Data> {
  addBulk(
    jobs: readonly { readonly name: string; readonly data: Data; readonly opts: BullJobOptions }[],
  ): Promise<unknown>;
  remove(id: string): Promise<number>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export interface BullWorker {
  /** With true it does not wait for jobs under way. */
  pause(doNotWaitActive?: boolean): Promise<void>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  close(): Promise<void>;
}

export type BullProcessor<Data> = (job: BullJob<Data>, token?: string) => Promise<void>;

export interface BullWorkerOptions {
  readonly concurrency: number;
  readonly lockDuration: number;
  readonly stalledInterval: number;
  readonly maxStalledCount: number;
}

interface BullBase {
  readonly connection: RedisOptions;
  readonly prefix: string;
  readonly skipVersionCheck: boolean;
}

interface BullQueueOptions extends BullBase {
  readonly streams: { readonly events: { readonly maxLen: number } };
}

export interface BullLibrary {
  readonly Queue: new <Data>(name: string, options: BullQueueOptions) => BullQueue<Data>;
  readonly Worker: new <Data>(
    name: string,
    processor: BullProcessor<Data>,
    options: BullBase & BullWorkerOptions,
  ) => BullWorker;
  /** What a processor throws after `moveToWait`. */
  readonly WaitingError: new () => Error;
}

/** Not a literal, which the compiler would look up. */
const NAME: string = 'bullmq';

export async function loadBull(): Promise<BullLibrary> {
  try {
    return await import(NAME);
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') {
      throw new QueueError(`bullmq cannot be loaded: ${(error as Error).message}`, error);
    }
    throw new QueueError(
      'a queue needs the packages bullmq and ioredis, and bullmq is not installed: npm install bullmq ioredis',
      error,
    );
  }
}
