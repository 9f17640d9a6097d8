/**
 * A term in the hands of the work. Every question is answered by the clocks at the moment it is asked, so that work
 * which was stopped for a while, and goes on as if nothing had happened, is told the truth by its next `assert`.
 *
 * Not guaranteed: that nothing happens after an `assert`. Time may pass before the side effect takes place; that is
 * why it asks how much is needed, and why the sink should check `token`.
 */

import { InputError } from '../errors/hustings-error.ts';
import type { ClockReading } from '../lease/core/clock-reading.ts';
import { checkName } from '../lease/core/election-name.ts';
import type { EndReason } from '../lease/core/end-reason.ts';
import type { Candidate } from './candidate.ts';
import { LeaseLostError } from './lease-lost.ts';

export interface LeadTerm {
  readonly name: string;
  readonly token: bigint;
  /** The candidate's name. */
  readonly holder: string;
  /** This term's own mark in the store. */
  readonly nonce: string;
  /** By this machine's wall clock. */
  readonly startMs: number;
}

export interface Needs {
  /** What the side effect takes at most: so much of the lease must be left. */
  readonly needMs?: number;
}

export class Lead implements AsyncDisposable {
  readonly signal: AbortSignal;
  private readonly controller = new AbortController();
  private readonly overPromise: Promise<void>;
  private readonly shortfalls = new WeakSet<LeaseLostError>();
  private isOver = false;
  private markOver: () => void = () => {};

  constructor(
    readonly term: LeadTerm,
    /** For sinks that check it: name and token as one text, signed where the elector has a `fenceKey`. */
    readonly fence: string,
    private readonly candidate: Candidate,
    /** Ends the term: `settled` for a scoped lease, whose work is over when it is given back. */
    private readonly isScoped: boolean,
  ) {
    this.signal = this.controller.signal;
    this.overPromise = new Promise((resolve) => {
      this.markOver = resolve;
    });
  }

  /** Rises with every term of the election, for ever: a sink that has seen a larger one refuses this one. */
  get token(): bigint {
    return this.term.token;
  }

  /** May the work go on? */
  isValid(): boolean {
    return !this.signal.aborted && this.candidate.isValid();
  }

  /** Until the work must have stopped; 0 when the term is over. */
  remainingMs(): number {
    return this.isOver ? 0 : this.candidate.remainingMs();
  }

  /** When the work must have stopped, by the clocks of this host; moves with each renewal. Null when the term is over. */
  get deadline(): ClockReading | null {
    return this.isOver ? null : this.candidate.deadline;
  }

  /** Throws a `LeaseLostError` unless so much of the lease is left; an `InputError` if no lease ever has so much. */
  assert({ needMs = 0 }: Needs = {}): void {
    const { killAfterMs, ttlMs } = this.candidate.timing;
    if (!(needMs <= killAfterMs)) {
      throw new InputError(
        `expected needMs to be at most ${killAfterMs}, what a lease of ${ttlMs} ms has when it is new, got ${needMs}: ` +
          'take a longer ttl, or do less between two asserts',
      );
    }
    if (this.isValid() && this.remainingMs() >= needMs) return;
    if (!this.isValid()) throw this.lost();
    const error = LeaseLostError.tooLittle(this.term, this.remainingMs(), needMs);
    this.shortfalls.add(error);
    throw error;
  }

  /** Does `effect` if so much of the lease is left, and rejects if the lease was lost before it was done. */
  async guard<Result>(
    effect: (signal: AbortSignal) => Result | Promise<Result>,
    needs?: Needs,
  ): Promise<Result> {
    this.assert(needs);
    const result = await effect(this.signal);
    if (!this.isValid()) throw this.lost();
    return result;
  }

  /** Tells of progress. With `stallAfterMs`, work that does not beat is not renewed. */
  beat(): void {
    if (!this.isOver) this.candidate.send({ type: 'progress' });
  }

  /**
   * Ends the term. A scoped lease is given back before this resolves; the work of `run` is told to stop by its signal,
   * and its lease is given back when it has returned.
   */
  async release(): Promise<void> {
    await this.resign('released', null);
  }

  /** Ends the term, and keeps the lease for the candidate with this name until it has had time to ask for it. */
  async transfer({ to }: { readonly to: string }): Promise<void> {
    checkName(to, 'a candidate');
    await this.resign('transferred', to);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  /** For the elector alone. */
  abort(reason: EndReason, detail: string): void {
    this.controller.abort(new LeaseLostError(this.term, reason, detail));
  }

  /** For the elector alone: is this what an assert of this term threw because too little was left? */
  isShort(error: unknown): boolean {
    return error instanceof LeaseLostError && this.shortfalls.has(error);
  }

  /** What a log should show of it: a token is text there, since JSON has no bigint. */
  toJSON(): { name: string; token: string; holder: string; startMs: number } {
    const { name, token, holder, startMs } = this.term;
    return { name, token: `${token}`, holder, startMs };
  }

  /** For the elector alone. */
  end(): void {
    this.isOver = true;
    this.markOver();
  }

  private lost(): LeaseLostError {
    const { reason } = this.signal;
    return reason instanceof LeaseLostError
      ? reason
      : new LeaseLostError(this.term, 'expired', 'its time is up');
  }

  private async resign(reason: 'released' | 'transferred', successor: string | null): Promise<void> {
    if (this.isOver) return;
    this.candidate.send({ type: 'release', reason, successor, again: !this.isScoped });
    if (!this.isScoped) return;
    this.candidate.send({ type: 'settled' });
    await this.overPromise;
  }
}
