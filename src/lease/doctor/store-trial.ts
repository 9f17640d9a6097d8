/**
 * A real lease in a scratch election, to see that one can be had and how long each call takes. The election keeps its
 * name and its token in the store, free for the next trial: a store has no way to forget one.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type AcquireRequest, type LeaseStore, StoreError } from '../index.ts';

export const SCRATCH_ELECTION = 'hustings-doctor';

const TTL_MS = 5_000;
/** A Redis that has just started, or a trial that was killed, keeps the lease for a ttl. */
const PATIENCE_MS = 2 * TTL_MS;
const CALLS = 50;
const LEAST_CALLS = 10;
/** A store that is far away is not asked for minutes. */
const MOST_MS = 2_000;
const NOTIFICATION_WITHIN_MS = 1_000;

export interface Spread {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

export interface StoreTrial {
  readonly election: string;
  readonly acquireMs: number;
  readonly renew: Spread;
  readonly read: Spread;
  readonly releaseMs: number;
  /** From the release until a watcher heard of it; null if it did not, or the store does not push. */
  readonly notificationMs: number | null;
}

export async function tryStore(store: LeaseStore): Promise<StoreTrial> {
  let heardMs = 0;
  const unwatch = store.watch?.(SCRATCH_ELECTION, () => {
    heardMs = performance.now();
  });
  try {
    const first = await tryLease(store, () => heardMs);
    // The first watch of a connection may have come too late for the first release.
    const { notificationMs } =
      first.notificationMs === null && unwatch ? await tryLease(store, () => heardMs, 1) : first;
    return { ...first, notificationMs };
  } finally {
    unwatch?.();
  }
}

async function tryLease(store: LeaseStore, heardMs: () => number, calls = CALLS): Promise<StoreTrial> {
  const name = SCRATCH_ELECTION;
  const nonce = randomUUID();
  const [acquireMs, token] = await timed(() => acquire(store, nonce));
  const renew = await measure(calls, async () => {
    const [{ type }] = await store.renew([{ name, nonce, token, ttlMs: TTL_MS }]);
    if (type !== 'ok') throw new StoreError('busy', `a lease that was granted could not be renewed: ${type}`);
  });
  const read = await measure(calls, () => store.read([name]));
  const sentMs = performance.now();
  const [releaseMs] = await timed(() =>
    store.release([{ name, nonce, token, reason: 'released', successor: null, reserveMs: 0 }]),
  );
  while (store.watch && heardMs() < sentMs && performance.now() < sentMs + NOTIFICATION_WITHIN_MS)
    await sleep(1);
  const notificationMs = heardMs() < sentMs ? null : heardMs() - sentMs;
  return { election: name, acquireMs, renew, read, releaseMs, notificationMs };
}

async function acquire(store: LeaseStore, nonce: string): Promise<bigint> {
  const claim: AcquireRequest = {
    name: SCRATCH_ELECTION,
    id: 'doctor',
    nonce,
    ttlMs: TTL_MS,
    priority: 0,
    processProof: '',
    goneNonce: null,
    staleVersion: null,
  };
  const endMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const [answer] = await store.acquire([claim]);
    if (answer.type === 'ok') return answer.token;
    if (performance.now() > endMs) {
      throw new StoreError(
        'busy',
        `no lease of '${SCRATCH_ELECTION}' could be had: another holds it; try again`,
      );
    }
    await sleep(100);
  }
}

async function timed<T>(call: () => Promise<T>): Promise<[tookMs: number, answer: T]> {
  const startMs = performance.now();
  const answer = await call();
  return [performance.now() - startMs, answer];
}

async function measure(calls: number, call: () => Promise<unknown>): Promise<Spread> {
  const tookMs: number[] = [];
  const endMs = performance.now() + MOST_MS;
  while (tookMs.length < calls && (tookMs.length < LEAST_CALLS || performance.now() < endMs)) {
    tookMs.push((await timed(call))[0]);
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => tookMs[Math.ceil(tookMs.length * share) - 1];
  return { calls: tookMs.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
