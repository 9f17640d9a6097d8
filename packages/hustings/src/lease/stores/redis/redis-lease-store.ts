/**
 * Leases in Redis 6 or later, also with Sentinels or in a Cluster, or in a server with the same protocol. Every request is one atomic script that uses the clock of
 * the server. A list of requests takes one round trip.
 *
 * Guaranteed: P1, also after a restart in which the server forgot its leases: it grants none until all forgotten leases have
 * ended. P3, as long as the server's clock is not set back. Not guaranteed: P1 if single keys are deleted while the server
 * runs, if an old primary still accepts writes after a failover, or if the user may not run INFO and the server restarts with
 * an old snapshot or a replica is promoted.
 */
import { recordOf } from '../../core/lease-row.ts';
import { metadataText } from '../../core/term-data.ts';
import { shownTick } from '../../core/tick.ts';
import { withTokenText } from '../../core/token-text.ts';
import type * as Store from '../../store-interface.ts';
import { selectTerms, shownTerm } from '../term-keeping.ts';
import type { RedisClient } from './clients/redis-client.ts';
import { openLibrary } from './clients/redis-source.ts';
import type { RedisLibrary } from './redis-connection.ts';
import * as scripts from './redis-lease-scripts.ts';
import { RedisNotifications } from './redis-notifications.ts';
import { probeRedis } from './redis-probe.ts';
import {
  checkpointArg,
  endedTerm,
  type FlatRow,
  keysOf,
  nameOfRow,
  openTerm,
  renewAnswer,
  rowOf,
  rowPattern,
  storedTick,
  waitingCandidates,
} from './redis-row.ts';
import { RedisSession } from './redis-session.ts';
import type { RedisStoreOptions, RedisStoreSettings } from './redis-settings.ts';
import { RedisSteps, type StepArgs } from './redis-steps.ts';
import { INIT, PRUNE, SCAN } from './redis-store-scripts.ts';
import { END_TICK, RESET_TICKS, START_TICK, TICKS } from './redis-tick-scripts.ts';

export type { RedisClient } from './clients/redis-client.ts';
export type { RedisStoreOptions } from './redis-settings.ts';

/** Other clients are served between two batches. */
const PRUNE_AT_ONCE = 100;

const CAPABILITIES: Store.Capabilities = {
  expiry: 'clock',
  linearizable: true,
  survivesCrash: false,
  survivesFailover: false,
  push: true,
  audit: true,
  transactions: true,
  tickClock: 'server',
  caveats: [
    'A server that answers before it writes to disk (anything but appendonly yes with appendfsync always) forgets leases ' +
      'and history in a crash. After a restart, a failover or FLUSHALL it grants no lease for one ttl that was not renewed ' +
      'since, so that two candidates never lead. So does a store that is used for the first time.',
    'That wait is the longer ttl of the known holder and the requesting candidate: give all candidates of an election the ' +
      'same ttl.',
    'A user without INFO recognizes only a server that lost all its keys. A restart with an old snapshot or a failover ' +
      'then looks like a server that kept running, and a lease may be granted whose holder still works.',
    'Tokens exceed even forgotten tokens, because they are at least the time of the server in microseconds, unless ' +
      'its clock was set back.',
    'Deleting the key of a lease frees it while its holder still works. Then only a fence protects the resource.',
    'After a failover, an old primary in a partition keeps renewing the leases of its clients. waitReplicas, or ' +
      'min-replicas-to-write on the server, ends that.',
    'Leases end on the wall clock of the server: if it is set forward, they end early.',
  ],
};

