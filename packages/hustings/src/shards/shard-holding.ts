/**
 * One shard of one member, from the claim until its lease has ended: waits for the lease, asks the records whether the shard
 * is live, calls the work, and ends the term when the shard moves.
 *
 * Guaranteed: the work of this term has settled before its lease is released; the work is called again after an error, as long
 * as the member owns the shard. A lease that is lost is not held from then on, whatever its work does; the holding lasts until
 * that work has settled, so that this member does not start a second work of the shard beside it.
 */

import { HustingsError, InputError } from '@hustings/base';
import type { ActiveLead } from '../elector/candidate/active-lead.ts';
import { Candidate } from '../elector/candidate/candidate.ts';
import type { ElectorEvent } from '../elector/events/elector-event.ts';
import { setLongTimeout } from '../elector/timeouts.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import { checkShardCheckpoint, markText, parseMark, type ShardMark } from './core/shard-mark.ts';
import { electionOf } from './core/shard-name.ts';
import { type Admission, admit, relativesOf } from './core/shard-tree.ts';
import { shardRecord } from './group-reader.ts';
import { OwnedShard } from './owned-shard.ts';
import type { ShardContext } from './shard-context.ts';

const FIRST_RETRY_MS = 100;
const LONGEST_RETRY_MS = 30_000;
/** Work that does a part and returns is not in error. */
const LONGEST_PAUSE_MS = 1_000;
/** A call of the work that lasted longer than this did something: the next pause is short again. */
const BRIEF_MS = 1_000;

/** Why the work must finish. */
type Goal =
  | { readonly type: 'keep' }
  | { readonly type: 'move'; readonly to: string | null }
  /** The caller writes a mark when the work has settled. */
  | { readonly type: 'mark'; resolve(): void; reject(error: unknown): void };

type NewMark = ShardMark extends infer Mark ? (Mark extends ShardMark ? Omit<Mark, 'parent'> : never) : never;

export class ShardHolding {
  /** lost: the lease is not renewed any more, and the work has not settled. */
  state: 'claiming' | 'working' | 'lost' | 'ending' = 'claiming';
  /** The work ignores that its lease is over: nobody waits for it. */
  isAbandoned = false;
  private readonly candidate: Candidate;
  private lead: ActiveLead | null = null;
  private owned: OwnedShard | null = null;
  private goal: Goal = { type: 'keep' };
  private cancelDrain = (): void => {};
  private cancelAbandon = (): void => {};
  private cooldownMs = 0;
  /** The epoch of the marks of this term. */
  private epoch = 0n;
  private text: string | null = null;

  constructor(
    readonly shard: string,
    private readonly context: ShardContext,
  ) {
    const { settings, store } = context;
    const name = electionOf(settings.name, shard);
    this.candidate = new Candidate({ ...settings.candidate, name }, store, 'once', {
      onElected: (lead) => void this.begin(lead),
      // The store has served the member: shards are claimed after the group was read.
      onRejected: null,
      onStopped: () => context.onEnded(shard, this.cooldownMs),
      onEvent: (event) => this.take(event),
    });
    this.candidate.campaign();
  }

  get token(): bigint {
    return this.lead?.token ?? 0n;
  }

  /** The member for which the shard will be reserved. */
  get successor(): string | null {
    return this.goal.type === 'move' ? this.goal.to : null;
  }

  get isMoving(): boolean {
    return this.goal.type === 'move';
  }

  /** The checkpoint that this term has left or found. */
  get checkpoint(): string | null {
    return this.text;
  }

  /** Gives up a claim. A lease that is granted meanwhile is released. */
  withdraw(): void {
    if (this.state !== 'claiming') return;
    this.state = 'ending';
    this.candidate.stop();
  }

  /** Finishes the work, and ends the term with a reservation for `to`. */
  handOver(to: string | null): void {
    if (this.goal.type === 'mark' || this.state !== 'working') return;
    const wasKept = this.goal.type === 'keep';
    this.goal = { type: 'move', to };
    if (!wasKept) return;
    this.context.emit({ type: 'draining', shard: this.shard, token: this.token, to });
    this.drain();
  }

