/**
 * Runs a script for each item of a list in one round trip. A server that has forgotten the script gets its source in one more
 * round trip, and a redirect in a Cluster takes one more. With waitReplicas, the call is answered only when the replicas have confirmed it.
 */
import { StoreError } from '../../core/store-error.ts';
import { redirectOf } from './redis-primary.ts';
import { keysOf } from './redis-row.ts';
import type { RedisScript } from './redis-script-parts.ts';
import type { RedisLink, RedisSession } from './redis-session.ts';
import type { RedisStoreSettings } from './redis-settings.ts';

/** A candidate waits at most a quarter of its TTL for an answer. No connection is destroyed before this time. */
const SHORTEST_TIMEOUT_MS = 500;

/** How long a renewal relies on the last examination of the server; see RENEW. */
const EXAMINED_FOR_MS = 1_000;

export type StepArgs = readonly (string | number)[];

export interface StepItem {
  readonly name: string;
  readonly ttlMs?: number;
}

type Outcome = [error: Error | null, answer: unknown];
type Parameters = [keys: number, ...(string | number)[]];

interface Run {
  readonly answers: readonly unknown[];
  /** Those that have executed steps. */
  readonly links: readonly RedisLink[];
}

/** An unknown script and a few redirects, to a node that redirects as well. */
const MAX_ROUNDS = 5;

interface Step {
  /** The elections whose keys the script gets. */
  readonly names: readonly string[];
  readonly args: StepArgs;
}

export class RedisSteps {
  readonly #connection: RedisSession;
  readonly #settings: RedisStoreSettings;

  constructor(connection: RedisSession, settings: RedisStoreSettings) {
    this.#connection = connection;
    this.#settings = settings;
  }

  /** The answers of the script, in the order of the items. The first argument of each script is the `run_id` of the server. */
  async write<Item extends StepItem>(
    script: RedisScript,
    items: readonly Item[],
    argsOf: (item: Item) => StepArgs,
  ): Promise<readonly unknown[]> {
    const steps = items.map((item) => ({ names: [item.name], args: argsOf(item) }));
    return this.#write(script, steps, this.#timeoutMs(items));
  }

  /** The answers of one run of the script for all items. */
  async writeTogether<Item extends StepItem>(
    script: RedisScript,
    items: readonly Item[],
    argsOf: (item: Item) => StepArgs,
  ): Promise<readonly unknown[]> {
    if (items.length === 0) return [];
    const step = { names: items.map(({ name }) => name), args: items.flatMap(argsOf) };
    const [answers] = await this.#write(script, [step], this.#timeoutMs(items));
    return answers as readonly unknown[];
  }

