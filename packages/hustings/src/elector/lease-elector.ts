/**
 * Leader election for a service, on the store that it already has, or by a cluster of its own processes.
 *
 * Guaranteed, on any store whose `capabilities` promise it: on the store's clock there is at most one unexpired lease
 * (P1); a `lead` claims to be valid only before its deadline (P2); tokens increase (P3); the work of a term has settled
 * before the next term of the same elector begins, and before its lease is released.
 *
 * Not guaranteed: that work which ignores its signal stops; mutual exclusion by a lease alone in an asynchronous network.
 * For that, the resource must check the fencing token.
 *
 * The elector keeps the settings, the store and what is under way; leading.ts and leader-watch.ts do the work. Those are
 * loaded when they are first needed: importing the package costs a process that never leads little.
 */
import { InputError } from '@hustings/base';
import type { WaitingCandidate } from '../lease/core/lease-record.ts';
import { slotNames } from '../lease/core/slot.ts';
import type { Tick, TickQuery } from '../lease/core/tick.ts';
import type { LeaseStore, Term } from '../lease/lease-store.ts';
import { type CallSignal, onAbort } from './abort-listeners.ts';
import { Calls } from './calls.ts';
import { checkHasStore } from './cluster-limits.ts';
import type { CronOptions, CronWork } from './cron/cron-options.ts';
import type {
  AcquireOptions,
  Elector,
  HistoryOptions,
  LeaderWatchOptions,
  SignalOptions,
} from './elector.ts';
import type { ElectorHealth } from './elector-health.ts';
import { type ElectorSettings, settingsOf, type UncheckedOptions } from './elector-options.ts';
import { ElectorStatus } from './elector-status.ts';
import type { ElectorEvent } from './events/elector-event.ts';
import type { EventOutlet } from './events/event-outlet.ts';
import { lazyModules } from './lazy-modules.ts';
import type { Lead } from './lead.ts';
import type { KnownLeaderView, LeaderView } from './leader-view.ts';
import type { ElectorContext } from './leading.ts';
import { MetricsCounter } from './metrics/metrics-counter.ts';
import {
  checkAcquire,
  checkLimit,
  checkOptionNames,
  checkWork,
  chosenSlots,
  HISTORY_OPTIONS,
  SIGNAL_OPTIONS,
  TICK_OPTIONS,
  WATCH_OPTIONS,
} from './option-check.ts';
import type { BorrowedStore } from './shared-store.ts';
import { setLongTimeout, within } from './timeouts.ts';

/** What an elector needs for stores that are named by a URL, and for schedules. */
export interface ElectorParts {
  /** Throws an `InputError` for a URL that names no store. */
  readonly checkUrl: (url: string) => unknown;
  readonly borrow: (url: string) => Promise<BorrowedStore>;
  readonly cron: () => Promise<typeof import('./cron/cron-run.ts')>;
}

/** What was given as an object belongs to its owner. */
async function borrow(
  { store, cluster }: UncheckedOptions,
  parts: ElectorParts | null,
): Promise<BorrowedStore> {
  if (typeof store === 'string') return parts!.borrow(store);
  return { store: store ?? (await cluster!.leases()), giveBack: async () => {} };
}

export class LeaseElector implements Elector {
  readonly metrics: MetricsCounter;
  private readonly calls: Calls;
  private readonly status: ElectorStatus;
  private outlet: EventOutlet | null = null;
  private borrowed: Promise<BorrowedStore> | null = null;
  private closing: Promise<void> | null = null;
  private isCampaigning = false;
  /** Until then this candidate stays out of the election, because it was evicted: a reading of the monotonic clock. */
  private coolUntilMs = 0;

  private readonly settings: ElectorSettings;
  /** A closure, so that a printed elector does not show the password in the URL. */
  private readonly open: () => Promise<BorrowedStore>;

  /** Without the parts it takes no URL and runs no schedule. */
  constructor(
    options: UncheckedOptions,
    private readonly parts: ElectorParts | null,
    private readonly wasServed: boolean,
  ) {
    this.settings = settingsOf(options, parts?.checkUrl);
    this.open = () => borrow(options, parts);
    const { name, metricsLabel, slots, clock } = this.settings;
    this.calls = new Calls(name);
    this.status = new ElectorStatus(name, this.calls, clock);
    this.metrics = new MetricsCounter(name, metricsLabel, slots, this.status);
  }

  get name(): string {
    return this.settings.name;
  }

