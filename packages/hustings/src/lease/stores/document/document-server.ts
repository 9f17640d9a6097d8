/**
 * What a server must do so that elections can be kept in it as documents: one text for each election, replaced by
 * compare-and-set on its revision. Nothing that a server says of the session of a holder is asked for: it proves nothing.
 */
import type { StoreError } from '../../core/store-error.ts';
import type { Capabilities, Probe } from '../../lease-store.ts';
import type { Election } from '../election.ts';
import type { ClockSource } from './server-clock.ts';

/** The document that is no election: the layout, and the token that was raised for all elections. */
export const SETTINGS = Symbol('settings');

/** The name of an election, or `SETTINGS`. */
export type DocumentKey = string | typeof SETTINGS;

export interface StoredDocument {
  /** Null if only another program has written the record so far. */
  readonly text: string | null;
  /** Changes with every write of the document. */
  readonly revision: string;
  /** Another program holds the lease, by the same rule of observing, or held it and has released it. */
  readonly foreign?: ForeignHolder;
  /**
   * What identifies the server's copy, and differs after the restore of a backup into another one: the id of a cluster, the uid of
   * an object. Absent: the server cannot tell, and a forgotten lease is granted.
   */
  readonly incarnation?: string;
  /**
   * For how long the server has certainly had no document of this name, if `text` is null. Before that it may have been another
   * server, or another bucket, whose leases are forgotten. Absent: the server cannot tell, and a forgotten lease is granted.
   */
  readonly absentForMs?: () => Promise<number>;
}

/** A holder that is no candidate of hustings. */
export interface ForeignHolder {
  readonly id: string;
  /** 0 if the lease is over. */
  readonly ttlMs: number;
  /** Changes with every renewal by that program, and differs from the version in the text. */
  readonly version: bigint;
}

/**
 * What a write does to the lease. grant: a new term begins. extend: the term goes on. end: the holder released the lease. none:
 * the lease stays as it is, for example because a candidate is registered.
 */
export type Effect = 'grant' | 'extend' | 'end' | 'none';

export interface DocumentWrite {
  readonly key: DocumentKey;
  readonly text: string;
  /** The revision that is replaced; null to create the document. */
  readonly revision: string | null;
  readonly effect: Effect;
  /** Watchers wait for this change: the lease was released, its holder was evicted or was asked to hand over. */
  readonly notifies: boolean;
  /** The election as the text describes it, for servers with fields of their own; null for the settings. */
  readonly election: Election | null;
}

/**
 * ok: `incarnation` is that in which the document was written. conflict: the document has another revision; nothing was changed.
 */
export type WriteAnswer =
  | { readonly type: 'ok'; readonly revision: string; readonly incarnation?: string }
  | { readonly type: 'conflict' }
  | { readonly type: 'failed'; readonly error: StoreError };

/** Every method rejects with a `StoreError` and with nothing else. */
export interface DocumentServer extends ClockSource {
  /** Names the server in messages: the URL without its secrets. */
  readonly label: string;
  /** Without the caveats that all stores of documents have. */
  readonly capabilities: Pick<
    Capabilities,
    'linearizable' | 'survivesCrash' | 'survivesFailover' | 'push' | 'tickClock' | 'caveats'
  >;
  /** If it is not that of the other stores of documents. */
  readonly layoutVersion?: number;
  /** The same revision may come back, for another text, after the restore of a backup: a renewal reads before it writes. */
  readonly repeatsRevisions?: boolean;
  /** How many documents one request reads or writes, if that is limited. */
  readonly maxItems?: number;
  /** In the order of the keys; null for a document that does not exist. Sees every write that was acknowledged before. */
  read(keys: readonly DocumentKey[]): Promise<readonly (StoredDocument | null)[]>;
  /** The writes are independent. No two of a list have the same key. Answers come in the order of the list. */
  write(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]>;
  /** As `write`, in one transaction: all documents are changed, or none is. Absent in a server without such transactions. */
  writeAll?(writes: readonly DocumentWrite[]): Promise<readonly WriteAnswer[]>;
  /** Deletes the document of this revision. False if it has another one. */
  remove(name: string, revision: string): Promise<boolean>;
  names(): Promise<readonly string[]>;
  /**
   * Calls `onChange` with each change of the document that the server reports; changes may be skipped. Null: the document is
   * gone, or the server cannot tell what has changed.
   */
  watch?(name: string, onChange: (document: StoredDocument | null) => void): () => void;
  /** Whether changes are reported now. */
  isPushing(): boolean;
  probe(): Promise<Omit<Probe, 'clockOffsetMs'>>;
  close(): Promise<void>;
}
