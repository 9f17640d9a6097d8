/**
 * The workers and commands that are connected to a queue, of all builds. Each announces itself every few seconds and sees
 * the others. An entry ends when it is not repeated.
 */

import { StoreError } from 'hustings/lease';
import type { Redis } from 'ioredis';
import { pause } from './pause.ts';
import type { QueueConnection } from './queue-connection.ts';

export interface Participant {
  readonly type: 'worker' | 'command';
  /** Host and process. */
  readonly id: string;
  readonly build: string;
  /** The build for people. */
  readonly buildText: string;
  /** A worker accepts files of users; a command has some. */
  readonly files: boolean;
  /** The cores of a worker. */
  readonly cores: number;
  /** The batch that a command waits for. */
  readonly batch: string | null;
}

const BEAT_MS = 2_000;
const PRESENT_MS = 8_000;

export class Presence {
  private readonly connection: QueueConnection;
  private readonly self: string;
  private readonly onBeat: (others: readonly Participant[]) => void;
  private readonly stopping = new AbortController();
  private beating: Promise<void> = Promise.resolve();
  private all: readonly Participant[] = [];

  /** `onBeat` is called after each announcement with all participants. */
  constructor(
    connection: QueueConnection,
    self: Omit<Participant, 'build' | 'buildText'>,
    onBeat: (all: readonly Participant[]) => void,
  ) {
    this.connection = connection;
    const { hash, text } = connection.build;
    this.self = JSON.stringify({ ...self, build: hash, buildText: text } satisfies Participant);
    this.onBeat = onBeat;
  }

  /** The cores of the workers of this build. */
  cores(): number {
    return this.all
      .filter(({ type, build }) => type === 'worker' && build === this.connection.build.hash)
      .reduce((sum, { cores }) => sum + cores, 0);
  }

  start(): void {
    this.beating = this.beat();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.beating;
    const { present } = this.connection.keys;
    await this.connection.redis((redis) => redis.zrem(present, this.self)).catch(() => {});
  }

  private async beat(): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        this.all = await this.announce();
        // Elections and queues create keys at any time: each process puts their end off, so that none stays without one.
        await this.connection.touch(this.connection.keys.ofOthers());
        if (!signal.aborted) this.onBeat(this.all);
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.connection.onTrouble(error);
      }
      await pause(BEAT_MS, signal);
    }
  }

  private async announce(): Promise<readonly Participant[]> {
    const { present } = this.connection.keys;
    const found = await this.connection.redis(async (redis) => {
      const nowMs = await serverMs(redis);
      const answers = await redis
        .multi()
        .zadd(present, `${nowMs}`, this.self)
        .zremrangebyscore(present, '-inf', `${nowMs - PRESENT_MS}`)
        .pexpire(present, PRESENT_MS)
        .zrange(present, '0', '-1')
        .exec();
      return answers?.[3][1] as string[];
    });
    return found.map((text) => JSON.parse(text));
  }
}

/** All participants, for a process that is none. */
export async function participants(connection: QueueConnection): Promise<readonly Participant[]> {
  const { present } = connection.keys;
  const found = await connection.redis(async (redis) =>
    redis.zrangebyscore(present, (await serverMs(redis)) - PRESENT_MS, '+inf'),
  );
  return found.map((text) => JSON.parse(text));
}

export async function serverMs(redis: Redis): Promise<number> {
  const [seconds, micros] = await redis.time();
  return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
}