  get id(): string {
    return this.settings.id;
  }

  /** The leases of the election. */
  private get names(): readonly string[] {
    const { name, names, slots } = this.settings;
    return names ?? slotNames(name, slots);
  }

  health(): ElectorHealth {
    return this.status.health;
  }

  async campaign(work: (lead: Lead) => unknown, options: SignalOptions = {}): Promise<void> {
    checkWork(work);
    checkOptionNames(options, SIGNAL_OPTIONS, 'campaign');
    const { signal } = options;
    if (signal?.aborted) return;
    this.checkIdle();
    const call = this.calls.begin(signal, 'candidate');
    this.isCampaigning = true;
    try {
      const { campaign } = await lazyModules.leading();
      const context = await this.context();
      await this.waitForCooldown(call).catch(() => {});
      if (!call.aborted) await campaign(context, work, call);
    } finally {
      this.isCampaigning = false;
      call.end();
    }
  }

  async runOnce<Result>(
    work: (lead: Lead) => Result | Promise<Result>,
    options: AcquireOptions = {},
  ): Promise<Result> {
    checkWork(work);
    checkAcquire(options, 'runOnce');
    this.checkIdle();
    const call = this.calls.begin(options.signal, 'candidate');
    try {
      const { runOnce } = await lazyModules.leading();
      const context = await this.context(options);
      const timeoutMs = await this.waitForCooldown(call, options.timeoutMs);
      return await runOnce(context, work, call, timeoutMs);
    } finally {
      call.end();
    }
  }

  async acquire(options: AcquireOptions = {}): Promise<Lead> {
    checkAcquire(options, 'acquire');
    this.checkIdle();
    const call = this.calls.begin(options.signal, 'candidate');
    try {
      const { acquire } = await lazyModules.leading();
      const context = await this.context(options);
      const timeoutMs = await this.waitForCooldown(call, options.timeoutMs);
      const { lead, stopped } = await acquire(context, call, timeoutMs);
      call.ignoreCaller();
      void stopped.then(() => call.end());
      return lead;
    } catch (error) {
      call.end();
      throw error;
    }
  }

  async cron(expression: string, work: CronWork, options: CronOptions = {}): Promise<void> {
    checkWork(work);
    checkHasStore(this.settings, 'cron');
    if (this.names.length > 1) {
      throw new InputError('a schedule needs one election with one leader; leave slots and names out');
    }
    if (this.parts === null) throw new InputError("a schedule needs createElector of 'hustings'");
    const { cronPlan, runTicks } = await this.parts.cron();
    const plan = cronPlan(expression, work, options);
    const runTerm = async (lead: Lead): Promise<void> => runTicks(await this.context(), lead, plan);
    await this.campaign(runTerm, { signal: options.signal });
  }

  async ticks(query: TickQuery = {}): Promise<readonly Tick[]> {
    this.calls.checkOpen();
    checkOptionNames(query, TICK_OPTIONS, 'ticks');
    checkLimit(query.limit);
    checkHasStore(this.settings, 'ticks');
    return (await this.store()).ticks(this.name, query);
  }

  watch(options: LeaderWatchOptions = {}): AsyncGenerator<LeaderView, void> {
    checkOptionNames(options, WATCH_OPTIONS, 'watch');
    const names = chosenSlots(this.names, options.slot);
    const ending = new AbortController();
    const views = this.views(names, options.signal, ending.signal);
    // A generator queues `return` and `throw` behind the `next` that is pending: these end it first.
    const end =
      <Args extends unknown[], Answer>(method: (...args: Args) => Answer) =>
      (...args: Args): Answer => {
        ending.abort();
        return method.apply(views, args);
      };
    return Object.assign(views, { return: end(views.return), throw: end(views.throw) });
  }

  private async *views(
    names: readonly string[],
    signal: AbortSignal | undefined,
    returned: AbortSignal,
  ): AsyncGenerator<LeaderView, void> {
    const call = this.calls.begin(signal, 'observer');
    const unlisten = onAbort(returned, () => call.abort());
    try {
      const { watchLeader } = await lazyModules.leaderWatch();
      const store = await this.store();
      const { timing, clock } = this.settings;
      if (names.length === 1) yield* watchLeader(store, names[0], timing.requestTimeoutMs, call, clock);
      else
        yield* (await lazyModules.slotViews()).watchSlots(store, names, timing.requestTimeoutMs, call, clock);
    } finally {
      unlisten();
      call.end();
    }
  }

