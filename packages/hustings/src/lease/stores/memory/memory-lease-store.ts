/**
 * Leases in the memory of this process: elections as election.ts changes them, and nothing else. Every other store is compared with this
 * one. Stores that were opened with the same URL share their leases.
 *
 * Not guaranteed: anything beyond this process. The leases end with it.
 */
import type { ClockReading } from '../../core/clock-reading.ts';
import { EMPTY_ROW } from '../../core/lease-row.ts';
import { closedError } from '../../core/store-error.ts';
import { type Clock, processClock } from '../../host/process-clock.ts';
import { DEFAULT_KEEP_TERMS } from '../../lease-store.ts';
import type * as Store from '../../store-interface.ts';
import { parseAddress } from '../../store-url.ts';
import { Election, type ElectionRules, minToken } from '../election.ts';
import { Watchers } from '../watchers.ts';

/** The options of a `MemoryLeaseStore`. */
export interface MemoryStoreOptions extends Store.StoreOptions {
  /** Instead of the clocks of this process. Its monotonic reading must not go backwards. */
  readonly clock?: Clock;
  /** False: behaves like a store without a clock, which cannot judge expiry. */
  readonly hasClock?: boolean;
  /** All stores of this process with the same name share their leases. Without a name a store has its own. */
  readonly name?: string;
}

/** What several stores share. */
class MemoryLeaseData {
  readonly elections = new Map<string, Election>();
  readonly watchers = new Watchers();
  /** No election gives this token or a smaller one again. */
  pastToken = 0n;
}

const dataOfName = new Map<string, MemoryLeaseData>();

/** What the stores with this name share. */
export function sharedData(name: string): MemoryLeaseData {
  const data = dataOfName.get(name) ?? new MemoryLeaseData();
  dataOfName.set(name, data);
  return data;
}

/** A store in the memory of this process, for tests and for candidates within one process. */
export class MemoryLeaseStore implements Store.LeaseStore {
  readonly label: string;
  readonly capabilities: Store.Capabilities;
  readonly #data: MemoryLeaseData;
  readonly #clock: Clock;
  readonly #rules: ElectionRules;
  readonly #unwatch = new Set<() => void>();
  #isClosed = false;

  constructor(options: MemoryStoreOptions = {}) {
    const { name } = options;
    this.label = `memory:${name ?? ''}`;
    this.#data = name === undefined ? new MemoryLeaseData() : sharedData(name);
    this.#clock = options.clock ?? processClock;
    const { hasClock = true, keepTerms = DEFAULT_KEEP_TERMS } = options;
    this.#rules = { hasClock, keepTerms };
    this.capabilities = {
      expiry: hasClock ? 'clock' : 'observation',
      linearizable: true,
      survivesCrash: false,
      survivesFailover: false,
      push: true,
      audit: true,
      transactions: true,
      tickClock: 'process',
      caveats: [
        'Leases are kept in the memory of one process: candidates in other processes do not see them.',
      ],
    };
  }

  /** A store with the name of the URL, `memory:NAME`. */
  static async open(url: string, options: MemoryStoreOptions = {}): Promise<MemoryLeaseStore> {
    return new MemoryLeaseStore({ ...options, name: parseAddress(url, 'name').path });
  }

