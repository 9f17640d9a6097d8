/** The `Lead` of a real election: asks the core at every call. */
import { InputError } from '@hustings/base';
import type { ClockReading } from '../../lease/core/clock-reading.ts';
import { checkName } from '../../lease/core/election-name.ts';
import type { EndReason } from '../../lease/core/end-reason.ts';
import {
  checkCheckpoint,
  checkMetadata,
  type LeaderMetadata,
  type TermUpdate,
} from '../../lease/core/term-data.ts';
import { checkHasStore } from '../cluster-limits.ts';
import { LeaseLostError } from '../elector-errors.ts';
import type { AssertOptions, Lead, LeadTerm, ReleaseOptions, TermEnd } from '../lead.ts';
import type { CoreDriver } from './core-driver.ts';

/**
 * What ends the term. `campaign`: the work returns, then the candidate campaigns again. `once`: the work returns, then
 * the candidate stops. `scoped`: the owner of the lead releases it; there is no function to wait for.
 */
export type LeadMode = 'campaign' | 'once' | 'scoped';

/** What the store has said and been told at the start of the term. */
export interface TermStart {
  readonly tokens: Readonly<Record<string, bigint>>;
  readonly fences: Readonly<Record<string, string>>;
  readonly slot: number;
  readonly checkpoint: string | null;
  readonly metadata: LeaderMetadata | null;
  /** There is no store. */
  readonly isCluster: boolean;
}

/** A checkpoint that the store has not confirmed. */
interface Saving {
  readonly number: number;
  readonly text: string;
  resolve(): void;
  reject(error: unknown): void;
}

export class ActiveLead implements Lead {
  readonly ended: Promise<TermEnd>;
  /** Made when the work asks for its signal: it takes 1 kB. */
  private controller: AbortController | null = null;
  /** Why the work was told to stop. */
  private stopCause: LeaseLostError | null = null;
  private readonly stopped: Promise<void>;
  private shortfalls: WeakSet<LeaseLostError> | null = null;
  private isEnded = false;
  private isLost = false;
  private markEnded: (end: TermEnd) => void = () => {};
  private markStopped: () => void = () => {};
  /** The work has called `release` or `transfer` itself. */
  isGivenUp = false;
  private isReleased = false;
  readonly isCluster: boolean;
  readonly slot: number;
  readonly tokens: Readonly<Record<string, bigint>>;
  readonly fences: Readonly<Record<string, string>>;
  checkpoint: string | null;
  metadata: LeaderMetadata | null;
  /** The number of the latest update. */
  private updates = 0;
  private saving: Saving[] = [];
  /** Set while saves wait and the grace of the stopping work runs. */
  private cancelGrace: (() => void) | null = null;

  constructor(
    readonly term: LeadTerm,
    private readonly driver: CoreDriver,
    private readonly mode: LeadMode,
    { slot, tokens, fences, checkpoint, metadata, isCluster }: TermStart,
  ) {
    this.isCluster = isCluster;
    this.tokens = tokens;
    this.fences = fences;
    this.slot = slot;
    this.checkpoint = checkpoint;
    this.metadata = metadata;
    this.ended = new Promise((resolve) => {
      this.markEnded = resolve;
    });
    this.stopped = new Promise((resolve) => {
      this.markStopped = resolve;
    });
  }

