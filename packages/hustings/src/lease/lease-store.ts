/**
 * What a store of leases must do. A store guarantees P1 and P3: at no time on its own clock does an election have two
 * unexpired leases, and every grant has a larger token than all grants before, also after a release, an expiry or a restart.
 */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseAnswer,
  ReleaseRequest,
  RenewAnswer,
  RenewRequest,
  TransferAnswer,
  WithdrawRequest,
} from './core/calls.ts';
import type { EndCause } from './core/end-reason.ts';
import type { LeaseRecord, WaitingCandidate } from './core/lease-record.ts';
import type { LeaderMetadata } from './core/term-data.ts';
import type { EndTickRequest, StartTickAnswer, StartTickRequest, Tick, TickQuery } from './core/tick.ts';

/**
 * A store of leases. Every method takes lists, so that renewals that are due together take one round trip. A single request
 * is a list of one, and answers come in the order of the list. The items of a list are independent: a lost lease does not
 * affect the others. If a list names an election twice, its items take effect one after the other. A call that fails
 * rejects with a `StoreError` and with nothing else; a list that was done in part, with a `PartialAnswerError`.
 *
 * A store does not wait, retry or time out. A call without an answer may still take effect later.
 */
export interface LeaseStore {
  /** Names the store in messages: the URL without user, password and query. */
  readonly label: string;
  readonly capabilities: Capabilities;
  /**
   * How many items of a list one request to the server carries, if that is limited. The elector sends no longer lists, so that
   * no lease waits for the answer to another request.
   */
  readonly maxItems?: number;

  /** Grants each lease that is free, or answers with the record of its holder. */
  acquire(requests: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]>;
  /**
   * Grants all leases in one atomic step, or none of them: the answers are all `ok`, or none is. If one lease is taken, the free
   * ones are answered `held` too, each with its record. The names differ, and no request is `fair`. Absent in a store without
   * transactions over several elections.
   */
  acquireAll?(requests: readonly AcquireRequest[]): Promise<readonly AcquireAnswer[]>;
  /** Extends each lease that still belongs to its nonce and token. */
  renew(requests: readonly RenewRequest[]): Promise<readonly RenewAnswer[]>;
  /** Ends each lease that still belongs to its nonce and token. */
  release(requests: readonly ReleaseRequest[]): Promise<readonly ReleaseAnswer[]>;
  /** The record of an unknown election has token 0. `JSON.stringify` writes tokens and versions as decimal text. */
  read(names: readonly string[]): Promise<readonly LeaseRecord[]>;

  /**
   * Calls `onNotification` soon after a lease was released or evicted, or its transfer was requested. A notification may
   * come late, twice, without a change, or never. Returns a function that ends the watch. Does not keep the process alive.
   * Absent in a store that cannot push.
   */
  watch?(name: string, onNotification: () => void): () => void;
  /**
   * Whether notifications arrive now: a test notification came through the connection that listens, and that connection
   * still stands. A candidate that is not notified asks more often.
   */
  isPushing(): boolean;

  /** Ends the registrations of candidates that wait no longer. A registration that does not exist is no error. */
  withdraw(requests: readonly WithdrawRequest[]): Promise<void>;
  /** The candidates that wait for the lease, by their `id`. */
  candidates(name: string): Promise<readonly WaitingCandidate[]>;
  /**
   * Forbids the holder to renew. False if nobody holds the lease. `cooldownMs` is how long the evicted candidate stays out
   * of the election after its term; one TTL of its own by default.
   */
  evict(name: string, cooldownMs?: number): Promise<boolean>;
  /** Asks the holder to hand over to the waiting candidate with this id at its next renewal. */
  requestTransfer(name: string, to: string): Promise<TransferAnswer>;

  /** The store's wall clock, in milliseconds since 1970. */
  time(): Promise<number>;
  /** Records that the holder starts a tick of its schedule. Each tick starts at most once, among all candidates. */
  startTick(request: StartTickRequest): Promise<StartTickAnswer>;
  /** Records how a started tick ended. False if this term did not start it, or its end is recorded already. */
  endTick(request: EndTickRequest): Promise<boolean>;
  /**
   * Removes the ticks whose time has not come, and returns them, the newest first. They were recorded by a clock that was ahead,
   * and no tick up to the newest of them would start. Ticks that are ahead by 2 s or less are kept, because the clocks of two servers differ.
   */
  resetTicks(name: string): Promise<readonly Tick[]>;
  /** The newest tick first. `JSON.stringify` writes tokens as decimal text. */
  ticks(name: string, query?: TickQuery): Promise<readonly Tick[]>;

