import type { AcquireRequest, LeaseStore } from '../../../src/lease/index.ts';

/** Long enough for a test to look at, with nobody to renew it. */
const TTL_MS = 60_000;

/** Makes a candidate lead, and returns what ends its term. */
export async function lead(store: LeaseStore, name: string, id: string, more: Partial<AcquireRequest> = {}) {
  const nonce = `${id} ${performance.now()}`;
  const claim = {
    name,
    id,
    nonce,
    ttlMs: TTL_MS,
    priority: 0,
    processProof: '',
    goneNonce: null,
    staleVersion: null,
    holdAtLeastMs: 0,
    registerMs: 0,
    ...more,
  };
  const [answer] = await store.acquire([claim]);
  if (answer.type !== 'ok') throw new Error(`${id} cannot lead: ${answer.record.holder?.id} does`);
  const { token } = answer;
  return {
    token,
    renew: async () => (await store.renew([{ name, nonce, token, ttlMs: claim.ttlMs }]))[0],
    release: (successor: string | null = null, checkpoint?: string) =>
      store.release([
        {
          name,
          nonce,
          token,
          reason: successor === null ? 'released' : 'transferred',
          successor,
          reserveMs: 5_000,
          ...(checkpoint === undefined ? {} : { checkpoint }),
        },
      ]),
  };
}
