/**
 * Starts each tick of a schedule at most once among all candidates of an election.
 *
 * Guaranteed: before the work of a tick starts, the store has recorded the tick under the token of this term, in a step that
 * fails if the term is over or the tick is recorded already. So no tick starts twice, whatever crashes, and whatever the
 * clocks of the candidates say: a tick is due when the store's clock says so. A tick is started again only if its leader was
 * lost and `retryInterrupted` is set.
 *
 * Not guaranteed: that the work of a tick is done. A leader that is lost leaves its tick interrupted.
 */
import { InputError } from '@hustings/base';
import { StoreError } from '../../lease/core/store-error.ts';
import { AHEAD_MS, type StartTickRequest, type Tick } from '../../lease/core/tick.ts';
import type { Lead } from '../lead.ts';
import type { ElectorContext } from '../leading.ts';
import { checkOptionNames } from '../option-check.ts';
import { pause, within } from '../timeouts.ts';
import type { CronOptions, CronTick, CronWork } from './cron-options.ts';
import { type CronSchedule, parseSchedule } from './schedule.ts';
import { planTicks, type TickPolicy } from './tick-plan.ts';

export interface CronPlan {
  readonly schedule: CronSchedule;
  readonly policy: TickPolicy & { readonly retryInterrupted: boolean };
  readonly work: CronWork;
}

const OPTIONS: Readonly<Record<keyof CronOptions, true>> = {
  ...{ signal: true, timeZone: true, overlap: true, catchUp: true, retryInterrupted: true },
};

export function cronPlan(expression: string, work: CronWork, options: CronOptions): CronPlan {
  checkOptionNames(options, OPTIONS, 'cron');
  const { timeZone = 'UTC', overlap = 'skip', catchUp = true, retryInterrupted = false } = options;
  if (overlap !== 'skip' && overlap !== 'queue') {
    throw new InputError(`overlap must be 'skip' or 'queue', not '${overlap}'`);
  }
  const policy = { overlap, catchUp, retryInterrupted };
  return { schedule: parseSchedule(expression, timeZone), policy, work };
}

/** The store's clock is read this often, so that a change of either clock does no lasting harm. */
const MAX_SLEEP_MS = 30_000;
/** While a recorded tick lies ahead, somebody may remove it. */
const AHEAD_SLEEP_MS = 5_000;
const RETRY_MS = 500;

/** The ticks of one term. Returns when the term ends. */
export async function runTicks(context: ElectorContext, lead: Lead, plan: CronPlan): Promise<void> {
  await new CronTerm(context, lead, plan).run();
}

class CronTerm {
  private electedMs = 0;
  private busyUntilMs = 0;
  /** Whether the interrupted tick of an earlier term was dealt with. */
  private hasRetried = false;
  /** What this term has asked to start, until its work has run: the answer of the store may have been lost. */
  private asked: CronTick | null = null;
  /** The tick of which this term has told that it lies ahead; null for none. */
  private aheadTickMs: number | null = null;

  constructor(
    private readonly context: ElectorContext,
    private readonly lead: Lead,
    private readonly plan: CronPlan,
  ) {}

  async run(): Promise<void> {
    const { signal } = this.lead;
    while (!signal.aborted) {
      let waitMs: number;
      try {
        waitMs = await this.step();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        this.context.emit({ type: 'store-error', kind: error.kind, error });
        waitMs = RETRY_MS;
      }
      if (waitMs > 0) await pause(Math.min(waitMs, MAX_SLEEP_MS), signal, this.context.settings.clock);
    }
  }

  /** Starts what is due. Returns how long to wait for the next tick. */
  private async step(): Promise<number> {
    const { schedule, policy } = this.plan;
    const nowMs = await this.call((store) => store.time());
    if (this.electedMs === 0) this.electedMs = nowMs;
    const [latest] = await this.call((store) => store.ticks(this.lead.term.name, { limit: 1 }));
    this.tellIfAhead(latest?.tickMs ?? 0, nowMs);
    if (latest !== undefined && (await this.resume(latest))) return 0;
    if (latest === undefined) return await this.begin(nowMs);
    const { tickMs: afterMs } = latest;
    const { electedMs, busyUntilMs } = this;
    const { startMs, missedMs } = planTicks(schedule, { afterMs, nowMs, electedMs, busyUntilMs }, policy);
    if (startMs !== null || missedMs.length > 0) {
      if (!(await this.start({ tickMs: startMs, missedMs, retry: false }))) return RETRY_MS;
      if (startMs !== null) await this.work({ tickMs: startMs, isRetry: false });
      return 0;
    }
    // A store whose clock was set back waits for the tick after the latest one.
    const nextMs = schedule.nextAfter(Math.max(nowMs, afterMs));
    const maxMs = this.aheadTickMs === null ? MAX_SLEEP_MS : AHEAD_SLEEP_MS;
    return nextMs === null ? maxMs : Math.min(maxMs, Math.max(1, nextMs - nowMs));
  }

