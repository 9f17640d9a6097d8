/**
 * Leases in the memory of this process: the rules of lease-row.ts and nothing else. Every other store is compared with this
 * one. Stores that were opened with the same URL share their leases.
 *
 * Not guaranteed: anything beyond this process. The leases end with it.
 */
import type {
  AcquireRequest,
  ReleaseRequest,
  RenewRequest,
  TransferAnswer,
  WithdrawRequest,
} from '../../core/calls.ts';
import type { ClockReading } from '../../core/clock-reading.ts';
import type { WaitingCandidate } from '../../core/lease-record.ts';
import * as rules from '../../core/lease-row.ts';
import { StoreError } from '../../core/store-error.ts';
import * as ticks from '../../core/tick.ts';
import { withTokenText } from '../../core/token-text.ts';
import { type Clock, processClock } from '../../host/process-clock.ts';
import {
  type Capabilities,
  DEFAULT_KEEP_TERMS,
  type HistoryQuery,
  type InitOptions,
  type LeaseStore,
  type Probe,
  type PruneOptions,
  type StoreOptions,
  type Term,
} from '../../lease-store.ts';
import { parseAddress } from '../../store-url.ts';
import { endTerm, grantedUntil, selectTerms, shownTerm, startTerm, wallEndMs } from '../term-keeping.ts';
import { type Election, MemoryLeaseData, sharedData } from './memory-lease-data.ts';

/** The options of a `MemoryLeaseStore`. */
export interface MemoryStoreOptions extends StoreOptions {
  /** Instead of the clocks of this process. Its monotonic reading must not go backwards. */
  readonly clock?: Clock;
  /** False: behaves like a store without a clock, which cannot judge expiry. */
  readonly hasClock?: boolean;
  /** All stores of this process with the same name share their leases. Without a name a store has its own. */
  readonly name?: string;
}

/** A store in the memory of this process, for tests and for candidates within one process. */
export class MemoryLeaseStore implements LeaseStore {
  readonly label: string;
  readonly capabilities: Capabilities;
  readonly #data: MemoryLeaseData;
  readonly #clock: Clock;
  readonly #hasClock: boolean;
  readonly #keepTerms: number;
  readonly #unwatch = new Set<() => void>();
  #isClosed = false;

  constructor(options: MemoryStoreOptions = {}) {
    const { name } = options;
    this.label = `memory:${name ?? ''}`;
    this.#data = name === undefined ? new MemoryLeaseData() : sharedData(name);
    this.#clock = options.clock ?? processClock;
    this.#hasClock = options.hasClock ?? true;
    this.#keepTerms = options.keepTerms ?? DEFAULT_KEEP_TERMS;
    this.capabilities = {
      clock: this.#hasClock,
      linearizable: true,
      survivesCrash: false,
      survivesFailover: false,
      push: true,
      audit: true,
      caveats: [
        'Leases are kept in the memory of one process: candidates in other processes do not see them.',
      ],
    };
  }

  /** A store with the name of the URL, `memory:NAME`. */
  static async open(url: string, options: MemoryStoreOptions = {}): Promise<MemoryLeaseStore> {
    return new MemoryLeaseStore({ ...options, name: parseAddress(url, 'name').path });
  }

