/**
 * Leases in the memory of this process: the rules of lease-row.ts and nothing else. Every other store is compared with this
 * one. Stores that were opened with the same URL share their leases.
 *
 * Not guaranteed: anything beyond this process. The leases end with it.
 */
import type { AcquireRequest, ReleaseRequest, RenewRequest } from '../../core/calls.ts';
import type { ClockReading } from '../../core/clock-reading.ts';
import * as rules from '../../core/lease-row.ts';
import { withTokenText } from '../../core/token-text.ts';
import { type Clock, processClock } from '../../host/process-clock.ts';
import type { Capabilities, StoreOptions } from '../../lease-store.ts';
import {
  DEFAULT_KEEP_TERMS,
  type HistoryQuery,
  type LeaseStore,
  type Probe,
  type Term,
} from '../../lease-store.ts';
import { StoreError } from '../../store-error.ts';
import { parseAddress } from '../../store-url.ts';
import { endTerm, selectTerms, shownTerm, startTerm, wallEndMs } from '../term-keeping.ts';

/** The options of a `MemoryLeaseStore`. */
export interface MemoryStoreOptions extends StoreOptions {
  /** Instead of the clocks of this process. Its monotonic reading must not go backwards. */
  readonly clock?: Clock;
  /** False: behaves like a store without a clock, which cannot judge expiry. */
  readonly hasClock?: boolean;
  /** All stores of this process with the same name share their leases. Without a name a store has its own. */
  readonly name?: string;
}

/** The leases and terms that several stores share. */
class MemoryLeaseData {
  readonly rows = new Map<string, rules.LeaseRow>();
  /** Oldest first. */
  readonly terms = new Map<string, Term[]>();
  readonly watchers = new Map<string, Set<() => void>>();
}

const dataOfName = new Map<string, MemoryLeaseData>();

/** What the stores with this name share. */
export function sharedData(name: string): MemoryLeaseData {
  const data = dataOfName.get(name) ?? new MemoryLeaseData();
  dataOfName.set(name, data);
  return data;
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
      const applied = rules.acquire(before, request, now.monoMs, this.#hasClock);
      this.#put(request.name, before, applied, now);
      if (applied.row.token > before.token) this.#begin(request.name, applied.row, now);
      return applied.answer;
    });
  }

  async renew(renewals: readonly RenewRequest[]) {
    const now = this.#now();
    return renewals.map((renewal) => {
      const before = this.#row(renewal.name);
      const applied = rules.renew(before, renewal, now.monoMs, this.#hasClock);
      this.#put(renewal.name, before, applied, now);
      return applied.answer;
    });
  }

  async release(releases: readonly ReleaseRequest[]) {
    const now = this.#now();
    return releases.map((release) => {
      const before = this.#row(release.name);
      const applied = rules.release(before, release, now.monoMs, this.#hasClock);
      this.#put(release.name, before, applied, now);
      if (applied.answer.type === 'ok') this.#notify(release.name);
      return applied.answer;
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

  async evict(name: string): Promise<boolean> {
    return this.#instruct(name, (row, nowMs) => rules.evict(row, nowMs, this.#hasClock));
  }

  async requestTransfer(name: string, to: string): Promise<boolean> {
    return this.#instruct(name, (row, nowMs) => rules.requestTransfer(row, to, nowMs, this.#hasClock));
  }

  async history(name: string, query?: HistoryQuery): Promise<readonly Term[]> {
    const now = this.#now();
    const row = this.#row(name);
    const terms = [...(this.#data.terms.get(name) ?? [])].reverse();
    const shown = this.#hasClock ? terms.map((term) => shownTerm(term, row, now)) : terms;
    return selectTerms(shown, query);
  }

  async names(): Promise<readonly string[]> {
    this.#now();
    return [...this.#data.rows.keys()];
  }

  async init(): Promise<void> {
    this.#now();
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
    return this.#data.rows.get(name) ?? rules.EMPTY_ROW;
  }

  #put(
    name: string,
    before: rules.LeaseRow,
    { row, ended }: rules.Applied<unknown>,
    now: ClockReading,
  ): void {
    if (row === before) return;
    this.#data.rows.set(name, row);
    const terms = this.#data.terms.get(name);
    const last = terms?.at(-1);
    if (terms === undefined || last === undefined || last.endMs !== null) return;
    if (ended !== null) terms[terms.length - 1] = endTerm(last, ended, now);
    else if (row.untilMs !== before.untilMs) {
      terms[terms.length - 1] = { ...last, claimedUntilMs: wallEndMs(row, now) };
    }
  }

  #begin(name: string, row: rules.LeaseRow, now: ClockReading): void {
    const terms = this.#data.terms.get(name) ?? [];
    this.#data.terms.set(name, terms);
    terms.push(startTerm(name, row, now, terms.at(-1)));
    if (terms.length > this.#keepTerms) terms.splice(0, terms.length - this.#keepTerms);
  }

  #instruct(name: string, rule: (row: rules.LeaseRow, nowMs: number) => rules.Applied<boolean>): boolean {
    const now = this.#now();
    const before = this.#row(name);
    const applied = rule(before, now.monoMs);
    this.#put(name, before, applied, now);
    if (applied.answer) this.#notify(name);
    return applied.answer;
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
