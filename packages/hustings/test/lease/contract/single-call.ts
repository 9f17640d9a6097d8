/** A store's calls for one election, for tests that need no lists. */
import type {
  AcquireAnswer,
  AcquireRequest,
  ReleaseRequest,
  RenewAnswer,
} from '../../../src/lease/core/calls.ts';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';

export const claimOf = (name: string, id: string, more: Partial<AcquireRequest> = {}): AcquireRequest => ({
  name,
  id,
  nonce: `${id}-nonce`,
  ttlMs: 60_000,
  priority: 0,
  processProof: '',
  goneNonce: null,
  staleVersion: null,
  holdAtLeastMs: 0,
  registerMs: 0,
  ...more,
});

export const releaseOf = (
  name: string,
  id: string,
  token: bigint,
  more: Partial<ReleaseRequest> = {},
): ReleaseRequest => ({
  name,
  nonce: `${id}-nonce`,
  token,
  reason: 'released',
  successor: null,
  reserveMs: 0,
  ...more,
});

export async function claim(
  store: LeaseStore,
  name: string,
  id: string,
  ttlMs = 60_000,
): Promise<AcquireAnswer> {
  return (await store.acquire([claimOf(name, id, { ttlMs })]))[0];
}

/** The token of a claim that must succeed. */
export async function win(store: LeaseStore, name: string, id: string, ttlMs = 60_000): Promise<bigint> {
  const answer = await claim(store, name, id, ttlMs);
  if (answer.type !== 'ok')
    throw new Error(`${id} did not get ${name}: ${answer.record.holder?.id} holds it`);
  return answer.token;
}

export async function renew(
  store: LeaseStore,
  name: string,
  id: string,
  token: bigint,
): Promise<RenewAnswer> {
  return (await store.renew([{ name, nonce: `${id}-nonce`, token, ttlMs: 60_000 }]))[0];
}

/** Asks again until there is an answer: a busy machine makes this slow, not wrong. */
export async function eventually<T>(ask: () => Promise<T | undefined>, what: string): Promise<T> {
  for (const endMs = performance.now() + 30_000; performance.now() < endMs; ) {
    const answer = await ask();
    if (answer !== undefined) return answer;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`waited 30 s in vain until ${what}`);
}