  async acquire(requests: readonly AcquireRequest[]) {
    const now = this.#now();
    return requests.map((request) => {
      const before = this.#row(request.name);
      const applied = rules.acquire(before, request, now.monoMs, this.#hasClock, this.#leastToken(now));
      this.#put(request.name, before, applied, now);
      const { waiting } = this.#election(request.name);
      if (applied.answer.type === 'ok') waiting.delete(request.nonce);
      else if (request.registerMs > 0) {
        const { id, nonce, priority, registerMs } = request;
        const times = { atMs: now.monoMs, untilMs: now.monoMs + registerMs };
        waiting.set(nonce, { id, nonce, priority, ...times });
      }
      return applied.answer;
    });
  }

  async renew(renewals: readonly RenewRequest[]) {
    const now = this.#now();
    return renewals.map((renewal) =>
      this.#change(renewal.name, now, (row) => rules.renew(row, renewal, now.monoMs, this.#hasClock)),
    );
  }

  async release(releases: readonly ReleaseRequest[]) {
    const now = this.#now();
    return releases.map((release) => {
      const answer = this.#change(release.name, now, (row) =>
        rules.release(row, release, now.monoMs, this.#hasClock),
      );
      if (answer.type !== 'lost') this.#notify(release.name);
      return answer;
    });
  }

  async read(names: readonly string[]) {
    const { monoMs } = this.#now();
    return names.map((name) => withTokenText(rules.recordOf(name, this.#row(name), monoMs, this.#hasClock)));
  }

  watch(name: string, onNotification: () => void): () => void {
    const watchers = this.#data.watchers.get(name) ?? new Set();
    this.#data.watchers.set(name, watchers);
    // A wrapper, because the same function may watch twice.
    const watcher = (): void => onNotification();
    watchers.add(watcher);
    const end = (): void => {
      watchers.delete(watcher);
      if (watchers.size === 0) this.#data.watchers.delete(name);
      this.#unwatch.delete(end);
    };
    this.#unwatch.add(end);
    return end;
  }

  isPushing(): boolean {
    return true;
  }

  async withdraw(requests: readonly WithdrawRequest[]): Promise<void> {
    this.#now();
    for (const { name, nonce } of requests) this.#data.elections.get(name)?.waiting.delete(nonce);
  }

  async candidates(name: string): Promise<readonly WaitingCandidate[]> {
    const { monoMs } = this.#now();
    const registered = [...(this.#data.elections.get(name)?.waiting.values() ?? [])];
    return registered
      .filter(({ untilMs }) => untilMs > monoMs)
      .map(({ id, nonce, priority, atMs }) => ({ id, nonce, priority, seenMs: monoMs - atMs }))
      .sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  async evict(name: string, standBackMs?: number): Promise<boolean> {
    const now = this.#now();
    const isHeld = this.#change(name, now, (row) =>
      rules.evict(row, standBackMs ?? null, now.monoMs, this.#hasClock),
    );
    if (isHeld) this.#notify(name);
    return isHeld;
  }

  async requestTransfer(name: string, to: string): Promise<TransferAnswer> {
    const isRegistered = (await this.candidates(name)).some(({ id }) => id === to);
    const now = this.#now();
    const answer = this.#change(name, now, (row) =>
      rules.requestTransfer(row, to, isRegistered, now.monoMs, this.#hasClock),
    );
    if (answer === 'requested') this.#notify(name);
    return answer;
  }

  async time(): Promise<number> {
    return this.#now().wallMs;
  }

  async startTick(request: ticks.StartTickRequest): Promise<ticks.StartTickAnswer> {
    const now = this.#now();
    const election = this.#election(request.name);
    const latest = election.ticks.at(-1);
    const isHolder = rules.holds(election.row, request, now.monoMs, this.#hasClock);
    const started = ticks.startTick(latest, request, election.row, isHolder, now.wallMs);
    const before = started.ticks[0]?.tickMs ?? Number.POSITIVE_INFINITY;
    election.ticks = [...election.ticks.filter(({ tickMs }) => tickMs < before), ...started.ticks].slice(
      -this.#keepTerms,
    );
    return started.answer;
  }

  async endTick(request: ticks.EndTickRequest): Promise<boolean> {
    const { wallMs } = this.#now();
    const election = this.#election(request.name);
    const index = election.ticks.findIndex(({ tickMs }) => tickMs === request.tickMs);
    const ended = ticks.endTick(election.ticks[index], request, wallMs);
    if (ended !== null) election.ticks[index] = ended;
    return ended !== null;
  }

  async ticks(name: string, { limit }: ticks.TickQuery = {}): Promise<readonly ticks.Tick[]> {
    const { monoMs } = this.#now();
    const { holder, token } = rules.recordOf(name, this.#row(name), monoMs, this.#hasClock);
    const newestFirst = [...(this.#data.elections.get(name)?.ticks ?? [])].reverse().slice(0, limit);
    return newestFirst.map((tick) =>
      withTokenText({ ...ticks.shownTick(tick, holder === null ? null : token) }),
    );
  }

  async history(name: string, query?: HistoryQuery): Promise<readonly Term[]> {
    const now = this.#now();
    const row = this.#row(name);
    const terms = [...(this.#data.elections.get(name)?.terms ?? [])].reverse();
    const shown = this.#hasClock ? terms.map((term) => shownTerm(term, row, now)) : terms;
    return selectTerms(shown, query);
  }

  async names(): Promise<readonly string[]> {
    this.#now();
    return [...this.#data.elections.keys()];
  }

  async init({ tokenFrom }: InitOptions = {}): Promise<void> {
    this.#now();
    this.#forgetUpTo(tokenFrom ?? 0n);
  }

  async prune(idleMs: number, { dryRun = false }: PruneOptions = {}): Promise<readonly string[]> {
    const { monoMs } = this.#now();
    const idle = [...this.#data.elections].filter(
      ([name, { row, writtenMs }]) =>
        monoMs - writtenMs >= idleMs && rules.recordOf(name, row, monoMs, this.#hasClock).spanMs === 0,
    );
    for (const [name, { row }] of dryRun ? [] : idle) {
      this.#forgetUpTo(row.token);
      this.#data.elections.delete(name);
    }
    return idle.map(([name]) => name);
  }

  initStatements(): readonly string[] {
    return [];
  }

  async probe(): Promise<Probe> {
    const { wallMs } = this.#now();
    return {
      server: 'the memory of this process',
      roundTripMs: 0,
      clockOffsetMs: wallMs - Date.now(),
      problems: [],
      warnings: [],
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const end of [...this.#unwatch]) end();
  }

  /** Every call begins here, so that a closed store rejects it. */
  #now(): ClockReading {
    if (this.#isClosed) {
      throw new StoreError('unreachable', `${this.label} was closed by this process; open it again`);
    }
    return this.#clock.now();
  }

  #row(name: string): rules.LeaseRow {
    return this.#data.elections.get(name)?.row ?? { ...rules.EMPTY_ROW, token: this.#data.pastToken };
  }

  #election(name: string): Election {
    const election = this.#data.elections.get(name) ?? {
      ...{ row: this.#row(name), writtenMs: 0, terms: [], ticks: [], waiting: new Map() },
    };
    this.#data.elections.set(name, election);
    return election;
  }

  #leastToken({ wallMs }: ClockReading): bigint {
    const clock = BigInt(Math.floor(wallMs)) * 1_000n;
    const { pastToken } = this.#data;
    return clock > pastToken ? clock : pastToken + 1n;
  }

  #forgetUpTo(token: bigint): void {
    if (token > this.#data.pastToken) this.#data.pastToken = token;
  }

  #change<Answer>(
    name: string,
    now: ClockReading,
    rule: (row: rules.LeaseRow) => rules.Applied<Answer>,
  ): Answer {
    const before = this.#row(name);
    const applied = rule(before);
    this.#put(name, before, applied, now);
    return applied.answer;
  }

  #put(
    name: string,
    before: rules.LeaseRow,
    { row, ended }: rules.Applied<unknown>,
    now: ClockReading,
  ): void {
    if (row === before) return;
    const election = this.#election(name);
    election.row = row;
    election.writtenMs = now.monoMs;
    const { terms } = election;
    const last = terms.at(-1);
    if (last?.endMs === null) {
      if (ended !== null) terms[terms.length - 1] = endTerm(last, ended, now);
      else if (row.untilMs !== before.untilMs) {
        terms[terms.length - 1] = grantedUntil(last, wallEndMs(row, now));
      }
    }
    if (row.token === before.token) return;
    terms.push(startTerm(name, row, now, terms.at(-1)));
    if (terms.length > this.#keepTerms) terms.splice(0, terms.length - this.#keepTerms);
  }

  /** After the call that changed the lease: its caller gets the answer first. */
  #notify(name: string): void {
    for (const watcher of this.#data.watchers.get(name) ?? []) {
      queueMicrotask(() => {
        if (this.#data.watchers.get(name)?.has(watcher)) watcher();
      });
    }
  }
}
