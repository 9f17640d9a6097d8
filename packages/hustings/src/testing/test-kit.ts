/**
 * Tests of a service that leads, without a server and without waiting: a store in memory and a clock, both under the control of
 * the test. Everything that an elector does runs for real: only time and the store are replaced.
 *
 * Guaranteed: with the same seed and the same calls, electors do the same things in the same order.
 *
 * Not guaranteed: that work which does real input or output is finished when `advance` resolves.
 */
// Also by name: Jest fails where two modules are loaded at the same time.
import { checkWhole, HustingsError, InputError } from '@hustings/base';
import '../elector/cron/cron-run.ts';
import '../elector/leader-watch.ts';
import '../elector/leading.ts';
import '../elector/slot-views.ts';
import '../elector/cooldown.ts';
import { lazyModules } from '../elector/lazy-modules.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { MemoryLeaseStore } from '../lease/stores/memory/memory-lease-store.ts';
import { electOther, type OtherLeader } from './other-leader.ts';
import { TestClock } from './test-clock.ts';
import { STORE_FAULTS, type StoreFault, TestConnection } from './test-connection.ts';

/** The options of `createTestKit`. */
export interface TestKitOptions {
  /** The wall clock at the start. Default: 2026-01-01 00:00 UTC. */
  readonly startAt?: Date | number;
  /** The seed of the random delays of electors. Default: 1. */
  readonly seed?: number;
  /**
   * Moves the fake timers of a test runner too, in steps of at most 50 ms: `(ms) => vi.advanceTimersByTimeAsync(ms)`. For
   * work that waits with `setTimeout`.
   */
  readonly advanceTimers?: (ms: number) => unknown;
}

/** How long `until` moves the clock. */
export interface UntilOptions {
  /** Default: 60,000. */
  readonly withinMs?: number;
}

/** A store and a clock for the electors of a test, and what can happen to them. */
export interface TestKit {
  /** For `createElector({ store })`. */
  readonly store: LeaseStore;
  /** For `createElector({ clock })`. It stands still until a method of the kit moves it. */
  readonly clock: Clock;
  /** Moves the clock, and fires on the way the timers of all electors that use it. */
  advance(ms: number): Promise<void>;
  /** Runs all timers that are due, and what follows from them. */
  settle(): Promise<void>;
  /** Moves the clock until the condition holds. Rejects if it does not within `withinMs`. */
  until(condition: () => unknown, options?: UntilOptions): Promise<void>;
  /**
   * Moves the clock as if the process were suspended: electors notice nothing until the next `advance`, `settle` or `until`.
   * What the test calls before sees clocks that are ahead of all signals.
   */
  suspend(ms: number): void;
  /** Takes the lease from its holder, which is notified. Takes 10 ms on the clock. Rejects if nobody holds the lease. */
  loseLease(name: string): Promise<void>;
  /** Another candidate leads, in the place of any holder, which is notified. Takes 10 ms on the clock, unless suspended. */
  elect(name: string, id?: string): Promise<OtherLeader>;
  /** From now on every call to `store` fails in this way: 'unreachable' by default. Other candidates still reach the store. */
  breakStore(fault?: StoreFault): void;
  /** The store works again. Calls that had no answer never get one. */
  repairStore(): void;
}

const START_MS = Date.UTC(2026, 0, 1);
/** A holder that is notified asks the store within this time. */
const NOTICE_MS = 10;
/** Between a timer of an elector and one of a test runner, order is kept to this precision. */
const MAX_STEP_MS = 50;

/** A store and a clock for one test. */
export function createTestKit(options: TestKitOptions = {}): TestKit {
  const { startAt = START_MS, seed = 1 } = options;
  const startMs = Number(startAt);
  if (!Number.isFinite(startMs))
    throw new InputError('startAt must be a valid date, or milliseconds since 1970');
  checkWhole('seed', seed, 1, 2 ** 32 - 1);
  return new MemoryTestKit(new TestClock(startMs, seed), options.advanceTimers);
}

class MemoryTestKit implements TestKit {
  readonly store: LeaseStore;
  readonly #inner: LeaseStore;
  readonly #connection: TestConnection;
  /** One movement at a time. */
  #moving: Promise<void> = Promise.resolve();

  constructor(
    readonly clock: TestClock,
    private readonly advanceTimers: TestKitOptions['advanceTimers'],
  ) {
    this.#inner = new MemoryLeaseStore({ clock });
    this.#connection = new TestConnection(this.#inner, clock);
    this.store = this.#connection.store;
  }

  advance(ms: number): Promise<void> {
    checkDuration(ms);
    const moved = this.#moving.then(() => this.#advance(ms));
    this.#moving = moved.catch(() => undefined);
    return moved;
  }

  settle(): Promise<void> {
    return this.advance(0);
  }

  async until(condition: () => unknown, { withinMs = 60_000 }: UntilOptions = {}): Promise<void> {
    checkDuration(withinMs);
    await this.settle();
    for (let leftMs = withinMs; !(await condition()); ) {
      if (leftMs <= 0) {
        throw new HustingsError(
          `the condition did not hold within ${withinMs} ms on the clock of the test kit`,
        );
      }
      const stepMs = Math.min(leftMs, MAX_STEP_MS);
      await this.advance(stepMs);
      leftMs -= stepMs;
    }
  }

  suspend(ms: number): void {
    checkDuration(ms);
    this.#connection.isSuspended = true;
    this.clock.move(ms);
  }

  async loseLease(name: string): Promise<void> {
    const [{ holder }] = await this.#inner.read([name]);
    if (holder === null) {
      throw new InputError(
        `nobody holds the lease '${name}'; check the name, and let a candidate lead first`,
      );
    }
    const other = await electOther(this.#inner, this.clock, name, 'nobody');
    await other.release();
    await this.#tellHolder(name);
  }

  async elect(name: string, id = 'other'): Promise<OtherLeader> {
    const other = await electOther(this.#inner, this.clock, name, id);
    await this.#tellHolder(name);
    return other;
  }

  breakStore(fault: StoreFault = 'unreachable'): void {
    if (!Object.hasOwn(STORE_FAULTS, fault)) {
      throw new InputError(`the fault must be one of ${Object.keys(STORE_FAULTS).join(', ')}, not ${fault}`);
    }
    this.#connection.fault = fault;
  }

  repairStore(): void {
    this.#connection.fault = null;
  }

  async #tellHolder(name: string): Promise<void> {
    if (this.#connection.isSuspended) return;
    this.#connection.notify(name);
    await this.advance(NOTICE_MS);
  }

  async #advance(ms: number): Promise<void> {
    const { clock, advanceTimers } = this;
    this.#connection.isSuspended = false;
    for (const load of Object.values(lazyModules)) await load();
    await clock.fireDue();
    for (let leftMs = ms; leftMs > 0; ) {
      const maxMs = advanceTimers === undefined ? leftMs : Math.min(leftMs, MAX_STEP_MS);
      const stepMs = Math.min(maxMs, clock.nextMs ?? maxMs);
      clock.move(stepMs);
      leftMs -= stepMs;
      await advanceTimers?.(stepMs);
      await clock.fireDue();
    }
  }
}

function checkDuration(ms: number): void {
  if (!(Number.isFinite(ms) && ms >= 0))
    throw new InputError(`a duration must be a number of ms from 0, not ${ms}`);
}
