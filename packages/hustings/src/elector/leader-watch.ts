/**
 * Observes an election without being a candidate: yields the current view, and then each change. A read that fails or is
 * not answered in time yields `unknown`, never an outdated view. An error that is final ends the watch.
 *
 * Reads once a second, and also when the store sends a notification or the observed lease should have expired. Stores do
 * not announce that a free lease was taken; after a term ends the watcher polls with exponential back-off.
 */
import { isFinal } from '../lease/core/store-error.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import type { CallSignal } from './abort-listeners.ts';
import { withErrorText } from './events/error-text.ts';
import { isSameView, type KnownLeaderView, type LeaderView, viewOf } from './leader-view.ts';
import { startTimer, within } from './timeouts.ts';

const POLL_MS = 1_000;
const FIRST_POLL_AFTER_CHANGE_MS = 20;

export async function* watchLeader(
  store: LeaseStore,
  name: string,
  requestTimeoutMs: number,
  signal: CallSignal,
  clock: Clock,
): AsyncGenerator<LeaderView, void> {
  const pause = new Pause(clock);
  const unwatch = store.watch?.(name, () => pause.end());
  const unlisten = signal.onAbort(() => pause.end());
  let last: LeaderView | null = null;
  let backOffMs = POLL_MS;
  try {
    while (!signal.aborted) {
      const view = await unlessAborted(viewNow(store, name, requestTimeoutMs, clock), signal);
      if (view === null) return;
      const isNew = !isSameView(last, view);
      if (isNew) yield view;
      last = view;
      backOffMs = isNew ? FIRST_POLL_AFTER_CHANGE_MS : backOffMs * 2;
      const nextMs = view.type === 'led' ? (view.remainingMs ?? POLL_MS) + 5 : backOffMs;
      await pause.wait(Math.min(POLL_MS, nextMs));
    }
  } finally {
    unlisten();
    unwatch?.();
  }
}

/** Rejects with a `StoreError` if the store cannot be read, or does not answer in time. */
export async function readLeader(
  store: LeaseStore,
  name: string,
  requestTimeoutMs: number,
  clock: Clock,
): Promise<KnownLeaderView> {
  const [record] = await within(requestTimeoutMs, store.read([name]), store.label, clock);
  return viewOf(record);
}

async function viewNow(...read: Parameters<typeof readLeader>): Promise<LeaderView> {
  try {
    return await readLeader(...read);
  } catch (error) {
    if (isFinal(error)) throw error;
    return withErrorText({ type: 'unknown' as const, error });
  }
}

/** Null as soon as the signal aborts. */
function unlessAborted<Answer>(asked: Promise<Answer>, signal: CallSignal): Promise<Answer | null> {
  return new Promise((resolve, reject) => {
    const unlisten = signal.onAbort(() => resolve(null));
    asked.finally(unlisten).then(resolve, reject);
  });
}

/** A wait that `end` cuts short. An `end` before the wait counts for the next one. */
class Pause {
  private isOver = false;
  private wake: (() => void) | null = null;

  constructor(private readonly clock: Clock) {}

  end(): void {
    this.isOver = true;
    this.wake?.();
  }

  async wait(maxMs: number): Promise<void> {
    if (!this.isOver) {
      let cancel = (): void => {};
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        cancel = startTimer(this.clock, resolve, maxMs);
      });
      cancel();
      this.wake = null;
    }
    this.isOver = false;
  }
}