  async #write(script: RedisScript, steps: readonly Step[], timeoutMs: number): Promise<readonly unknown[]> {
    return await this.#connection.call(async (_, link) => {
      const { answers, links } = await this.#run(link, script, steps);
      if (this.#settings.waitReplicas > 0) for (const each of links) await this.#confirm(each, timeoutMs);
      return answers;
    }, timeoutMs);
  }

  async read(
    script: RedisScript,
    names: readonly string[],
    args: StepArgs = [],
  ): Promise<readonly unknown[]> {
    const steps = names.map((name) => ({ names: [name], args }));
    return await this.#connection.call(async (_, link) => (await this.#run(link, script, steps)).answers);
  }

  #timeoutMs(items: readonly StepItem[]): number {
    let ttlMs = Number.MAX_VALUE;
    for (const item of items) ttlMs = Math.min(ttlMs, item.ttlMs ?? ttlMs);
    return Math.ceil(Math.min(this.#settings.timeoutMs, Math.max(SHORTEST_TIMEOUT_MS, ttlMs / 4)));
  }

  /** Steps that the server has not executed are run again: with the source of the script, or where the Cluster redirects. */
  async #run(first: RedisLink, script: RedisScript, steps: readonly Step[]): Promise<Run> {
    if (steps.length === 0) return { answers: [], links: [] };
    let link = first;
    const links: RedisLink[] = [];
    const send = async (wanted: readonly Step[], withSource: boolean): Promise<Outcome[]> => {
      const answered = await this.#send(link, script, wanted, withSource);
      if (answered.some(([error]) => !wasRefused(error))) links.push(link);
      return answered;
    };
    const outcomes = await send(steps, false);
    for (let round = 0; round < MAX_ROUNDS; round++) {
      const rest = outcomes.flatMap(([error], index) => (wasRefused(error) ? [index] : []));
      if (rest.length === 0) break;
      const redirect = redirectOf(outcomes[rest[0]][0]);
      if (redirect !== null) link = await this.#connection.follow(link, redirect);
      const again = await send(
        rest.map((index) => steps[index]),
        redirect === null,
      );
      for (const [place, index] of rest.entries()) outcomes[index] = again[place];
    }
    const answers = outcomes.map(([error, answer]) => {
      if (error !== null) throw error;
      return answer;
    });
    return { answers, links };
  }

  /** `withSource`: the first command carries the source of the script. */
  async #send(
    link: RedisLink,
    script: RedisScript,
    steps: readonly Step[],
    withSource: boolean,
  ): Promise<Outcome[]> {
    const { redis, isAsking, refusesAsReplica } = link;
    const nowMs = performance.now();
    const isRecent = refusesAsReplica && nowMs - link.examinedMs < EXAMINED_FOR_MS;
    if (steps.length === 1 && !isAsking) {
      // A pipeline of one command takes half as much time again in the client library.
      const parameters = this.#parametersOf(link, script, steps[0], isRecent);
      try {
        const answer = await (withSource
          ? redis.eval(script.source, ...parameters)
          : redis.evalsha(script.sha, ...parameters));
        if (!isRecent) link.examinedMs = nowMs;
        return [[null, answer]];
      } catch (error) {
        if (!wasRefused(error)) throw error;
        return [[error as Error, null]];
      }
    }
    const pipeline = redis.pipeline();
    for (const [index, step] of steps.entries()) {
      // The first step examines the server for the others.
      const isExamined = isRecent || (refusesAsReplica && index > 0);
      const parameters = this.#parametersOf(link, script, step, isExamined);
      if (isAsking) pipeline.call('ASKING');
      if (withSource && index === 0) pipeline.eval(script.source, ...parameters);
      else pipeline.evalsha(script.sha, ...parameters);
    }
    const answers = (await pipeline.exec()) as Outcome[];
    const outcomes = isAsking ? answers.filter((_, index) => index % 2 === 1) : answers;
    if (!isRecent && outcomes[0][0] === null) link.examinedMs = nowMs;
    return outcomes;
  }

  #parametersOf({ runId }: RedisLink, script: RedisScript, step: Step, isExamined: boolean): Parameters {
    const { keys, reliesOnExamination } = script;
    const examined = reliesOnExamination ? [isExamined ? 1 : 0] : [];
    const named = step.names.flatMap((name) => {
      const keyOf = keysOf(this.#settings.prefix, name);
      return keys.map((key) => keyOf[key]);
    });
    return [named.length, ...named, runId, ...step.args, ...examined];
  }

  async #confirm({ redis }: RedisLink, timeoutMs: number): Promise<void> {
    const { label, waitReplicas } = this.#settings;
    const confirmed = Number(await redis.call('WAIT', waitReplicas, Math.ceil(timeoutMs / 2)));
    if (confirmed >= waitReplicas) return;
    throw new StoreError(
      'unreachable',
      `${label}: ${waitReplicas} replicas must confirm a write, but ${confirmed} did; check the replicas`,
    );
  }
}

/** Not executed: the server does not know the script, or is not the node of the Cluster that has the slot. */
const wasRefused = (error: unknown): boolean =>
  error instanceof Error && (error.message.startsWith('NOSCRIPT') || redirectOf(error) !== null);
