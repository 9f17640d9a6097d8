/** Requests whose candidate is its nonce. */
import type { AcquireRequest } from '../../../../src/lease/core/calls.ts';
import type { LeaseStore } from '../../../../src/lease/lease-store.ts';
import { claimOf as claim } from '../../contract/single-call.ts';

export const claimOf = (name: string, nonce: string, more: Partial<AcquireRequest> = {}): AcquireRequest =>
  claim(name, nonce, { nonce, ...more });

/** The tokens of requests that must succeed. */
export async function winAll(store: LeaseStore, requests: readonly AcquireRequest[]): Promise<bigint[]> {
  return (await store.acquire(requests)).map((answer, index) => {
    if (answer.type === 'ok') return answer.token;
    throw new Error(`${requests[index].id} did not get ${requests[index].name}`);
  });
}

export async function win(store: LeaseStore, request: AcquireRequest): Promise<bigint> {
  return (await winAll(store, [request]))[0];
}