/** A store in Redis. */
export class RedisLeaseStore implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities = CAPABILITIES;
  readonly #connection: RedisSession;
  readonly #steps: RedisSteps;
  readonly #notifications: RedisNotifications;
  readonly #settings: RedisStoreSettings;

  private constructor(library: RedisLibrary, settings: RedisStoreSettings) {
    this.label = settings.label;
    this.#settings = settings;
    this.#connection = new RedisSession(library, settings);
    this.#steps = new RedisSteps(this.#connection, settings);
    const subscriptions = new RedisSession(library, settings, true);
    this.#notifications = new RedisNotifications(subscriptions, this.#connection, settings);
  }

  /**
   * Opens the store of a URL, or of the servers of an existing client. The store makes its own connections with the
   * configuration of that client, and neither uses nor closes the client. Connects with the first call, not here.
   */
  static async open(source: string | RedisClient, options: RedisStoreOptions = {}): Promise<RedisLeaseStore> {
    const { library, settings } = await openLibrary(source, options);
    return new RedisLeaseStore(library, settings);
  }

  async acquire(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    const answers = await this.#steps.write(scripts.ACQUIRE, requests, this.#acquireArgs);
    return answers.map((answer, index) => acquireAnswer(requests[index].name, answer));
  }

  async acquireAll(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    const answers = await this.#steps.writeTogether(scripts.ACQUIRE_ALL, requests, this.#acquireArgs);
    return answers.map((answer, index) => acquireAnswer(requests[index].name, answer));
  }

  readonly #acquireArgs = (request: Store.AcquireRequest): StepArgs => [
    request.id,
    request.nonce,
    request.ttlMs,
    request.priority,
    request.processProof,
    request.goneNonce ?? '',
    `${request.staleVersion ?? ''}`,
    request.holdAtLeastMs,
    request.registerMs,
    this.#settings.keepTerms,
    this.#settings.waitAfterRestart ? 1 : 0,
    metadataText(request.nonce, request.metadata) ?? '',
    request.fair === true ? 1 : 0,
  ];

  async renew(renewals: readonly Store.RenewRequest[]): Promise<readonly Store.RenewAnswer[]> {
    const answers = await this.#steps.write(scripts.RENEW, renewals, ({ nonce, token, ttlMs, update }) =>
      update === undefined
        ? [nonce, `${token}`, ttlMs]
        : [
            ...[nonce, `${token}`, ttlMs, update.number],
            ...[metadataText(nonce, update.metadata) ?? '', checkpointArg(update.checkpoint)],
          ],
    );
    return answers.map(renewAnswer);
  }

  async release(releases: readonly Store.ReleaseRequest[]): Promise<readonly Store.ReleaseAnswer[]> {
    const answers = await this.#steps.write(
      scripts.RELEASE,
      releases,
      ({ name, nonce, token, reason, successor, reserveMs, checkpoint }) => [
        nonce,
        `${token}`,
        reason,
        successor ?? '',
        reserveMs,
        this.#settings.keepTerms,
        keysOf(this.#settings.prefix, name).channel,
        checkpointArg(checkpoint),
      ],
    );
    return (answers as [Store.ReleaseAnswer['type'], string?][]).map(([type, cooldownMs]) =>
      type === 'evicted' ? { type, cooldownMs: Number(cooldownMs) } : { type },
    );
  }

  async read(names: readonly string[]): Promise<readonly Store.LeaseRecord[]> {
    const answers = await this.#steps.read(scripts.READ, names);
    return (answers as [string, FlatRow][]).map(([nowMs, flat], index) =>
      withTokenText(recordOf(names[index], rowOf(flat), Number(nowMs))),
    );
  }

  watch(name: string, onNotification: () => void): () => void {
    return this.#notifications.watch(keysOf(this.#settings.prefix, name).channel, onNotification);
  }

  isPushing(): boolean {
    return this.#notifications.isPushing;
  }

  async withdraw(requests: readonly Store.WithdrawRequest[]): Promise<void> {
    await this.#steps.write(scripts.WITHDRAW, requests, ({ nonce }) => [nonce]);
  }

  async candidates(name: string): Promise<readonly Store.WaitingCandidate[]> {
    const [answer] = await this.#steps.read(scripts.CANDIDATES, [name]);
    const [nowMs, flat] = answer as [string, FlatRow];
    return waitingCandidates(Number(nowMs), flat);
  }

  async evict(name: string, cooldownMs?: number): Promise<boolean> {
    const { channel } = keysOf(this.#settings.prefix, name);
    const [answer] = await this.#steps.write(scripts.EVICT, [{ name }], () => [channel, cooldownMs ?? '']);
    return Number(answer) === 1;
  }

  async requestTransfer(name: string, to: string): Promise<Store.TransferAnswer> {
    const { channel } = keysOf(this.#settings.prefix, name);
    const [answer] = await this.#steps.write(scripts.REQUEST_TRANSFER, [{ name }], () => [channel, to]);
    return answer as Store.TransferAnswer;
  }

  async time(): Promise<number> {
    const [seconds, micros] = (await this.#connection.call((redis) => redis.call('TIME'))) as string[];
    return Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
  }

  async startTick(request: Store.StartTickRequest): Promise<Store.StartTickAnswer> {
    const { nonce, token, tickMs, missedMs, retry } = request;
    const [answer] = await this.#steps.write(START_TICK, [request], () => [
      nonce,
      `${token}`,
      tickMs ?? '',
      retry ? 1 : 0,
      this.#settings.keepTerms,
      ...missedMs,
    ]);
    const [type, value] = answer as [Store.StartTickAnswer['type'], string];
    if (type === 'taken') return { type, latestMs: Number(value) };
    if (type === 'early') return { type, nowMs: Number(value) };
    return { type };
  }

  async endTick(request: Store.EndTickRequest): Promise<boolean> {
    const { token, tickMs, state } = request;
    const [answer] = await this.#steps.write(END_TICK, [request], () => [`${token}`, tickMs, state]);
    return Number(answer) === 1;
  }

  async ticks(name: string, { limit }: Store.TickQuery = {}): Promise<readonly Store.Tick[]> {
    if (limit === 0) return [];
    const [answer] = await this.#steps.read(TICKS, [name], [limit === undefined ? -1 : limit - 1]);
    return shownTicks(name, answer);
  }

  async resetTicks(name: string): Promise<readonly Store.Tick[]> {
    const [answer] = await this.#steps.write(RESET_TICKS, [{ name }], () => []);
    return shownTicks(name, answer);
  }

  async history(name: string, query: Store.HistoryQuery = {}): Promise<readonly Store.Term[]> {
    const last = query.atMs === undefined && query.limit !== undefined ? query.limit : -1;
    const [answer] = await this.#steps.read(scripts.HISTORY, [name], [last]);
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
      const [page] = await this.#steps.read(SCAN, [''], [cursor, rowPattern(this.#settings.prefix)]);
      const [next, keys] = page as [string, string[]];
      for (const key of keys) names.add(nameOfRow(this.#settings.prefix, key));
      cursor = next;
    } while (cursor !== '0');
    return [...names];
  }

  async init({ tokenFrom = 0n }: Store.InitOptions = {}): Promise<void> {
    await this.#steps.write(INIT, [{ name: '' }], () => [`${tokenFrom}`]);
  }

  async prune(idleMs: number, { dryRun = false }: Store.PruneOptions = {}): Promise<readonly string[]> {
    const names = await this.names();
    const pruned: string[] = [];
    for (let from = 0; from < names.length; from += PRUNE_AT_ONCE) {
      const items = names.slice(from, from + PRUNE_AT_ONCE).map((name) => ({ name }));
      const answers = await this.#steps.write(PRUNE, items, () => [idleMs, dryRun ? 1 : 0]);
      for (const [index, { name }] of items.entries()) if (Number(answers[index]) === 1) pruned.push(name);
    }
    return pruned;
  }

  initStatements(): readonly string[] {
    return [];
  }

  probe(): Promise<Store.Probe> {
    return this.#connection.call((redis) =>
      probeRedis(redis, this.#settings.prefix, this.#settings.waitReplicas),
    );
  }

  async close(): Promise<void> {
    this.#notifications.close();
    this.#connection.close();
  }
}

function acquireAnswer(name: string, answer: unknown): Store.AcquireAnswer {
  const [type, value, rest, ahead] = answer as [string, string, (FlatRow | string)?, string?];
  if (type === 'ok') {
    return { type, token: BigInt(value), checkpoint: (rest as string | undefined) ?? null };
  }
  const record = recordOf(name, rowOf(rest as FlatRow), Number(value));
  return { type: 'held', record, ...(ahead === undefined ? {} : { ahead }) };
}

function shownTicks(name: string, answer: unknown): readonly Store.Tick[] {
  const [nowMs, flat, ticks] = answer as [string, FlatRow, string[]];
  const { holder, token } = recordOf(name, rowOf(flat), Number(nowMs));
  const heldToken = holder === null ? null : token;
  return ticks.map((json) => withTokenText({ ...shownTick(storedTick(name, json), heldToken) }));
}