  /** The timers of a process that was suspended are late, and its work may be the first to run: it finds the signal aborted. */
  get signal(): AbortSignal {
    if (this.stopCause === null) this.driver.checkClocks();
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.stopCause !== null) this.controller.abort(this.stopCause);
    }
    return this.controller.signal;
  }

  get isStopped(): boolean {
    return this.stopCause !== null;
  }

  get token(): bigint {
    return this.term.token;
  }

  get fence(): string {
    return this.fences[this.term.name];
  }

  isValid(): boolean {
    return !this.isStopped && this.driver.isValid();
  }

  remainingMs(): number {
    return this.isEnded ? 0 : this.driver.remainingMs();
  }

  get deadline(): ClockReading | null {
    return this.isEnded ? null : this.driver.deadline;
  }

  assert({ needMs = 0 }: AssertOptions = {}): void {
    const { killAfterMs, ttlMs } = this.driver.timing;
    if (!(needMs <= killAfterMs)) {
      throw new InputError(
        `needMs must be at most ${killAfterMs}, which is all that a new lease of ${ttlMs} ms has, not ${needMs}; ` +
          'choose a longer ttl, or assert more often',
      );
    }
    if (!this.isValid()) throw this.loss();
    const remainingMs = this.remainingMs();
    if (remainingMs >= needMs) return;
    const error = new LeaseLostError(this.term, null, `${remainingMs} ms remain, ${needMs} ms are needed`);
    this.shortfalls ??= new WeakSet();
    this.shortfalls.add(error);
    throw error;
  }

  async guard<Result>(
    effect: (signal: AbortSignal) => Result | Promise<Result>,
    options?: AssertOptions,
  ): Promise<Result> {
    this.assert(options);
    const result = await effect(this.signal);
    if (!this.isValid()) throw this.loss();
    return result;
  }

  progress(): void {
    if (!this.isEnded) this.driver.send({ type: 'progress' });
  }

  async saveCheckpoint(text: string): Promise<void> {
    checkHasStore(this, 'saveCheckpoint');
    checkCheckpoint(text);
    if (this.isEnded || this.isLost) throw this.loss();
    if (this.driver.renewableMs() === 0) throw this.unrenewed();
    this.progress();
    const saved = this.save(text);
    this.driver.send({ type: 'update', update: { number: this.updates, checkpoint: text } });
    this.limitSaving();
    await saved;
  }

  setMetadata(metadata: LeaderMetadata): void {
    checkHasStore(this, 'setMetadata');
    const copy = checkMetadata(metadata);
    if (this.isEnded) return;
    this.metadata = copy;
    this.updates += 1;
    this.driver.send({ type: 'update', update: { number: this.updates, metadata: copy } });
  }

  async release({ checkpoint }: ReleaseOptions = {}): Promise<void> {
    if (checkpoint === undefined) return this.giveUp('released', null);
    checkHasStore(this, 'a checkpoint');
    checkCheckpoint(checkpoint);
    if (this.isEnded) throw this.loss();
    if (this.isGivenUp) throw new LeaseLostError(this.term, 'released', 'the lease is released already');
    this.updates += 1;
    await this.giveUp('released', null, { number: this.updates, checkpoint });
    if (this.mode !== 'scoped') return;
    if (!this.isReleased) {
      const { reason } = this.loss();
      throw new LeaseLostError(
        this.term,
        reason,
        'the store did not confirm the release with its checkpoint',
      );
    }
    this.checkpoint = checkpoint || null;
  }

  async transfer({ to }: { readonly to: string }): Promise<void> {
    checkHasStore(this, 'transfer');
    checkName(to, 'a candidate');
    if (this.isEnded || this.isStopped) return;
    const problem = await this.driver.successorProblem(this.term.name, to, () => this.isStopped);
    if (problem !== null) throw new InputError(problem);
    await this.giveUp('transferred', to);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  /** For logs. The token is text because JSON has no bigint. */
  toJSON(): { name: string; token: string; holder: string; startMs: number } {
    const { name, token, holder, startMs } = this.term;
    return { name, token: `${token}`, holder, startMs };
  }

  /** Tells the work to stop. */
  stop(reason: EndReason, detail: string): void {
    if (this.stopCause !== null) return;
    this.stopCause = new LeaseLostError(this.term, reason, detail);
    this.controller?.abort(this.stopCause);
    this.markEnded({ reason, detail });
    this.limitSaving();
  }

  /** The store has the updates up to this number. */
  confirm(number: number): void {
    const confirmed = this.saving.filter((each) => each.number <= number);
    this.saving = this.saving.filter((each) => each.number > number);
    for (const { text, resolve } of confirmed) {
      this.checkpoint = text || null;
      resolve();
    }
  }

  /** The lease is no longer renewed. Work that waits for a checkpoint would otherwise never settle, and the term never end. */
  lose(): void {
    this.isLost = true;
    this.rejectSaving(this.loss());
  }

  /** The term has ended, and its work has stopped. `released`: the store has confirmed the release. */
  end(released: boolean): void {
    this.isEnded = true;
    this.isReleased = released;
    this.lose();
    this.markStopped();
  }

  /** Whether this error was thrown by an `assert` of this term that found too little left. */
  isShortfall(error: unknown): boolean {
    return error instanceof LeaseLostError && this.shortfalls?.has(error) === true;
  }

  /** Why the work may not continue. Clocks are ahead of the signal when the process was suspended. */
  loss(): LeaseLostError {
    return this.stopCause ?? new LeaseLostError(this.term, 'expired', 'its deadline has passed');
  }

  private save(text: string): Promise<void> {
    this.updates += 1;
    const number = this.updates;
    return new Promise((resolve, reject) => {
      // Also if reading the clocks has just found that the lease is over.
      if (this.isLost) reject(this.loss());
      else this.saving.push({ number, text, resolve, reject });
    });
  }

  /** No renewal follows the grace: work that waits for one would return only when its lease is over. */
  private limitSaving(): void {
    if (!this.isStopped || this.saving.length === 0 || this.cancelGrace !== null) return;
    this.cancelGrace = this.driver.after(this.driver.renewableMs(), () =>
      this.rejectSaving(this.unrenewed()),
    );
  }

  private rejectSaving(error: LeaseLostError): void {
    this.cancelGrace?.();
    this.cancelGrace = null;
    for (const { reject } of this.saving.splice(0)) reject(error);
  }

  private unrenewed(): LeaseLostError {
    const detail =
      'its lease is not renewed any more; leave the checkpoint with release, or return it from the work of a shard';
    return new LeaseLostError(this.term, this.loss().reason, detail);
  }

  private async giveUp(
    reason: 'released' | 'transferred',
    successor: string | null,
    update?: TermUpdate,
  ): Promise<void> {
    if (this.isEnded) return;
    this.isGivenUp = true;
    this.driver.send({
      type: 'release',
      reason,
      successor,
      again: this.mode === 'campaign',
      ...(update === undefined ? {} : { update }),
    });
    if (this.mode !== 'scoped') return;
    this.driver.send({ type: 'settled' });
    await this.stopped;
  }
}
