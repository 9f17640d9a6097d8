/** Mutants of the rules of a store. The simulation and the model checker must catch all of them. */
import * as row from '../../src/lease/core/lease-row.ts';

export const anybodyReleases: typeof row.release = (before, release, nowMs, hasClock) => {
  const { holder, token } = before;
  const forged = holder === null ? release : { ...release, nonce: holder.nonce, token };
  return row.release(before, forged, nowMs, hasClock);
};

export const renewalRevives: typeof row.renew = (before, renewal, nowMs, hasClock) =>
  row.renew({ ...before, untilMs: Math.max(before.untilMs, nowMs + 1) }, renewal, nowMs, hasClock);

export const sameTokenAgain: typeof row.acquire = (before, claim, ...rest) => {
  const applied = row.acquire(before, claim, ...rest);
  const isAgain = applied.row.token > before.token && before.holder?.id === claim.id;
  if (!isAgain) return applied;
  const { token } = before;
  return { ...applied, row: { ...applied.row, token }, answer: { type: 'ok', token, checkpoint: null } };
};

export const goneIsAnybody: typeof row.acquire = (before, claim, ...rest) => {
  const goneNonce = claim.goneNonce === null ? null : (before.holder?.nonce ?? null);
  return row.acquire(before, { ...claim, goneNonce }, ...rest);
};

/** Where the store cannot judge a lease by its clock, the lease then never ends. */
export const ignoresStale: typeof row.acquire = (before, claim, ...rest) =>
  row.acquire(before, { ...claim, staleVersion: null }, ...rest);

/** Not only the version that the challenger observed. */
export const anyVersionIsStale: typeof row.acquire = (before, claim, ...rest) => {
  const staleVersion = claim.staleVersion === null ? null : before.version;
  return row.acquire(before, { ...claim, staleVersion }, ...rest);
};

/** Two terms of one nonce are told apart by their tokens alone. */
export const evictsTermsOfNonce: typeof row.renew = (before, renewal, ...rest) => {
  const { holder, token } = before;
  const isTaken = holder?.evicted === true && holder.nonce === renewal.nonce;
  return row.renew(before, isTaken ? { ...renewal, token } : renewal, ...rest);
};
