/**
 * The terms that a member has seen, in a file of its folder, so that they survive a restart.
 *
 * Not guaranteed: terms that began and ended while this member was down or cut off are missing, and so is why a term of another
 * member ended. Times are those at which this member learned of a change, on its wall clock. A file that is damaged is
 * replaced: nothing depends on it.
 */

import { isRecord, isWhole } from '@hustings/base';
import type { EndCause } from 'hustings/lease/etcd';
import { readRecord, writeRecord } from '../host/durable-record.ts';

/** A term, as this member has seen it. */
export interface SeenTerm {
  readonly token: number;
  /** The member that led. */
  readonly leader: number;
  readonly startMs: number;
  /** Null while it lasts, as far as this member knows. */
  readonly endMs: number | null;
  /** Null if this member does not know why. */
  readonly cause: EndCause | null;
}

/** A file of this number of terms takes some 200 kB, and is written at each change of the leader. */
const MAX_TERMS = 1_000;

export class TermLog {
  /** The newest last. */
  private terms: readonly SeenTerm[];
  private isWriting = false;
  private isChanged = false;
  private written: Promise<void> = Promise.resolve();

  private constructor(
    private readonly path: string,
    terms: readonly SeenTerm[],
    private readonly onFailure: (error: unknown) => void,
  ) {
    this.terms = terms;
  }

  /** `onFailure` takes an error of reading or writing the file. The log goes on in memory. */
  static async open(path: string, onFailure: (error: unknown) => void): Promise<TermLog> {
    try {
      return new TermLog(path, readTerms(await readRecord(path)), onFailure);
    } catch (error) {
      onFailure(error);
      return new TermLog(path, [], onFailure);
    }
  }

  /** The newest first. */
  get newest(): readonly SeenTerm[] {
    return this.terms.toReversed();
  }

  /** The token of the latest term; 0 before the first. */
  get latestToken(): number {
    return this.terms.at(-1)?.token ?? 0;
  }

  /** The leader that this member knows, or none. */
  see(leader: number | null, token: number | null, nowMs: number): void {
    const last = this.terms.at(-1);
    const isSame = last !== undefined && last.leader === leader && last.token === token;
    if (isSame && last.endMs === null) return;
    this.end(null, nowMs);
    if (leader === null || token === null) return;
    if (isSame && last.cause === null) {
      // This member had lost sight of the leader, or was restarted.
      this.terms = [...this.terms.slice(0, -1), { ...last, endMs: null }];
    } else {
      // Terms are in the order of time, also if the wall clock was set back.
      const startMs = Math.max(nowMs, this.terms.at(-1)?.endMs ?? 0);
      this.terms = [...this.terms, { token, leader, startMs, endMs: null, cause: null }].slice(-MAX_TERMS);
    }
    this.save();
  }

  /** The latest term has ended, if it has not before. */
  end(cause: EndCause | null, nowMs: number): void {
    const last = this.terms.at(-1);
    if (last === undefined || last.endMs !== null) return;
    this.terms = [...this.terms.slice(0, -1), { ...last, endMs: Math.max(last.startMs, nowMs), cause }];
    this.save();
  }

  /** Resolves when the file has every term. */
  async close(): Promise<void> {
    await this.written;
  }

  /** Changes during a write are written together after it. */
  private save(): void {
    this.isChanged = true;
    if (this.isWriting) return;
    this.isWriting = true;
    this.written = this.write();
  }

  private async write(): Promise<void> {
    try {
      while (this.isChanged) {
        this.isChanged = false;
        await writeRecord(this.path, { terms: this.terms });
      }
    } catch (error) {
      this.onFailure(error);
    } finally {
      this.isWriting = false;
    }
  }
}

function readTerms(record: unknown): readonly SeenTerm[] {
  const terms = isRecord(record) && Array.isArray(record.terms) ? record.terms : [];
  return terms.filter(isSeenTerm);
}

const isSeenTerm = (term: unknown): term is SeenTerm =>
  isRecord(term) && isWhole(term.token, 0) && isWhole(term.leader, 0) && Number.isFinite(term.startMs);
