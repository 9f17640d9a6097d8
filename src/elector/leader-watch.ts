/**
 * Looks at an election without standing in it: the view when it begins, and then each change. A read that fails, or
 * has no answer in time, gives `unknown`: never a stale truth.
 *
 * Asks at most once a second, and at once when the store pushes a notification or the lease that was seen should have ended.
 * No notification tells that somebody has taken a lease that was free: after a term ended it asks some more times, ever less often.
 */
import type { LeaseStore } from '../lease/lease-store.ts';
import { onAbort } from './abort-listener.ts';
import { isSameView, type LeaderView, viewOf } from './leader-view.ts';
import { within } from './within.ts';

const ASK_EACH_MS = 1_000;
const ASK_AGAIN_MS = 20;

export async function* watchLeader(
  store: LeaseStore,
  name: string,
  requestTimeoutMs: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<LeaderView, void> {
  const bell = new Bell();
  const unwatch = store.watch?.(name, () => bell.ring());
  const unlisten = onAbort(signal, () => bell.ring());
  let last: LeaderView | null = null;
  let vacantMs = ASK_EACH_MS;
  try {
    while (!signal?.aborted) {
      const view = await viewNow(store, name, requestTimeoutMs);
      if (signal?.aborted) return;
      const isNew = !isSameView(last, view);
      if (isNew) yield view;
      last = view;
      vacantMs = isNew ? ASK_AGAIN_MS : vacantMs * 2;
      const endsMs = view.state === 'led' ? (view.remainingMs ?? ASK_EACH_MS) + 5 : vacantMs;
      await bell.wait(Math.min(ASK_EACH_MS, endsMs));
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
): Promise<LeaderView> {
  const [record] = await within(requestTimeoutMs, store.read([name]), `a read of ${store.label}`);
  return viewOf(record);
}

async function viewNow(store: LeaseStore, name: string, requestTimeoutMs: number): Promise<LeaderView> {
  try {
    return await readLeader(store, name, requestTimeoutMs);
  } catch (error) {
    return { state: 'unknown', error };
  }
}

/** A ring while nobody waits is not lost. */
class Bell {
  private rang = false;
  private wake: (() => void) | null = null;

  ring(): void {
    this.rang = true;
    this.wake?.();
  }

  async wait(mostMs: number): Promise<void> {
    if (!this.rang) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
        timer = setTimeout(resolve, mostMs);
      });
      clearTimeout(timer);
      this.wake = null;
    }
    this.rang = false;
  }
}
