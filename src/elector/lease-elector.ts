/**
 * The elector of a lease store. It keeps the settings, the store and what is under way; leading.ts and leader-watch.ts do
 * the work. Those are loaded when they are first needed: importing the package costs a process that never leads little.
 */
import { InputError } from '../errors/hustings-error.ts';
import type { LeaseStore, Term } from '../lease/lease-store.ts';
import type { AcquireOptions, Elector, HistoryOptions, SignalOptions } from './elector.ts';
import type { ElectorEvent } from './elector-event.ts';
import type { ElectorSettings } from './elector-options.ts';
import type { Lead } from './lead.ts';
import type { KnownLeaderView, LeaderView } from './leader-view.ts';
import type { ElectorContext } from './leading.ts';
import { MetricsCounter } from './metrics/metrics-counter.ts';

export class LeaseElector implements Elector {
  readonly metrics: MetricsCounter;
  private opened: Promise<LeaseStore> | null;
  /** Ends each call that is under way. */
  private readonly stops = new Set<() => void>();
  private whenStopped: () => void = () => {};
  private hasWarned = false;

  constructor(
    private readonly settings: ElectorSettings,
    given: LeaseStore | null,
    /** Opens the elector's own store, if it was not given one. */
    private readonly open: (() => Promise<LeaseStore>) | null,
    private readonly onEvent: ((event: ElectorEvent) => void) | undefined,
  ) {
    this.opened = given === null ? null : Promise.resolve(given);
    this.metrics = new MetricsCounter(settings.name, settings.id);
  }

  get name(): string {
    return this.settings.name;
  }

  get id(): string {
    return this.settings.id;
  }

  async campaign(work: (lead: Lead) => unknown, { signal }: SignalOptions = {}): Promise<void> {
    checkWork(work);
    if (signal?.aborted) return;
    const { campaign } = await import('./leading.ts');
    const context = await this.context();
    if (signal?.aborted) return;
    await campaign(context, work, signal);
  }

  async runOnce<Result>(
    work: (lead: Lead) => Result | Promise<Result>,
    options: AcquireOptions = {},
  ): Promise<Result> {
    checkWork(work);
    checkTimeout(options);
    options.signal?.throwIfAborted();
    const { runOnce } = await import('./leading.ts');
    const context = await this.context();
    options.signal?.throwIfAborted();
    return runOnce(context, work, options);
  }

  async acquire(options: AcquireOptions = {}): Promise<Lead> {
    checkTimeout(options);
    options.signal?.throwIfAborted();
    const { acquire } = await import('./leading.ts');
    const context = await this.context();
    options.signal?.throwIfAborted();
    return acquire(context, options);
  }

  async *watch({ signal }: SignalOptions = {}): AsyncGenerator<LeaderView, void> {
    const closing = new AbortController();
    const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    const { watchLeader } = await import('./leader-watch.ts');
    const store = await this.store();
    const ended = this.onClose(() => closing.abort());
    try {
      yield* watchLeader(store, this.name, this.settings.timing.requestTimeoutMs, ends);
    } finally {
      ended();
    }
  }

  async leader(): Promise<KnownLeaderView> {
    const { readLeader } = await import('./leader-watch.ts');
    return readLeader(await this.store(), this.name, this.settings.timing.requestTimeoutMs);
  }

  async history({ at, limit }: HistoryOptions = {}): Promise<readonly Term[]> {
    const atMs = at === undefined ? undefined : Number(at);
    if (atMs !== undefined && !Number.isFinite(atMs)) {
      throw new InputError('at must be a valid date, or milliseconds since 1970');
    }
    const query = { ...(atMs === undefined ? {} : { atMs }), ...(limit === undefined ? {} : { limit }) };
    return (await this.store()).history(this.name, query);
  }

  async close(): Promise<void> {
    for (const stop of [...this.stops]) stop();
    await this.stopped();
    const { opened } = this;
    if (this.open === null || opened === null) return;
    this.opened = null;
    await (await opened).close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  private async context(): Promise<ElectorContext> {
    return {
      settings: this.settings,
      store: await this.store(),
      emit: (event) => this.emit(event),
      onClose: (stop) => this.onClose(stop),
    };
  }

  private onClose(stop: () => void): () => void {
    // One function may be registered twice: each registration has its own end.
    const entry = (): void => stop();
    this.stops.add(entry);
    return () => {
      this.stops.delete(entry);
      if (this.stops.size === 0) this.whenStopped();
    };
  }

  private stopped(): Promise<void> {
    if (this.stops.size === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.settings.timing.ttlMs);
      this.whenStopped = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  private store(): Promise<LeaseStore> {
    if (this.opened !== null) return this.opened;
    if (this.open === null) throw new Error('an elector has a store or opens one');
    const opened = this.open();
    this.opened = opened;
    // A store that could not be opened is opened again by the next call.
    opened.catch(() => {
      this.opened = null;
    });
    return opened;
  }

  private emit(event: ElectorEvent): void {
    this.metrics.count(event);
    try {
      this.onEvent?.(event);
    } catch (error) {
      // An observer does not harm the election, but its author should learn that it fails.
      if (this.hasWarned) return;
      this.hasWarned = true;
      process.emitWarning(`onEvent threw at '${event.type}': ${error}`, {
        code: 'HUSTINGS_OBSERVER_FAILED',
        detail: `The election of '${this.name}' continues. Later errors of onEvent are not reported.`,
      });
    }
  }
}

function checkWork(work: unknown): void {
  if (typeof work !== 'function') throw new InputError(`work must be a function, not ${typeof work}`);
}

function checkTimeout({ timeoutMs }: AcquireOptions): void {
  if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs >= 0)) {
    throw new InputError(`timeoutMs must be a number of milliseconds from 0, not ${timeoutMs}`);
  }
}
