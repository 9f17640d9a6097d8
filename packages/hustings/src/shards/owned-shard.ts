/** The `ShardLead` of one call of the work. */
import type { ActiveLead } from '../elector/candidate/active-lead.ts';
import type { AssertOptions, LeadTerm } from '../elector/lead.ts';
import { startTimer } from '../elector/timeouts.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import type { ShardLead } from './shard-lead.ts';

export class OwnedShard implements ShardLead {
  /** Made when the work asks for it. */
  private controller: AbortController | null = null;
  private isDraining = false;
  private onDrain = (): void => {};

  constructor(
    readonly shard: string,
    private readonly lead: ActiveLead,
    readonly checkpoint: string | null,
    readonly saveCheckpoint: (text: string) => Promise<void>,
  ) {}

  get term(): LeadTerm {
    return this.lead.term;
  }

  get token(): bigint {
    return this.lead.token;
  }

  get fence(): string {
    return this.lead.fence;
  }

  get signal(): AbortSignal {
    return this.lead.signal;
  }

  get draining(): AbortSignal {
    if (this.controller === null) {
      this.controller = new AbortController();
      if (this.isDraining) this.controller.abort();
    }
    return this.controller.signal;
  }

  isValid(): boolean {
    return this.lead.isValid();
  }

  remainingMs(): number {
    return this.lead.remainingMs();
  }

  assert(options?: AssertOptions): void {
    this.lead.assert(options);
  }

  guard<Result>(
    effect: (signal: AbortSignal) => Result | Promise<Result>,
    options?: AssertOptions,
  ): Promise<Result> {
    return this.lead.guard(effect, options);
  }

  progress(): void {
    this.lead.progress();
  }

  /** Tells the work to finish. */
  drain(): void {
    this.isDraining = true;
    this.controller?.abort();
    this.onDrain();
  }

  /** Resolves after `ms`, or when the work would have to finish. */
  async pause(ms: number, clock: Clock): Promise<void> {
    if (this.isDraining) return;
    await new Promise<void>((resolve) => {
      const cancel = startTimer(clock, resolve, ms);
      this.onDrain = () => {
        cancel();
        resolve();
      };
    });
  }
}
