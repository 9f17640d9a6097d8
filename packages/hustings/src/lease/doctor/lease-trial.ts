/**
 * Acquires, renews and releases a real lease in a scratch election, and measures each call. The election stays in the
 * store, without a holder, because a store cannot delete an election.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AcquireRequest } from '../core/calls.ts';
import { StoreError } from '../core/store-error.ts';
import type { LeaseStore } from '../lease-store.ts';

/** The election in which `doctor` tries a lease. */
export const SCRATCH_ELECTION = 'hustings-doctor';

const TTL_MS = 5_000;
/** After a restart of Redis, or after a trial that was killed, the lease is held for one TTL. */
const MAX_WAIT_MS = 2 * TTL_MS;
const CALLS = 50;
const MIN_CALLS = 10;
/** Bounds the measurement of a slow store. */
const MAX_MS = 2_000;
const NOTIFICATION_WITHIN_MS = 1_000;

/** How long calls took. */
export interface Latency {
  readonly calls: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** How long each step of a real lease took. */
export interface LeaseTrial {
  readonly election: string;
  readonly acquireMs: number;
  readonly renew: Latency;
  readonly read: Latency;
  readonly releaseMs: number;
  /** From the release until a watcher was notified; null if it was not, or the store does not push. */
  readonly notificationMs: number | null;
}

export async function tryLease(store: LeaseStore): Promise<LeaseTrial> {
  let notifiedAtMs = 0;
  const unwatch = store.watch?.(SCRATCH_ELECTION, () => {
    notifiedAtMs = performance.now();
  });
  try {
    const first = await tryOnce(store, () => notifiedAtMs);
    // The first watch of a connection may be set up too late for the first release.
    const { notificationMs } =
      first.notificationMs === null && unwatch ? await tryOnce(store, () => notifiedAtMs, 1) : first;
    return { ...first, notificationMs };
  } finally {
    unwatch?.();
  }
}

async function tryOnce(store: LeaseStore, notifiedAtMs: () => number, calls = CALLS): Promise<LeaseTrial> {
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
  while (store.watch && notifiedAtMs() < sentMs && performance.now() < sentMs + NOTIFICATION_WITHIN_MS)
    await sleep(1);
  const notificationMs = notifiedAtMs() < sentMs ? null : notifiedAtMs() - sentMs;
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
    holdAtLeastMs: 0,
    registerMs: 0,
  };
  const endMs = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const [answer] = await store.acquire([claim]);
    if (answer.type === 'ok') return answer.token;
    if (performance.now() > endMs) {
      throw new StoreError(
        'busy',
        `the lease of '${SCRATCH_ELECTION}' is held by another process; try again`,
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

async function measure(calls: number, call: () => Promise<unknown>): Promise<Latency> {
  const tookMs: number[] = [];
  const endMs = performance.now() + MAX_MS;
  while (tookMs.length < calls && (tookMs.length < MIN_CALLS || performance.now() < endMs)) {
    tookMs.push((await timed(call))[0]);
  }
  tookMs.sort((a, b) => a - b);
  const at = (share: number): number => tookMs[Math.ceil(tookMs.length * share) - 1];
  return { calls: tookMs.length, p50Ms: at(0.5), p99Ms: at(0.99) };
}
