/** One term of leadership, as the work sees it. An interface, so that a test of the work can pass a fake. */
import type { ClockReading } from '../lease/core/clock-reading.ts';
import type { EndReason } from '../lease/core/end-reason.ts';
import type { LeaderMetadata } from '../lease/core/term-data.ts';

/** The term that a `Lead` represents. `JSON.stringify` writes its token as decimal text. */
export interface LeadTerm {
  /** The election; of an election with slots, the slot: `jobs` for the first, `jobs#2` for the second. */
  readonly name: string;
  /** Larger than the tokens of all earlier terms of the election. */
  readonly token: bigint;
  /** The id of the candidate that leads. */
  readonly holder: string;
  /** Identifies this term in the store; no other term has the same nonce. */
  readonly nonce: string;
  /** Start of the term on this machine's wall clock, in milliseconds since 1970. */
  readonly startMs: number;
}

/** Why a term ended. */
export interface TermEnd {
  /** A word for programs. */
  readonly reason: EndReason;
  /** The reason in a sentence. */
  readonly detail: string;
}

/** The options of `assert` and `guard`. */
export interface AssertOptions {
  /** The longest time that the side effect takes: at least this much of the lease must remain. Default: 0. */
  readonly needMs?: number;
}

/** The options of `release`. */
export interface ReleaseOptions {
  /**
   * Replaces the checkpoint, in the same step that releases the lease. '' removes it. For a lead from `acquire`, `release` rejects
   * with a `LeaseLostError` unless the store has confirmed that step.
   */
  readonly checkpoint?: string | undefined;
}

/**
 * Every call reads the clocks and computes its answer again. Work that was suspended and resumes in the middle of a loop
 * finds out at its next `assert`.
 *
 * Not guaranteed: that no time passes between an `assert` and the side effect. For that reason `assert` takes `needMs`,
 * and the resource should check the token.
 */
export interface Lead extends AsyncDisposable {
  /** The term of this lead. It can be passed to a fence unchanged. */
  readonly term: LeadTerm;
  /** The fencing token: a resource that has seen a larger one refuses this one. With `names`, that of the first in the alphabet. */
  readonly token: bigint;
  /** The token of each lease of this term, by its name: several if the elector has `names`. */
  readonly tokens: Readonly<Record<string, bigint>>;
  /** The slot of this term, from 1 to the number of `slots`; 1 in an election without slots. */
  readonly slot: number;
  /** Name and token as one text for resources, signed if the elector has a `fenceKey`. With `names`, that of the first. */
  readonly fence: string;
  /** The fence of each lease of this term, by its name: several if the elector has `names`. */
  readonly fences: Readonly<Record<string, string>>;
  /**
   * Aborts when the work must stop. The reason is a `LeaseLostError`. Reading it reads the clocks: work that was suspended finds
   * `lead.signal.aborted` true before any timer has fired. A signal that was kept in a variable aborts with the timers.
   */
  readonly signal: AbortSignal;
  /**
   * Resolves at the moment at which `signal` aborts, or at once after that. Never rejects. Work that runs elsewhere waits
   * with `await lead.ended`, then stops what it started.
   */
  readonly ended: Promise<TermEnd>;
  /**
   * The checkpoint of the election as this term found it, or has saved it since; null for none. It was written by the leader of
   * an earlier term, perhaps long ago. With `names`, that of the first in the alphabet.
   */
  readonly checkpoint: string | null;
  /** What others see of this leader; null for nothing. */
  readonly metadata: LeaderMetadata | null;
  /** When the work must have stopped, on the clocks of this host. Each renewal moves it. Null after the term. */
  readonly deadline: ClockReading | null;

  /** Whether the work may continue. */
  isValid(): boolean;
  /** Time until the work must have stopped; 0 after the term. */
  remainingMs(): number;
  /** Throws a `LeaseLostError` unless `needMs` of the lease remain, and an `InputError` if even a new lease is shorter. */
  assert(options?: AssertOptions): void;
  /** Asserts, runs `effect`, and rejects if the lease was lost before `effect` had finished. */
  guard<Result>(
    effect: (signal: AbortSignal) => Result | Promise<Result>,
    options?: AssertOptions,
  ): Promise<Result>;
  /** Reports progress. If the elector has `stallAfterMs`, the lease of a leader that reports none is not renewed. */
  progress(): void;
  /**
   * Saves a text of at most 4,096 bytes for the leaders of later terms, under this term's token. Resolves when the store has
   * it. Rejects with a `LeaseLostError` if the term ended first: then the store may have it or not. '' removes the checkpoint.
   * Counts as progress. After an eviction, and `stopGraceMs` after any other request to stop, the lease is not renewed, and
   * this rejects at once: then use `release`, which does not wait for the work.
   */
  saveCheckpoint(text: string): Promise<void>;
  /** Replaces the metadata for the rest of this term. A renewal, which is sent at once, carries it to the store. */
  setMetadata(metadata: LeaderMetadata): void;
  /**
   * Ends the term. For a lead from `acquire`, resolves when the lease is released. Within `campaign` and `runOnce`, the
   * signal aborts, and the lease is released after the work has returned.
   */
  release(options?: ReleaseOptions): Promise<void>;
  /**
   * Ends the term, and reserves the lease for the waiting candidate with this id until it has had time to take it. Rejects
   * with an `InputError` if no candidate with this id waits, and the term goes on. Waits up to six seconds for a candidate that
   * has just led, because it pauses after its term. Wait for it before the work returns.
   */
  transfer(options: { readonly to: string }): Promise<void>;
}
