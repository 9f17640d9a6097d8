/**
 * Batches the calls of many candidates to one store into few round trips. A renewal waits a few milliseconds for others; an
 * acquire or a release is sent in the next turn of the event loop.
 */
import { PartialAnswerError, StoreError } from '../../lease/core/store-error.ts';
import { type Clock, processClock } from '../../lease/host/process-clock.ts';
import type * as Store from '../../lease/store-interface.ts';

/** Timers that are due in the same millisecond fire within one or two milliseconds of it. */
const RENEWALS_WAIT_MS = 4;
/** A longer list would block the store for all other clients. */
const MAX_ITEMS = 1_000;

class Batch<Item, Answer> {
  private waiting: { item: Item; resolve: (answer: Answer) => void; reject: (error: unknown) => void }[] = [];
  /** The number of round trips. */
  sent = 0;

  constructor(
    private readonly call: (items: readonly Item[]) => Promise<readonly Answer[]>,
    private readonly clock: Clock,
    private readonly waitMs: number,
    private readonly maxItems = MAX_ITEMS,
    private readonly shuffles = false,
  ) {}

  ask(item: Item): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      if (this.waiting.length > 1) return;
      if (this.clock.setTimeout !== undefined) this.clock.setTimeout(() => this.flush(), this.waitMs);
      else if (this.waitMs === 0) setImmediate(() => this.flush());
      else setTimeout(() => this.flush(), this.waitMs);
    });
  }

  private flush(): void {
    const all = this.waiting;
    this.waiting = [];
    if (this.shuffles) shuffle(all, () => this.clock.random?.() ?? Math.random());
    for (let first = 0; first < all.length; first += this.maxItems) {
      void this.send(all.slice(first, first + this.maxItems));
    }
  }

  private async send(part: typeof this.waiting): Promise<void> {
    this.sent++;
    try {
      const answers = await this.call(part.map(({ item }) => item));
      for (const [i, { resolve }] of part.entries()) resolve(answers[i]);
    } catch (error) {
      // One election must not fail the others. Repeating a call is safe.
      if (error instanceof PartialAnswerError) {
        const answers = error.answers as readonly (Answer | undefined)[];
        for (const [i, { resolve }] of part.entries()) {
          const answer = answers[i];
          if (answer !== undefined) resolve(answer);
        }
        const rest = part.filter((_, i) => answers[i] === undefined);
        // Those that were answered are out of the way: the rest alone may succeed, or is bisected below.
        const mayHelp = error.kind === 'busy' || error.kind === 'unusable';
        if (mayHelp && rest.length < part.length) void this.send(rest);
        else for (const { reject } of rest) reject(error);
        return;
      }
      // Bisection finds the election that the store cannot use.
      if (part.length > 1 && error instanceof StoreError && error.kind === 'unusable') {
        const half = part.length >> 1;
        void this.send(part.slice(0, half));
        void this.send(part.slice(half));
        return;
      }
      for (const { reject } of part) reject(error);
    }
  }
}

function shuffle(items: unknown[], random: () => number): void {
  for (let last = items.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [items[last], items[other]] = [items[other], items[last]];
  }
}

export class StoreCalls {
  private readonly acquires: Batch<Store.AcquireRequest, Store.AcquireAnswer>;
  private readonly renewals: Batch<Store.RenewRequest, Store.RenewAnswer>;
  private readonly releases: Batch<Store.ReleaseRequest, Store.ReleaseAnswer>;

  private readonly withdrawals: Batch<Store.WithdrawRequest, undefined>;

  private constructor(
    readonly store: Store.LeaseStore,
    clock: Clock,
  ) {
    // A notification wakes the candidates of one process in a fixed order: the first would win every time.
    const most = store.maxItems ?? MAX_ITEMS;
    this.acquires = new Batch((items) => store.acquire(items), clock, 0, most, true);
    // If each request carries one renewal, no other can join it.
    this.renewals = new Batch((items) => store.renew(items), clock, most === 1 ? 0 : RENEWALS_WAIT_MS, most);
    this.releases = new Batch((items) => store.release(items), clock, 0, most);
    this.withdrawals = new Batch(
      async (items) => {
        await store.withdraw(items);
        return items.map(() => undefined);
      },
      clock,
      0,
      most,
    );
  }

  private static readonly ofTimers = new WeakMap<Clock, WeakMap<Store.LeaseStore, StoreCalls>>();

  /** All electors of one store share one instance, unless their clocks have timers of their own. */
  static of(store: Store.LeaseStore, clock: Clock = processClock): StoreCalls {
    const timers = clock.setTimeout === undefined ? processClock : clock;
    const ofStore = StoreCalls.ofTimers.get(timers) ?? new WeakMap<Store.LeaseStore, StoreCalls>();
    StoreCalls.ofTimers.set(timers, ofStore);
    const calls = ofStore.get(store) ?? new StoreCalls(store, timers);
    ofStore.set(store, calls);
    return calls;
  }

  get roundTrips(): number {
    return this.acquires.sent + this.renewals.sent + this.releases.sent + this.withdrawals.sent;
  }

  acquire(request: Store.AcquireRequest): Promise<Store.AcquireAnswer> {
    return this.acquires.ask(request);
  }

  renew(request: Store.RenewRequest): Promise<Store.RenewAnswer> {
    return this.renewals.ask(request);
  }

  withdraw(request: Store.WithdrawRequest): Promise<void> {
    return this.withdrawals.ask(request);
  }

  release(request: Store.ReleaseRequest): Promise<Store.ReleaseAnswer> {
    return this.releases.ask(request);
  }
}