  async acquire(requests: readonly Store.AcquireRequest[]) {
    const now = this.#now();
    const least = minToken(this.#data.pastToken, now);
    return requests.map((request) => this.#kept(request.name).acquire(request, now, least));
  }

  async acquireAll(requests: readonly Store.AcquireRequest[]): Promise<readonly Store.AcquireAnswer[]> {
    const now = this.#now();
    const least = minToken(this.#data.pastToken, now);
    const granted = requests.map((request) => this.#election(request.name).grants(request, now));
    const isAll = granted.every(Boolean);
    return requests.map((request, index) =>
      isAll || !granted[index]
        ? this.#kept(request.name).acquire(request, now, least)
        : { type: 'held', record: this.#election(request.name).record(now) },
    );
  }

  async renew(renewals: readonly Store.RenewRequest[]) {
    const now = this.#now();
    return renewals.map((renewal) => this.#election(renewal.name).renew(renewal, now));
  }

  async release(releases: readonly Store.ReleaseRequest[]) {
    const now = this.#now();
    return releases.map((release) => {
      const answer = this.#election(release.name).release(release, now);
      if (answer.type !== 'lost') this.#notify(release.name);
      return answer;
    });
  }

  async read(names: readonly string[]) {
    const now = this.#now();
    return names.map((name) => this.#election(name).record(now));
  }

  watch(name: string, onNotification: () => void): () => void {
    const unwatch = this.#data.watchers.add(name, onNotification);
    const end = (): void => {
      unwatch();
      this.#unwatch.delete(end);
    };
    this.#unwatch.add(end);
    return end;
  }

  isPushing(): boolean {
    return true;
  }

  async withdraw(requests: readonly Store.WithdrawRequest[]): Promise<void> {
    this.#now();
    for (const { name, nonce } of requests) this.#election(name).withdraw(nonce);
  }

  async candidates(name: string): Promise<readonly Store.WaitingCandidate[]> {
    return this.#election(name).candidates(this.#now());
  }

  async evict(name: string, cooldownMs?: number): Promise<boolean> {
    const isHeld = this.#election(name).evict(cooldownMs ?? null, this.#now());
    if (isHeld) this.#notify(name);
    return isHeld;
  }

  async requestTransfer(name: string, to: string): Promise<Store.TransferAnswer> {
    const answer = this.#election(name).requestTransfer(to, this.#now());
    if (answer === 'requested') this.#notify(name);
    return answer;
  }

  async time(): Promise<number> {
    return this.#now().wallMs;
  }

  async startTick(request: Store.StartTickRequest): Promise<Store.StartTickAnswer> {
    return this.#election(request.name).startTick(request, this.#now());
  }

  async endTick(request: Store.EndTickRequest): Promise<boolean> {
    return this.#election(request.name).endTick(request, this.#now());
  }

  async resetTicks(name: string): Promise<readonly Store.Tick[]> {
    return this.#election(name).resetTicks(this.#now());
  }

  async ticks(name: string, query: Store.TickQuery = {}): Promise<readonly Store.Tick[]> {
    return this.#election(name).newestTicks(query, this.#now());
  }

  async history(name: string, query?: Store.HistoryQuery): Promise<readonly Store.Term[]> {
    return this.#election(name).history(query, this.#now());
  }

  async names(): Promise<readonly string[]> {
    this.#now();
    return [...this.#data.elections.keys()];
  }

  async init({ tokenFrom }: Store.InitOptions = {}): Promise<void> {
    this.#now();
    this.#forgetUpTo(tokenFrom ?? 0n);
  }

  async prune(idleMs: number, { dryRun = false }: Store.PruneOptions = {}): Promise<readonly string[]> {
    const now = this.#now();
    const idle = [...this.#data.elections.values()].filter(
      (election) => now.monoMs - election.writtenMs >= idleMs && election.isUnused(now),
    );
    for (const { name, row } of dryRun ? [] : idle) {
      this.#forgetUpTo(row.token);
      this.#data.elections.delete(name);
    }
    return idle.map(({ name }) => name);
  }

  initStatements(): readonly string[] {
    return [];
  }

  async probe(): Promise<Store.Probe> {
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
    if (this.#isClosed) throw closedError(this.label);
    return this.#clock.now();
  }

  /** An election that is not kept yet, unless a request is about to change it. */
  #election(name: string): Election {
    const { elections, pastToken } = this.#data;
    const known = elections.get(name);
    return known ?? new Election(name, { ...EMPTY_ROW, token: pastToken }, this.#rules);
  }

  #kept(name: string): Election {
    const election = this.#election(name);
    this.#data.elections.set(name, election);
    return election;
  }

  #forgetUpTo(token: bigint): void {
    if (token > this.#data.pastToken) this.#data.pastToken = token;
  }

  /** After the call that changed the lease: its caller gets the answer first. */
  #notify(name: string): void {
    queueMicrotask(() => this.#data.watchers.notify(name));
  }
}
