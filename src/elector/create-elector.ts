/**
 * Leader election for a service, on the store that it already has.
 *
 * Guaranteed, by any store whose `capabilities` promise it: by the store's clock there is one unexpired lease at most
 * (P1); a `lead` says that it is valid only before its deadline (P2); tokens rise (P3); work of a term has settled before
 * the next term of the same elector begins, and before its lease is given back.
 *
 * Not guaranteed: that work which ignores its signal stops; that a lease alone excludes in an asynchronous network. For
 * that, let the sink check the token.
 */
import { InputError } from '../errors/hustings-error.ts';
import type { LeaseStore, Term } from '../lease/lease-store.ts';
import { openStore } from '../lease/open-store.ts';
import { onAbort } from './abort-listener.ts';
import { Campaign } from './campaign.ts';
import type { ElectorEvent } from './elector-event.ts';
import { ElectorMetrics } from './elector-metrics.ts';
import { type ElectorOptions, type ElectorSettings, settingsOf } from './elector-options.ts';
import type { Lead } from './lead.ts';
import type { LeaderView } from './leader-view.ts';
import { readLeader, watchLeader } from './leader-watch.ts';
import { AcquireTimeoutError, ElectorClosedError } from './lease-lost.ts';

export interface AcquireOptions {
  /**
   * Ends the wait, with the signal's reason. A lease that is granted to a claim on its way is given back when the answer
   * comes; if none comes in time, it runs out.
   */
  readonly signal?: AbortSignal;
  /** How long to wait; the store is asked once at least, so that 0 takes a lease which is free and waits for none. */
  readonly timeoutMs?: number;
}

export function createElector(options: ElectorOptions): Elector {
  const { store, onEvent } = options;
  // A closure, so that whoever prints an elector does not print the password in its URL.
  const open = typeof store === 'string' ? () => openStore(store) : null;
  return new Elector(settingsOf(options), typeof store === 'string' ? null : store, open, onEvent);
}

export class Elector implements AsyncDisposable {
  readonly metrics: ElectorMetrics;
  private opened: Promise<LeaseStore> | null;
  /** What ends each campaign that is under way. */
  private readonly stops = new Set<() => void>();
  private whenStopped: () => void = () => {};
  private hasWarned = false;

  /** Use `createElector`. */
  constructor(
    private readonly settings: ElectorSettings,
    given: LeaseStore | null,
    /** Opens the elector's own store, if it was not given one. */
    private readonly open: (() => Promise<LeaseStore>) | null,
    private readonly onEvent: ((event: ElectorEvent) => void) | undefined,
  ) {
    this.opened = given === null ? null : Promise.resolve(given);
    this.metrics = new ElectorMetrics(settings.name, settings.id);
  }

  get name(): string {
    return this.settings.name;
  }

  /** The candidate's name. */
  get id(): string {
    return this.settings.id;
  }