  /** A tick lies ahead if another one, which is not due yet, would come before it. */
  private tellIfAhead(tickMs: number, nowMs: number): void {
    const nextMs = this.plan.schedule.nextAfter(nowMs + AHEAD_MS);
    const isAhead = nextMs !== null && tickMs > nextMs;
    const aheadTickMs = isAhead ? tickMs : null;
    if (aheadTickMs === this.aheadTickMs) return;
    this.aheadTickMs = aheadTickMs;
    const aheadMs = isAhead ? tickMs - nowMs : 0;
    this.context.emit({ type: 'tick-ahead', lead: this.lead, tickMs, aheadMs });
  }

  /** Runs a tick of this term whose start was recorded, but not answered; or one that was interrupted, if told to. */
  private async resume(latest: Tick): Promise<boolean> {
    const { tickMs, token, state } = latest;
    const { asked } = this;
    if (state === 'running' && token === this.lead.token && asked?.tickMs === tickMs) {
      await this.work(asked);
      return true;
    }
    if (this.hasRetried || state !== 'interrupted' || !this.plan.policy.retryInterrupted) return false;
    const isStarted = await this.start({ tickMs, missedMs: [], retry: true });
    this.hasRetried = true;
    if (isStarted) await this.work({ tickMs, isRetry: true });
    return isStarted;
  }

  private async start(request: Pick<StartTickRequest, 'tickMs' | 'missedMs' | 'retry'>): Promise<boolean> {
    const { name, nonce, token } = this.lead.term;
    const { tickMs, retry } = request;
    this.asked = tickMs === null ? null : { tickMs, isRetry: retry };
    const answer = await this.call((store) => store.startTick({ name, nonce, token, ...request }));
    return answer.type === 'started';
  }

  private async work(tick: CronTick): Promise<void> {
    const { lead, context } = this;
    const { tickMs } = tick;
    this.asked = null;
    // By the clocks: a process that was suspended since it asked finds out here, and its tick stays interrupted.
    if (!lead.isValid()) return;
    context.emit({ type: 'tick-started', lead, tickMs });
    let error: unknown = null;
    try {
      await this.plan.work(lead, tick);
    } catch (thrown) {
      error = thrown ?? new Error('the work threw no error');
    }
    // Work that was told to stop may have returned without being done: its tick stays interrupted.
    const state = lead.signal.aborted ? 'interrupted' : error === null ? 'completed' : 'failed';
    context.emit({ type: 'tick-ended', lead, tickMs, state, error });
    if (state === 'interrupted') return;
    const { name, token } = lead.term;
    await this.untilAnswered((store) => store.endTick({ name, token, tickMs, state }));
    this.busyUntilMs = await this.untilAnswered((store) => store.time());
  }

  /** An end that is not recorded would count as an interruption: it is worth repeating while the term lasts. */
  private async untilAnswered<Answer>(
    ask: (store: ElectorContext['store']) => Promise<Answer>,
  ): Promise<Answer> {
    for (;;) {
      try {
        return await this.call(ask);
      } catch (error) {
        if (!(error instanceof StoreError) || this.lead.signal.aborted) throw error;
        await pause(RETRY_MS, this.lead.signal, this.context.settings.clock);
      }
    }
  }

  /** The first ticks of an election are those after now. The tick before is recorded as missed, to mark the beginning. */
  private async begin(nowMs: number): Promise<number> {
    const beforeMs = this.plan.schedule.latestUntil(nowMs);
    if (beforeMs === null) return MAX_SLEEP_MS;
    const isRecorded = await this.start({ tickMs: null, missedMs: [beforeMs], retry: false });
    return isRecorded ? 0 : RETRY_MS;
  }

  private call<Answer>(ask: (store: ElectorContext['store']) => Promise<Answer>): Promise<Answer> {
    const { store, settings } = this.context;
    return within(settings.timing.requestTimeoutMs, ask(store), store.label, settings.clock);
  }
}
