/** What `createElector` returns. An interface, so that a test of a service can pass a fake. */
import type { WaitingCandidate } from '../lease/core/lease-record.ts';
import type { Tick, TickQuery } from '../lease/core/tick.ts';
import type { Term } from '../lease/lease-store.ts';
import type { CronOptions, CronWork } from './cron/cron-options.ts';
import type { ElectorHealth } from './elector-health.ts';
import type { Lead } from './lead.ts';
import type { KnownLeaderView, LeaderView } from './leader-view.ts';
import type { ElectorMetrics } from './metrics/elector-metrics.ts';

/** The options of calls that can be ended early. */
export interface SignalOptions {
  /** Ends the call when it aborts. */
  readonly signal?: AbortSignal | undefined;
}

/** The options of `acquire` and `runOnce`. */
export interface AcquireOptions extends SignalOptions {
  /** How long to wait for leadership. The store is asked at least once: 0 takes a free lease and waits for none. */
  readonly timeoutMs?: number | undefined;
  /**
   * For this time after leadership was won, no new term begins, even if this one ends earlier: neither a successor nor this
   * candidate leads again before. For jobs that every replica starts at about the same time.
   */
  readonly holdAtLeastMs?: number | undefined;
}

/** Selects terms of the history; all of them by default. */
export interface HistoryOptions {
  /** Only the term at this time: a date, or milliseconds since 1970 on the store's clock. */
  readonly at?: Date | number | undefined;
  /** At most this number of terms. */
  readonly limit?: number | undefined;
  /** Only the terms of this slot, from 1. */
  readonly slot?: number | undefined;
}

/** The options of `watch`. */
export interface LeaderWatchOptions extends SignalOptions {
  /** Only this slot, from 1. */
  readonly slot?: number | undefined;
}

/** Takes part in one election as one candidate, or observes it. */
export interface Elector extends AsyncDisposable {
  /** The election. */
  readonly name: string;
  /** The candidate's id. */
  readonly id: string;
  /** What this elector has counted so far. */
  readonly metrics: ElectorMetrics;

  /** What this elector does at the moment, for the health endpoint of a service. Does not ask the store. */
  health(): ElectorHealth;

  /**
   * Leads again and again until `signal` aborts: calls `work` once in each term. Resolves when the work has settled and
   * the lease is released. An elector campaigns once at a time.
   *
   * If `work` returns, its term ends and the elector campaigns again. The same if it throws after its term has ended, or
   * because an `assert` found too little left. If it throws anything else, or if the store rejects the candidate and has
   * never answered this elector, the lease is released and the promise rejects.
   */
  campaign(work: (lead: Lead) => unknown, options?: SignalOptions): Promise<void>;

  /**
   * Waits for leadership, calls `work` once, releases the lease, and resolves with the result of `work`.
   *
   * Rejects with a `StoreError` if the store rejects the candidate and has never answered this elector;
   * with an `AcquireTimeoutError` if this candidate does not lead in time; with the reason of `signal` if that
   * aborts; with a `LeaseLostError` if the lease is lost while `work` runs; otherwise with the error that `work` throws.
   * In every case `work` has settled first: its `lead.signal` tells it to stop.
   */
  runOnce<Result>(work: (lead: Lead) => Result | Promise<Result>, options?: AcquireOptions): Promise<Result>;

  /**
   * Waits for leadership and resolves with the lead, which the caller releases: `await using lead = await acquire()`.
   *
   * Rejects with the errors of `runOnce` before its work begins. A lease that the store grants after that is released when
   * the answer arrives; if no answer arrives, it expires.
   */
  acquire(options?: AcquireOptions): Promise<Lead>;

  /**
   * Runs `work` at each tick of a cron expression, at most once among all candidates of the election, and resolves when
   * `signal` aborts. A tick is due by the store's clock, and recorded under the token before its work starts. An error of
   * `work` is recorded as a failed tick, and the schedule goes on.
   */
  cron(expression: string, work: CronWork, options?: CronOptions): Promise<void>;

  /** The recorded ticks of the election's schedule, newest first. */
  ticks(options?: TickQuery): Promise<readonly Tick[]>;

  /**
   * Yields the current leader, and then every change; of each slot, if the election has slots. An observer need not be a candidate.
   * Rejects with a `ClusterClosedError` when the cluster is closed.
   */
  watch(options?: LeaderWatchOptions): AsyncGenerator<LeaderView, void>;

  /**
   * The current leader, read from the store, or from the member of this process. Rejects with a `StoreError` if the store cannot be read, and with an `InputError`
   * if the election has several slots.
   */
  leader(): Promise<KnownLeaderView>;

  /** The current leader of each slot, read from the store in one call. */
  leaders(): Promise<readonly KnownLeaderView[]>;

  /**
   * The candidates that wait for the lease, by their id. A candidate is registered by its first request that is refused, and
   * until it has not asked for one TTL.
   */
  candidates(): Promise<readonly WaitingCandidate[]>;

  /** The terms of the election, newest first; of all slots, unless `slot` says which. */
  history(options?: HistoryOptions): Promise<readonly Term[]>;

  /**
   * Ends everything under way, as an abort of its signal would, and waits for it, at most for one TTL. The owner of a lead
   * from `acquire` is told to release it. Then closes the store, unless it was given as an object, or another elector
   * of this process has the same URL. A cluster is closed by its owner. Later calls reject with an `ElectorClosedError`.
   */
  close(): Promise<void>;
}
