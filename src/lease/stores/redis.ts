/**
 * Leases in Redis 6 or later, or what speaks its language. Every step is one script, run by the server at once and by
 * its own clock; a list of steps is one round trip.
 *
 * Guaranteed: P1, also when the server restarts and has forgotten its leases: then it grants none until those that it
 * may have forgotten are over. P3, as long as the server's clock is not set back. Not guaranteed: either of them when
 * keys are deleted while the server runs, or when a replica takes over that had not heard everything.
 */
import type { ConnectionOptions } from 'node:tls';
import type { Redis } from 'ioredis';
import { InputError } from '../../kernel/errors.ts';
import type { Claim, ClaimAnswer, Release, ReleaseAnswer, Renewal, RenewalAnswer } from '../core/calls.ts';
import type { LeaseRecord } from '../core/lease-record.ts';
import { recordOf } from '../core/lease-row.ts';
import {
  type Capabilities,
  DEFAULT_KEEP_TERMS,
  type HistoryQuery,
  type LeaseStore,
  type Probe,
  type StoreOptions,
  type Term,
} from '../lease-store.ts';
import { StoreError } from '../store-error.ts';
import { type RedisClient, RedisConnection, type ServerRun } from './redis-connection.ts';
import { RedisHints } from './redis-hints.ts';
import { probeRedis } from './redis-probe.ts';
import { endedTerm, type FlatRow, keysOf, nameOfRow, openTerm, rowOf, rowPattern } from './redis-row.ts';
import {
  ACQUIRE,
  EVICT,
  HISTORY,
  READ,
  RELEASE,
  RENEW,
  REQUEST_TRANSFER,
  type RedisScript,
} from './redis-scripts.ts';
import { redisTarget } from './redis-target.ts';
import { selectTerms, shownTerm } from './term-keeping.ts';

export interface RedisStoreOptions extends StoreOptions {
  /** What every key and channel begins with; 'hustings:' unless told. */
  readonly prefix?: string;
  /** The longest that a call takes, by an answer or an error; 1,000 unless told. */
  readonly timeoutMs?: number;
  /** How many replicas must have a change before it counts; 0 unless told. */
  readonly waitReplicas?: number;
  /** False: grants at once what a server that has just started may have forgotten to be held. */
  readonly waitAfterRestart?: boolean;
  /** For rediss: the server's CA, or a certificate of one's own. */
  readonly tls?: ConnectionOptions;
}

const DEFAULT_PREFIX = 'hustings:';
const DEFAULT_TIMEOUT_MS = 1_000;

const CAPABILITIES: Capabilities = {
  clock: true,
  linearizable: true,
  survivesCrash: false,
  survivesFailover: false,
  push: true,
  audit: true,
  caveats: [
    'A server that writes to disk later than it answers (anything but appendonly yes with appendfsync always) forgets ' +
      'leases and history in a crash; after its restart nobody gets a new lease for one ttl, so that two never lead.',
    'That wait is as long as the ttl of the claim: give all candidates of an election the same.',
    'Tokens rise even above forgotten ones, because they are at least the time of the server in microseconds; not if ' +
      'its clock is set back at the same time.',
    'Deleting keys or FLUSHALL frees a lease whose holder still works: the fence alone protects then.',
    'A fail-over to a replica may forget the latest leases, unless waitReplicas is asked for; even then it may happen.',
    'Leases end by the wall clock of the server: when it is set forward they end early.',
  ],
};

/** One run of a script: the keys of its election, and its arguments. */
interface Step {
  readonly name: string;
  readonly args: readonly (string | number)[];
}

export class RedisLeaseStore implements LeaseStore {
  readonly label: string;
  readonly capabilities = CAPABILITIES;
  readonly #connection: RedisConnection;
  readonly #hints: RedisHints;
  readonly #prefix: string;
  readonly #keepTerms: number;
  readonly #waitReplicas: number;
  readonly #waitAfterRestart: boolean;