  async leader(): Promise<KnownLeaderView> {
    this.calls.checkOpen();
    if (this.names.length > 1) {
      throw new InputError(`'${this.name}' has ${this.names.length} leases; call leaders()`);
    }
    const store = await this.store();
    const { readLeader } = await lazyModules.leaderWatch();
    const { timing, clock } = this.settings;
    return readLeader(store, this.name, timing.requestTimeoutMs, clock);
  }

  async leaders(): Promise<readonly KnownLeaderView[]> {
    this.calls.checkOpen();
    const store = await this.store();
    const { timing, clock } = this.settings;
    return (await lazyModules.slotViews()).readLeaders(store, this.names, timing.requestTimeoutMs, clock);
  }

  async candidates(): Promise<readonly WaitingCandidate[]> {
    this.calls.checkOpen();
    checkHasStore(this.settings, 'candidates');
    const store = await this.store();
    const { timing, clock } = this.settings;
    const asked = (await lazyModules.slotViews()).slotCandidates(store, this.names);
    return within(timing.requestTimeoutMs, asked, store.label, clock);
  }

  async history(options: HistoryOptions = {}): Promise<readonly Term[]> {
    this.calls.checkOpen();
    checkOptionNames(options, HISTORY_OPTIONS, 'history');
    const { at, limit, slot } = options;
    checkLimit(limit);
    const names = chosenSlots(this.names, slot);
    const atMs = at === undefined ? undefined : Number(at);
    if (atMs !== undefined && !Number.isFinite(atMs)) {
      throw new InputError('at must be a valid date, or milliseconds since 1970');
    }
    const query = { ...(atMs === undefined ? {} : { atMs }), ...(limit === undefined ? {} : { limit }) };
    return (await lazyModules.slotViews()).slotHistory(await this.store(), names, query);
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  /** Within its own campaign a candidate would wait for itself. */
  private checkIdle(): void {
    this.calls.checkOpen();
    if (!this.isCampaigning) return;
    throw new InputError(
      `this elector already campaigns for '${this.name}'; create another elector for a second candidate`,
    );
  }

  private async finish(): Promise<void> {
    const giveBack = async (): Promise<void> => {
      const borrowed = await this.borrowed?.catch(() => null);
      await borrowed?.giveBack();
    };
    // A term that outlives this call, such as that of work which awaits it, still needs the store for its release.
    const given = this.calls.close().then(giveBack);
    let cancel = (): void => {};
    const late = new Promise<void>((resolve) => {
      cancel = setLongTimeout(resolve, this.settings.timing.ttlMs, this.settings.clock);
    });
    await Promise.race([given, late]).finally(cancel);
  }

  private async context({ holdAtLeastMs = 0 }: AcquireOptions = {}): Promise<ElectorContext> {
    const { settings, status, metrics } = this;
    if (holdAtLeastMs > 0) checkHasStore(settings, 'holdAtLeastMs');
    const store = await this.store();
    const { EventOutlet } = await lazyModules.leading();
    this.outlet ??= new EventOutlet(settings, status, metrics);
    const { outlet } = this;
    const emit = (event: ElectorEvent): void => {
      if (event.type === 'ended' && event.cooldownMs > 0) {
        this.coolUntilMs = settings.clock.now().monoMs + event.cooldownMs;
      }
      outlet.emit(event, store);
    };
    return {
      settings: holdAtLeastMs === 0 ? settings : { ...settings, holdAtLeastMs },
      ...{ store, emit, wasServed: this.wasServed || status.wasServed },
    };
  }

  /** Waits until an evicted candidate may campaign again. Resolves with the rest of `timeoutMs`. */
  private async waitForCooldown(signal: CallSignal, timeoutMs?: number): Promise<number | undefined> {
    const leftMs = this.coolUntilMs - this.settings.clock.now().monoMs;
    if (leftMs <= 0) return timeoutMs;
    const { waitForCooldown } = await lazyModules.cooldown();
    return waitForCooldown(this.settings, leftMs, signal, timeoutMs);
  }

  private async store(): Promise<LeaseStore> {
    this.borrowed ??= this.open();
    const { borrowed } = this;
    try {
      return (await borrowed).store;
    } catch (error) {
      // A store that could not be opened is opened again by the next call.
      if (this.borrowed === borrowed) this.borrowed = null;
      throw error;
    }
  }
}