  /**
   * Calls `work` once in each term, for ever, until `signal` aborts; then resolves when the work has settled and the
   * lease was given back. Work that returns ends its term, and the elector campaigns again; so does work that throws when
   * its term is over, or because an `assert` found too little left. Rejects if the work throws anything else while it
   * leads, after giving the lease back, or if the store refuses the candidate from the beginning.
   */
  async run(
    work: (lead: Lead) => unknown,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<void> {
    if (typeof work !== 'function') throw new InputError(`expected a function to run, got ${typeof work}`);
    if (signal?.aborted) return;
    const store = await this.store();
    // To open a store may take a while.
    if (signal?.aborted) return;
    await new Promise<void>((resolve, reject) => {
      let failure: { readonly error: unknown } | null = null;
      const stop = (): void => {
        campaign.candidate.send({ type: 'release', reason: 'released', successor: null, again: false });
      };
      const fail = (error: unknown): void => {
        failure ??= { error };
        stop();
      };
      const campaign: Campaign = new Campaign(this.settings, store, false, {
        elected: async (lead) => {
          // Not within the step that elected it: what the work does first may be a wish of its own.
          await null;
          try {
            if (!lead.signal.aborted) await work(lead);
          } catch (error) {
            // By the clocks: work that was stopped fails, at its assert or at a fence, before a timer can abort its signal.
            if (!lead.isValid() || lead.isShort(error)) this.tell({ type: 'work-failed', lead, error });
            else fail(error);
          }
          campaign.candidate.send({ type: 'settled' });
        },
        refused: fail,
        stopped: () => {
          unlisten();
          this.forget(stop);
          if (failure === null) resolve();
          else reject(failure.error);
        },
        event: (event) => this.tell(event),
      });
      const unlisten = onAbort(signal, stop);
      this.stops.add(stop);
      campaign.candidate.send({ type: 'campaign' });
    });
  }

  /** One term: `await using lead = await elector.acquire()`. The work is over when the lease is given back. */
  async acquire({ signal, timeoutMs }: AcquireOptions = {}): Promise<Lead> {
    if (timeoutMs !== undefined && !(Number.isFinite(timeoutMs) && timeoutMs >= 0)) {
      throw new InputError(`expected timeoutMs to be a number of milliseconds from 0, got ${timeoutMs}`);
    }
    signal?.throwIfAborted();
    const store = await this.store();
    signal?.throwIfAborted();
    return new Promise<Lead>((resolve, reject) => {
      let failure: unknown;
      let timer: NodeJS.Timeout | undefined;
      let isAnswered = false;
      let isLate = false;
      const giveUp = (error: unknown): void => {
        failure ??= error;
        campaign.candidate.send({ type: 'release', reason: 'released', successor: null, again: false });
      };
      const onClose = (): void => giveUp(new ElectorClosedError(this.name));
      const settle = (): void => {
        this.forget(onClose);
        clearTimeout(timer);
        unlisten();
      };
      const campaign: Campaign = new Campaign(this.settings, store, true, {
        elected: (lead) => {
          settle();
          resolve(lead);
        },
        refused: giveUp,
        stopped: () => {
          settle();
          reject(failure);
        },
        event: (event) => {
          this.tell(event);
          isAnswered ||= event.type === 'waiting' || event.type === 'store-error';
          if (isAnswered && isLate) giveUpLate();
        },
      });
      const giveUpLate = (): void => giveUp(new AcquireTimeoutError(this.name, timeoutMs!, campaign));
      const unlisten = onAbort(signal, () => giveUp(signal!.reason));
      this.stops.add(onClose);
      if (timeoutMs !== undefined) {
        timer = setTimeout(() => {
          isLate = true;
          if (isAnswered) giveUpLate();
        }, timeoutMs);
      }
      campaign.candidate.send({ type: 'campaign' });
    });
  }

  /** Who leads, now and after each change. Observers need not be candidates. */
  async *watch({ signal }: { readonly signal?: AbortSignal } = {}): AsyncGenerator<LeaderView, void> {
    const closing = new AbortController();
    const onClose = (): void => closing.abort();
    const ends = signal === undefined ? closing.signal : AbortSignal.any([signal, closing.signal]);
    const store = await this.store();
    this.stops.add(onClose);
    try {
      yield* watchLeader(store, this.name, this.settings.timing.requestTimeoutMs, ends);
    } finally {
      this.forget(onClose);
    }
  }

  /** Who leads now, by the store. Rejects with a `StoreError` if it cannot be read. */
  async leader(): Promise<LeaderView> {
    return readLeader(await this.store(), this.name, this.settings.timing.requestTimeoutMs);
  }

  /** Who led, newest first; with `at`, who led then. */
  async history({
    at,
    limit,
  }: {
    readonly at?: Date | number;
    readonly limit?: number;
  } = {}): Promise<readonly Term[]> {
    const atMs = at === undefined ? undefined : Number(at);
    if (atMs !== undefined && !Number.isFinite(atMs)) {
      throw new InputError('expected `at` to be a date or milliseconds since 1970, got neither: give one');
    }
    const query = { ...(atMs === undefined ? {} : { atMs }), ...(limit === undefined ? {} : { limit }) };
    return (await this.store()).history(this.name, query);
  }

  /**
   * Ends what is under way, as an abort of its signal would, and waits for it, though not longer than a lease lasts; then
   * closes the store, if the elector was given its URL. A lead that is still held is lost then: release it first.
   */
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

  private forget(stop: () => void): void {
    this.stops.delete(stop);
    if (this.stops.size === 0) this.whenStopped();
  }

  private store(): Promise<LeaseStore> {
    if (this.opened !== null) return this.opened;
    const opened = this.open!();
    this.opened = opened;
    // What could not be opened is opened anew the next time.
    opened.catch(() => {
      this.opened = null;
    });
    return opened;
  }

  private tell(event: ElectorEvent): void {
    this.metrics.take(event);
    try {
      this.onEvent?.(event);
    } catch (error) {
      // An observer does no harm to the election, but should learn that it fails.
      if (this.hasWarned) return;
      this.hasWarned = true;
      process.emitWarning(`onEvent threw at '${event.type}': ${error}`, {
        code: 'HUSTINGS_OBSERVER_FAILED',
        detail: `The election of '${this.name}' goes on. What onEvent throws later is not told again.`,
      });
    }
  }
}
