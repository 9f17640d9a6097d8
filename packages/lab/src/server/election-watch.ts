/**
 * Reads one election again and again while somebody watches it: once a second, soon after a notification of the store or a
 * change in the demo, and when the lease should have expired. Every watcher gets every reading as a whole, so that one
 * that connects again has missed nothing.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { errorMessage } from '@hustings/base';
import type { Demo } from '../demo/demo.ts';
import type { LeaseSnapshot } from '../model/leases/lease-snapshot.ts';
import { readElection } from './election-reading.ts';
import type { WatchedStore } from './watched-store.ts';

const POLL_MS = 1_000;
/** Readings are at least this far apart. */
const MIN_MS = 50;

export class ElectionWatch {
  readonly #store: WatchedStore;
  readonly #name: string | null;
  readonly #demo: Demo | null;
  readonly #watchers = new Set<(snapshot: LeaseSnapshot) => void>();
  #elections: readonly string[] = [];
  #wake: (() => void) | null = null;
  #isDue = false;
  #isRunning = false;

  constructor(store: WatchedStore, name: string | null, demo: Demo | null) {
    this.#store = store;
    this.#name = name;
    this.#demo = demo;
  }

  /** Nobody watches. */
  get isIdle(): boolean {
    return this.#watchers.size === 0;
  }

  /** Returns a function that ends the subscription. */
  subscribe(watcher: (snapshot: LeaseSnapshot) => void): () => void {
    this.#watchers.add(watcher);
    if (this.#isRunning) this.#readNow();
    else void this.#run();
    return () => {
      this.#watchers.delete(watcher);
      if (this.#watchers.size === 0) this.#readNow();
    };
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    const unwatchDemo = this.#demo?.watch(() => this.#readNow());
    let unwatch = (): void => {};
    let watched: string | null = null;
    while (this.#watchers.size > 0) {
      const snapshot = await this.#read();
      for (const watcher of [...this.#watchers]) watcher(snapshot);
      const name = nameIn(snapshot);
      if (name !== watched) {
        unwatch();
        unwatch = await this.#watchStore(name);
        watched = name;
      }
      await this.#pause(nextMs(snapshot));
    }
    unwatch();
    unwatchDemo?.();
    this.#isRunning = false;
  }

  async #read(): Promise<LeaseSnapshot> {
    const { election } = await this.#store
      .use((store) => readElection(store, this.#name))
      .then((reading) => {
        this.#elections = reading.elections;
        return reading;
      })
      .catch((error) => ({ election: { type: 'unknown', reason: errorMessage(error) } as const }));
    return {
      type: 'open',
      store: this.#store.label,
      elections: this.#elections,
      election,
      demo: this.#demo?.snapshot ?? null,
    };
  }

  async #watchStore(name: string | null): Promise<() => void> {
    if (name === null) return () => {};
    try {
      return await this.#store.use(async (store) => store.watch?.(name, () => this.#readNow()) ?? (() => {}));
    } catch {
      return () => {};
    }
  }

  #readNow(): void {
    this.#isDue = true;
    this.#wake?.();
  }

  async #pause(maxMs: number): Promise<void> {
    await sleep(MIN_MS);
    if (!this.#isDue) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, Math.max(0, maxMs - MIN_MS));
      });
      clearTimeout(timer);
      this.#wake = null;
    }
    this.#isDue = false;
  }
}

/** The watched election; null while it is not known, so that a store that was opened again is watched again. */
function nameIn(snapshot: LeaseSnapshot): string | null {
  return snapshot.type === 'open' && snapshot.election.type === 'known' ? snapshot.election.name : null;
}

/** Stores do not announce that a free lease was taken. */
const VACANT_POLL_MS = 100;

function nextMs(snapshot: LeaseSnapshot): number {
  if (snapshot.type === 'closed' || snapshot.election.type !== 'known') return POLL_MS;
  const { leader } = snapshot.election;
  if (leader.type === 'vacant') return leader.token === '0' ? POLL_MS : VACANT_POLL_MS;
  return Math.min(POLL_MS, (leader.remainingMs ?? POLL_MS) + 5);
}
