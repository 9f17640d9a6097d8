/**
 * Where leases are kept. A store keeps P1 and P3: at no moment of its own clock has an election two leases that have
 * not run out, and every grant has a larger token than all before it, also after a release, an expiry or a restart.
 *
 * Every method takes lists, so that renewals which are due together make one round trip; one call alone is a list with one
 * item, and answers come in the order of the list. The items of a list are independent: one that is lost does not harm
 * the others. A name may stand in a list twice: the items take effect one after another. A call that fails rejects with
 * a `StoreError`; nothing else is ever thrown.
 *
 * What a store does not do: wait, retry, or time out. A call that has no answer yet may still take effect later.
 */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
} from './core/calls.ts';
import type { EndCause } from './core/end-reason.ts';
import type { LeaseRecord } from './core/lease-record.ts';

export interface LeaseStore {
  /** As a person would name it in a message: the URL without user, password and query. */
  readonly label: string;
  readonly capabilities: Capabilities;

  acquire(claims: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]>;
  renew(renewals: readonly RenewRequest[]): Promise<readonly RenewAnswer[]>;
  release(releases: readonly ReleaseRequest[]): Promise<readonly ReleaseAnswer[]>;
  /** A name that never was gives a record with token 0. */
  read(names: readonly string[]): Promise<readonly LeaseRecord[]>;

  /**
   * Calls `onNotification` soon after a lease was released, evicted or asked to be transferred. A notification may come late, twice,
   * for nothing, or never. Returns what ends the watch. Keeps no process alive. Absent in a store that cannot push.
   */
  watch?(name: string, onNotification: () => void): () => void;

  /** Forbids the holder to renew. False if nobody holds the lease. */
  evict(name: string): Promise<boolean>;
  /** Asks the holder to hand over to the candidate with this id, at its next renewal. False if nobody holds the lease. */
  requestTransfer(name: string, to: string): Promise<boolean>;

  /** Newest first. */
  history(name: string, query?: HistoryQuery): Promise<readonly Term[]>;
  /** Every election that the store knows. */
  names(): Promise<readonly string[]>;

  /** Makes the tables, if they are missing; nothing where a store needs none. */
  init(): Promise<void>;
  /** The statements that `init` would run, for somebody with more rights. */
  initStatements(): readonly string[];
  /** One look at the server: what `hustings doctor` prints. */
  probe(): Promise<Probe>;
  /** Ends connections and timers. Later calls reject. */
  close(): Promise<void>;
}

export interface Capabilities {
  /** Expiry is judged by the store itself; otherwise by challengers, each on its own clock. */
  readonly clock: boolean;
  /** A read sees every write that was answered before it. */
  readonly linearizable: boolean;
  /** What was answered is still there after kill −9 of the store, and tokens still rise. */
  readonly survivesCrash: boolean;
  /** The same after a replica took over. False also where there are no replicas. */
  readonly survivesFailover: boolean;
  /** Has `watch`. */
  readonly push: boolean;
  /** Terms are recorded in the transaction that changes the leader. */
  readonly audit: boolean;
  /** What this store cannot promise, in plain sentences. */
  readonly caveats: readonly string[];
}

/** What every store takes. */
export interface StoreOptions {
  /** How many of an election's terms are kept in its history, the newest; 10,000 unless told. */
  readonly keepTerms?: number;
}

export const DEFAULT_KEEP_TERMS = 10_000;

export interface HistoryQuery {
  /** Only the term in which this moment of the store's wall clock lies: milliseconds since 1970. */
  readonly atMs?: number;
  /** At most this many. */
  readonly limit?: number;
}

/**
 * One term in the audit trail. Times are milliseconds since 1970 by the store's wall clock. A lease that ran out ended
 * then, and is shown as ended, whether or not somebody has come to take it since. A term contains its start, not its end.
 */
export interface Term {
  readonly name: string;
  readonly token: bigint;
  readonly holder: string;
  readonly nonce: string;
  readonly startMs: number;
  /** Null while the term lasts. */
  readonly endMs: number | null;
  readonly cause: EndCause | null;
  /** Until when the holder could count on the lease, as far as the store has granted it. */
  readonly claimedUntilMs: number;
}

export interface Probe {
  readonly server: string;
  readonly roundTripMs: number;
  /** The store's wall clock, minus this machine's, taken halfway through the round trip. */
  readonly clockOffsetMs: number;
  /** What is missing or wrong, each with what to do; empty if all is well. */
  readonly problems: readonly string[];
  /** What holds for this server in particular, beside the capabilities: persistence is off, a replica, … */
  readonly warnings: readonly string[];
}