  /** The plan gives the shard to this member again: if its work has finished meanwhile, it is called again. */
  keep(): void {
    if (this.goal.type === 'move') this.goal = { type: 'keep' };
  }

  /**
   * Finishes the work, and keeps the lease for `mark` and `finish`. Rejects if the lease is lost before, or the work has not
   * finished within `drainMs`.
   */
  waitForHandover(): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.state !== 'working' || this.goal.type !== 'keep') {
        reject(
          new InputError(`this member does not own the shard '${this.shard}', or is about to hand it over`),
        );
        return;
      }
      this.goal = { type: 'mark', resolve, reject };
      this.context.emit({ type: 'draining', shard: this.shard, token: this.token, to: null });
      this.drain();
    });
  }

  /** Writes a mark under the token of this term. Resolves when the store has it. */
  async mark(mark: NewMark): Promise<void> {
    await this.lead!.saveCheckpoint(markText({ ...mark, parent: this.epoch }));
  }

  /** After `waitForHandover`: ends the term, or calls the work again. */
  finish(isOver: boolean): void {
    this.goal = isOver || this.context.isLeaving() ? { type: 'move', to: null } : { type: 'keep' };
    this.onFinished();
  }

  private onFinished = (): void => {};

  private get clock(): Clock {
    return this.context.settings.candidate.clock;
  }

  private get isLed(): boolean {
    return this.lead?.isValid() === true;
  }

  private async begin(lead: ActiveLead): Promise<void> {
    this.lead = lead;
    if (this.state === 'claiming') {
      const admission = await this.admission(lead);
      if (admission?.type === 'work' && this.isLed && this.state === 'claiming') {
        this.state = 'working';
        this.epoch = admission.epoch;
        this.text = admission.text;
        this.markFirst(lead);
        this.context.emit({ type: 'acquired', shard: this.shard, token: lead.token });
        await this.runWork(lead);
      }
    }
    this.end();
  }

  private get isLost(): boolean {
    // Clocks are ahead of the signal when the process was suspended.
    return this.state === 'lost' || (this.lead?.isStopped === false && !this.isLed);
  }

  /** Null if the records could not be read. */
  private async admission(lead: ActiveLead): Promise<Admission | null> {
    const { context, shard } = this;
    const own = parseMark(lead.checkpoint);
    // A shard that was never split is nobody's relative.
    const relatives = shard.includes('/') || (own !== null && own.type !== 'open') ? relativesOf(shard) : [];
    try {
      const [definition, records] = await Promise.all([
        context.reader.definition(),
        context.reader.recordsOf(relatives),
      ]);
      const generation = context.generation();
      if (generation === null || definition?.type !== 'open' || definition.generation !== generation)
        return { type: 'not-live' };
      return admit(shard, own, generation, (each) => shardRecord(records.get(each)));
    } catch (error) {
      context.emit({ type: 'store-error', error });
      return null;
    }
  }

  /** The first mark of a layout shows that the shard belongs to it. If it fails, a later term leaves it. */
  private markFirst(lead: ActiveLead): void {
    const { epoch, text } = this;
    if (this.shard.includes('/') || parseMark(lead.checkpoint)?.parent === epoch) return;
    lead.saveCheckpoint(markText({ type: 'open', parent: epoch, text })).catch(() => undefined);
  }

  /** Calls the work until the shard moves or is lost. */
  private async runWork(lead: ActiveLead): Promise<void> {
    for (let pauseMs = FIRST_RETRY_MS; ; ) {
      if (this.goal.type === 'keep') {
        const startMs = this.clock.now().monoMs;
        const isDone = await this.callWork(lead, pauseMs);
        if (this.clock.now().monoMs - startMs > BRIEF_MS) pauseMs = FIRST_RETRY_MS;
        if (this.goal.type === 'keep' && this.isLed) {
          // Also after work that returns by itself: it would otherwise be called without end.
          await this.owned!.pause(pauseMs, this.clock);
          pauseMs = Math.min(isDone ? LONGEST_PAUSE_MS : LONGEST_RETRY_MS, 2 * pauseMs);
        }
      }
      this.cancelDrain();
      const { goal } = this;
      if (goal.type === 'mark') {
        const finished = new Promise<void>((resolve) => {
          this.onFinished = resolve;
        });
        if (this.isLed) {
          goal.resolve();
          await finished;
        } else this.abandonMark(lead.loss());
      }
      if (!this.isLed || this.goal.type !== 'keep') return;
    }
  }

  private async callWork(lead: ActiveLead, retryMs: number): Promise<boolean> {
    const owned = new OwnedShard(this.shard, lead, this.text, (text) => this.save(lead, text));
    this.owned = owned;
    try {
      const result = await this.context.work(owned);
      if (typeof result === 'string' && result !== this.text) await this.leave(lead, result);
      return true;
    } catch (error) {
      const isRepeated = this.goal.type === 'keep' && this.isLed;
      this.context.emit({
        ...{ type: 'work-failed', shard: this.shard, error, afterLoss: this.isLost },
        retryMs: isRepeated ? retryMs : null,
      });
      return false;
    }
  }

  private async save(lead: ActiveLead, text: string): Promise<void> {
    await lead.saveCheckpoint(this.openMark(text));
    this.text = text;
  }

  /** Saves the text of work that has returned. A lease that is about to end may not be renewed: its release carries the text. */
  private async leave(lead: ActiveLead, text: string): Promise<void> {
    const isEnding = lead.isStopped && !lead.isGivenUp && lead.remainingMs() > 0;
    if (isEnding) await lead.release({ checkpoint: this.openMark(text) });
    else await this.save(lead, text);
  }

  private openMark(text: string): string {
    checkShardCheckpoint(text, 'a checkpoint');
    return markText({ type: 'open', parent: this.epoch, text });
  }

  private drain(): void {
    this.owned?.drain();
    const { drainMs } = this.context.settings;
    this.cancelDrain = setLongTimeout(
      () => {
        if (this.goal.type === 'keep') return;
        this.abandonMark(
          new HustingsError(
            `the work of '${this.shard}' did not finish within drainMs, ${drainMs} ms; its lease ends; ` +
              'work must return when lead.draining aborts',
            { code: 'HUSTINGS_WORK_OVERDUE' },
          ),
        );
        this.candidate.stop(this.successor);
      },
      drainMs,
      this.clock,
    );
  }

  /** The caller that waits for a settled shard waits in vain. */
  private abandonMark(error: unknown): void {
    if (this.goal.type !== 'mark') return;
    this.goal.reject(error);
    this.goal = { type: 'move', to: null };
  }

  /** From now on the shard is not held. */
  private lose(): void {
    if (this.state === 'working') this.state = 'lost';
    this.abandonMark(this.lead?.loss());
    this.owned?.drain();
  }

  /** After a suspension, work is told to stop only now: it has as long as a lease always gives it. */
  private abandonSoon(): void {
    const { killAfterMs, stopAfterMs } = this.context.settings.candidate.timing;
    const abandon = (): void => {
      this.isAbandoned = true;
      this.context.onAbandoned();
    };
    this.cancelAbandon = setLongTimeout(abandon, killAfterMs - stopAfterMs, this.clock);
  }

  private end(): void {
    this.cancelAbandon();
    this.state = 'ending';
    this.cancelDrain();
    this.candidate.stop(this.successor);
    this.candidate.settle();
  }

  private take(event: ElectorEvent): void {
    const { shard, token } = this;
    // A term that was not admitted never had work: nothing of it is told.
    const hadWork = this.owned !== null;
    switch (event.type) {
      case 'lost':
        this.lose();
        if (hadWork) this.context.emit({ type: 'lost', shard, token, reason: event.reason });
        return;
      case 'stopping':
        // Asked by another member, or by an operator.
        if (hadWork && this.goal.type === 'keep')
          this.context.emit({ type: 'draining', shard, token, to: null });
        this.owned?.drain();
        return;
      case 'overdue':
        this.lose();
        if (!hadWork) return;
        this.context.emit({ type: 'overdue', shard, token });
        this.abandonSoon();
        return;
      case 'ended': {
        const { reason, released, cooldownMs } = event;
        this.cooldownMs = cooldownMs;
        if (hadWork) this.context.emit({ type: 'ended', shard, token, reason, released });
        return;
      }
      case 'store-error':
        this.context.emit({ type: 'store-error', error: event.error });
    }
  }
}