  /** The newest term first. `JSON.stringify` writes tokens as decimal text. */
  history(name: string, query?: HistoryQuery): Promise<readonly Term[]>;
  /** All elections of the store. */
  names(): Promise<readonly string[]>;

  /** Creates missing tables, and raises the smallest token of all elections. */
  init(options?: InitOptions): Promise<void>;
  /** The statements that `init` would run, for an administrator. */
  initStatements(): readonly string[];
  /**
   * Deletes the elections that were not used for `idleMs`, with their terms and ticks, and returns their names. An election
   * with a checkpoint is kept. The tokens of a deleted election that is used again are larger than before.
   */
  prune(idleMs: number, options?: PruneOptions): Promise<readonly string[]>;
  /** Examines the server, for `doctor`. */
  probe(): Promise<Probe>;
  /** Ends connections and timers. Later calls reject. */
  close(): Promise<void>;
}

/**
 * How a store learns that a lease is over. clock: its own clock says so; if that clock was set back, by observation.
 * observation: a challenger has seen the same record for the holder's whole TTL on the challenger's own clock. Neither a missing
 * key nor the end of a session proves anything. suspicion: a failure detector has not heard from the holder, which proves nothing.
 */
export type ExpiryRule = 'clock' | 'observation' | 'suspicion';

/**
 * Whose wall clock says when a tick of a schedule is due. process: that of this process. host: that of the machine, which all
 * candidates share. server: that of the one server that takes writes. leader: that of the server that leads the others. member: that of
 * the server that answers, in whole seconds. none: the store records no ticks.
 */
export type TickClock = 'process' | 'host' | 'server' | 'leader' | 'member' | 'none';

/** What a store can guarantee. */
export interface Capabilities {
  readonly expiry: ExpiryRule;
  /** A read sees every write that was acknowledged before it. */
  readonly linearizable: boolean;
  /** Acknowledged writes survive kill −9 of the store, and tokens still increase. */
  readonly survivesCrash: boolean;
  /** Acknowledged writes survive a failover to a replica. Also false in a store without replicas. */
  readonly survivesFailover: boolean;
  /** Has `watch`. */
  readonly push: boolean;
  /** Terms are recorded in the transaction that changes the leader. */
  readonly audit: boolean;
  /** Has `acquireAll`: one transaction grants the leases of several elections. */
  readonly transactions: boolean;
  /** Whose clock says when a tick is due. */
  readonly tickClock: TickClock;
  /** What the store cannot guarantee, in sentences. */
  readonly caveats: readonly string[];
}

/** The options of every store. */
export interface StoreOptions {
  /** How many terms of an election the history keeps; 10,000 by default. */
  readonly keepTerms?: number;
}

/** The login of a connection that is about to be opened. */
export interface Credentials {
  /** The user of the URL or client by default. */
  readonly username?: string;
  readonly password: string;
}

export const DEFAULT_KEEP_TERMS = 10_000;

/** What `init` sets. */
export interface InitOptions {
  /** Every new term has a larger token than this one: the largest token of the store that was used before. */
  readonly tokenFrom?: bigint;
}

/** How `prune` deletes. */
export interface PruneOptions {
  /** Deletes nothing, and returns the names of the elections that would be deleted now. */
  readonly dryRun?: boolean;
}

/** Which terms of a history to return. */
export interface HistoryQuery {
  /** Only the term that contains this time on the store's wall clock, in milliseconds since 1970. */
  readonly atMs?: number;
  /** The largest number of terms. */
  readonly limit?: number;
}

/**
 * One term in the audit trail. Times are milliseconds since 1970 on the store's wall clock. An expired lease ended when it
 * expired, even if no other candidate has acquired it. A term contains its start, but not its end.
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
  /** Until when the store has granted the lease. */
  readonly claimedUntilMs: number;
  /** What the holder told about itself, at the end of the term or now; null if it told nothing. */
  readonly metadata: LeaderMetadata | null;
}

/** What `probe` found on the server. */
export interface Probe {
  readonly server: string;
  readonly roundTripMs: number;
  /** The store's wall clock minus this machine's, read halfway through the round trip. */
  readonly clockOffsetMs: number;
  /** What is missing or wrong, each with what to do; empty if nothing is. */
  readonly problems: readonly string[];
  /** Limits of this particular server, such as disabled persistence. */
  readonly warnings: readonly string[];
}
