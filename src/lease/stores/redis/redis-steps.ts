/**
 * Runs a script for each item of a list in one round trip. A server that has forgotten the script gets its source in one more
 * round trip. With waitReplicas, the call is answered only when the replicas have confirmed it.
 */
import type { Redis } from 'ioredis';
import { StoreError } from '../../core/store-error.ts';
import { keysOf } from './redis-row.ts';
import type { RedisScript } from './redis-script-parts.ts';
import type { RedisSession } from './redis-session.ts';
import type { RedisSettings } from './redis-settings.ts';

/** A candidate waits at most a quarter of its TTL for an answer. No connection is destroyed before this time. */
const SHORTEST_TIMEOUT_MS = 500;

export type StepArgs = readonly (string | number)[];

export interface StepItem {
  readonly name: string;
  readonly ttlMs?: number;
}

interface Step {
  readonly name: string;
  readonly args: StepArgs;
}

export class RedisSteps {
  readonly #connection: RedisSession;
  readonly #settings: RedisSettings;

  constructor(connection: RedisSession, settings: RedisSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** The answers of the script, in the order of the items. The first argument of each step is the `run_id` of the server. */
  async write<Item extends StepItem>(
    script: RedisScript,
    items: readonly Item[],
    argsOf: (item: Item) => StepArgs,
  ): Promise<readonly unknown[]> {
    const timeoutMs = this.#timeoutMs(items);
    return await this.#connection.call(async (redis, runId) => {
      const steps = items.map((item) => ({ name: item.name, args: [runId, ...argsOf(item)] }));
      const answers = await this.#run(redis, script, steps);
      if (this.#settings.waitReplicas > 0) await this.#confirm(redis, timeoutMs);
      return answers;
    }, timeoutMs);
  }

  async read(
    script: RedisScript,
    names: readonly string[],
    args: StepArgs = [],
  ): Promise<readonly unknown[]> {
    return await this.#connection.call((redis, runId) =>
      this.#run(
        redis,
        script,
        names.map((name) => ({ name, args: [runId, ...args] })),
      ),
    );
  }

  #timeoutMs(items: readonly StepItem[]): number {
    let ttlMs = Number.MAX_VALUE;
    for (const item of items) ttlMs = Math.min(ttlMs, item.ttlMs ?? ttlMs);
    return Math.ceil(Math.min(this.#settings.timeoutMs, Math.max(SHORTEST_TIMEOUT_MS, ttlMs / 4)));
  }

  async #run(redis: Redis, script: RedisScript, steps: readonly Step[]): Promise<readonly unknown[]> {
    // A pipeline of one command takes half as much time again in the client library.
    if (steps.length === 1) return [await this.#runOne(redis, script, steps[0])];
    if (steps.length === 0) return [];
    const outcomes = await this.#pipe(redis, script, steps, false);
    const unknown = outcomes.flatMap(([error], index) => (isUnknown(error) ? [index] : []));
    if (unknown.length > 0) {
      const wanted = unknown.map((index) => steps[index]);
      const again = await this.#pipe(redis, script, wanted, true);
      for (const [place, index] of unknown.entries()) outcomes[index] = again[place];
    }
    return outcomes.map(([error, answer]) => {
      if (error !== null) throw error;
      return answer;
    });
  }

  async #runOne(redis: Redis, script: RedisScript, step: Step): Promise<unknown> {
    const parameters = this.#parametersOf(script, step);
    try {
      return await redis.evalsha(script.sha, ...parameters);
    } catch (error) {
      if (!isUnknown(error)) throw error;
      return await redis.eval(script.source, ...parameters);
    }
  }

  #parametersOf({ keys }: RedisScript, { name, args }: Step): [keys: number, ...(string | number)[]] {
    const keyOf = keysOf(this.#settings.prefix, name);
    return [keys.length, ...keys.map((key) => keyOf[key]), ...args];
  }

  /** `withSource`: the first command carries the source of the script. */
  async #pipe(redis: Redis, script: RedisScript, steps: readonly Step[], withSource: boolean) {
    const pipeline = redis.pipeline();
    for (const [index, step] of steps.entries()) {
      if (withSource && index === 0) pipeline.eval(script.source, ...this.#parametersOf(script, step));
      else pipeline.evalsha(script.sha, ...this.#parametersOf(script, step));
    }
    return (await pipeline.exec()) as [error: Error | null, answer: unknown][];
  }

  async #confirm(redis: Redis, timeoutMs: number): Promise<void> {
    const { label, waitReplicas } = this.#settings;
    const confirmed = Number(await redis.wait(waitReplicas, Math.ceil(timeoutMs / 2)));
    if (confirmed >= waitReplicas) return;
    throw new StoreError(
      'unreachable',
      `${label}: ${waitReplicas} replicas must confirm a write, but ${confirmed} did; check the replicas`,
    );
  }
}

/** The server does not know the script, or has forgotten it. */
const isUnknown = (error: unknown): boolean => error instanceof Error && error.message.startsWith('NOSCRIPT');