  private constructor(client: RedisClient, url: string, options: RedisStoreOptions) {
    const target = redisTarget(url, options.tls);
    const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.label = target.label;
    this.#connection = new RedisConnection(client, target, timeoutMs);
    this.#hints = new RedisHints(new RedisConnection(client, target, timeoutMs, false));
    this.#prefix = options.prefix ?? DEFAULT_PREFIX;
    if (/[{}]/.test(this.#prefix)) {
      throw new InputError(
        `expected a prefix without braces, got ${JSON.stringify(this.#prefix)}: leave them out`,
      );
    }
    this.#keepTerms = options.keepTerms ?? DEFAULT_KEEP_TERMS;
    this.#waitReplicas = options.waitReplicas ?? 0;
    this.#waitAfterRestart = options.waitAfterRestart ?? true;
  }

  /** Connects with the first call, so that a server that is down delays nobody here. */
  static async open(url: string, options: RedisStoreOptions = {}): Promise<RedisLeaseStore> {
    const { Redis } = await import('ioredis').catch((error) => {
      throw new InputError(
        'leases in Redis need its client library, which is not installed: npm install ioredis',
        {
          cause: error,
        },
      );
    });
    return new RedisLeaseStore(Redis, url, options);
  }

  async acquire(claims: readonly Claim[]): Promise<readonly ClaimAnswer[]> {
    const answers = await this.#write(ACQUIRE, claims, (claim, { startedMs, isDurable }) => [
      claim.id,
      claim.nonce,
      claim.ttlMs,
      claim.priority,
      claim.process,
      claim.gone ?? '',
      this.#keepTerms,
      isDurable || !this.#waitAfterRestart ? 0 : startedMs,
    ]);
    return (answers as [string, string, FlatRow][]).map(([kind, value, flat], index) =>
      kind === 'ok'
        ? { kind, token: BigInt(value) }
        : { kind: 'held', record: recordOf(claims[index].name, rowOf(flat), Number(value)) },
    );
  }

  async renew(renewals: readonly Renewal[]): Promise<readonly RenewalAnswer[]> {
    const answers = await this.#write(RENEW, renewals, ({ nonce, token, ttlMs }) => [
      nonce,
      `${token}`,
      ttlMs,
    ]);
    return (answers as string[][]).map(([kind, transferTo, id, priority, waitedMs]) =>
      kind === 'ok'
        ? {
            kind,
            transferTo: transferTo === '' ? null : transferTo,
            rival: id === undefined ? null : { id, priority: Number(priority), waitedMs: Number(waitedMs) },
          }
        : { kind: kind as 'evicted' | 'lost' },
    );
  }

  async release(releases: readonly Release[]): Promise<readonly ReleaseAnswer[]> {
    const answers = await this.#write(RELEASE, releases, ({ name, nonce, token, reason, heir, heirMs }) => [
      nonce,
      `${token}`,
      reason,
      heir ?? '',
      heirMs,
      this.#keepTerms,
      keysOf(this.#prefix, name).channel,
    ]);
    return (answers as ['ok' | 'lost'][]).map(([kind]) => ({ kind }));
  }

  async read(names: readonly string[]): Promise<readonly LeaseRecord[]> {
    const answers = await this.#ask(
      READ,
      names.map((name) => ({ name, args: [] })),
    );
    return (answers as [string, FlatRow][]).map(([nowMs, flat], index) =>
      recordOf(names[index], rowOf(flat), Number(nowMs)),
    );
  }

  watch(name: string, onHint: () => void): () => void {
    return this.#hints.watch(keysOf(this.#prefix, name).channel, onHint);
  }

  async evict(name: string): Promise<boolean> {
    const { channel } = keysOf(this.#prefix, name);
    const [answer] = await this.#write(EVICT, [{ name }], () => [channel]);
    return Number(answer) === 1;
  }

  async requestTransfer(name: string, to: string): Promise<boolean> {
    const { channel } = keysOf(this.#prefix, name);
    const [answer] = await this.#write(REQUEST_TRANSFER, [{ name }], () => [channel, to]);
    return Number(answer) === 1;
  }

  async history(name: string, query: HistoryQuery = {}): Promise<readonly Term[]> {
    const last = query.atMs === undefined && query.limit !== undefined ? query.limit : -1;
    const [answer] = await this.#ask(HISTORY, [{ name, args: [last] }]);
    const [nowMs, flat, ended] = answer as [string, FlatRow, string[]];
    const open = openTerm(name, flat);
    // This store has one clock for both.
    const now = { monoMs: Number(nowMs), wallMs: Number(nowMs) };
    const shown = open && shownTerm(open, rowOf(flat), now);
    return selectTerms(
      [...(shown === undefined ? [] : [shown]), ...ended.map((json) => endedTerm(name, json))],
      query,
    );
  }

  async names(): Promise<readonly string[]> {
    // One call to a big server takes many round trips: each of them has the time of a call.
    const names = new Set<string>();
    let cursor = '0';
    do {
      const [next, keys] = await this.#connection.call((redis) =>
        redis.scan(cursor, 'MATCH', rowPattern(this.#prefix), 'COUNT', 1_000),
      );
      for (const key of keys) names.add(nameOfRow(this.#prefix, key));
      cursor = next;
    } while (cursor !== '0');
    return [...names];
  }

  async init(): Promise<void> {
    await this.#connection.call((redis) => redis.ping());
  }

  initStatements(): readonly string[] {
    return [];
  }

  probe(): Promise<Probe> {
    return this.#connection.call((redis) => probeRedis(redis, this.#prefix, this.#waitReplicas));
  }

  async close(): Promise<void> {
    this.#hints.close();
    this.#connection.close();
  }

  #write<Item extends { readonly name: string }>(
    script: RedisScript,
    items: readonly Item[],
    argsOf: (item: Item, run: ServerRun) => Step['args'],
  ): Promise<readonly unknown[]> {
    return this.#run(script, items.length, this.#waitReplicas, (run) =>
      items.map((item) => ({ name: item.name, args: argsOf(item, run) })),
    );
  }

  #ask(script: RedisScript, steps: readonly Step[]): Promise<readonly unknown[]> {
    return this.#run(script, steps.length, 0, () => steps);
  }

  #run(
    script: RedisScript,
    count: number,
    waitReplicas: number,
    stepsOf: (run: ServerRun) => readonly Step[],
  ): Promise<readonly unknown[]> {
    return this.#connection.call(async (redis, run) => {
      if (count === 0) return [];
      const steps = stepsOf(run);
      const answers = await this.#pipe(redis, script, steps, false);
      // Forgotten by the server: with the source in the first step, all the others find it.
      const unknown = answers.flatMap(([error], index) =>
        error?.message.startsWith('NOSCRIPT') ? [index] : [],
      );
      if (unknown.length > 0) {
        const again = await this.#pipe(
          redis,
          script,
          unknown.map((index) => steps[index]),
          true,
        );
        for (const [place, index] of unknown.entries()) answers[index] = again[place];
      }
      for (const [error] of answers) if (error !== null) throw error;
      if (waitReplicas > 0) await this.#confirm(redis, waitReplicas);
      return answers.map(([, answer]) => answer);
    });
  }

  async #pipe(redis: Redis, script: RedisScript, steps: readonly Step[], withSource: boolean) {
    const pipeline = redis.pipeline();
    for (const [index, { name, args }] of steps.entries()) {
      const { row, terms } = keysOf(this.#prefix, name);
      if (withSource && index === 0) pipeline.eval(script.source, 2, row, terms, ...args);
      else pipeline.evalsha(script.sha, 2, row, terms, ...args);
    }
    return (await pipeline.exec()) as [Error | null, unknown][];
  }

  async #confirm(redis: Redis, waitReplicas: number): Promise<void> {
    const confirmed = Number(await redis.wait(waitReplicas, Math.ceil(this.#connection.timeoutMs / 2)));
    if (confirmed >= waitReplicas) return;
    throw new StoreError(
      'unreachable',
      `${this.label}: expected ${waitReplicas} replicas to confirm a change, ${confirmed} did: see to the replicas`,
    );
  }
}
