/** The parameters of the statements. */
import type { AcquireRequest, RenewRequest } from '../../core/calls.ts';
import { storedCheckpoint, storedMetadata } from './postgres-text.ts';

/** Of a list of requests for leases, after the longest wait for a lock: in the order of REQUEST in postgres-acquire.ts. */
export function acquireValues(
  requests: readonly AcquireRequest[],
  keepTerms: number,
  isFair = false,
): readonly unknown[] {
  return [
    requests.map(({ name }) => name),
    requests.map(({ id }) => id),
    requests.map(({ nonce }) => nonce),
    requests.map(({ ttlMs }) => ttlMs),
    requests.map(({ priority }) => priority),
    requests.map(({ processProof }) => processProof),
    requests.map(({ goneNonce }) => goneNonce),
    requests.map(({ staleVersion }) => (staleVersion === null ? null : bigintText(staleVersion))),
    requests.map(({ holdAtLeastMs }) => holdAtLeastMs),
    requests.map(({ registerMs }) => registerMs),
    requests.map(({ nonce, metadata }) => storedMetadata(nonce, metadata)),
    ...(isFair ? [requests.map(({ fair }) => fair === true)] : []),
    keepTerms,
  ];
}

/** The columns of the updates of a list of renewals. */
export const updatesOf = (
  round: readonly RenewRequest[],
): readonly (readonly (string | number | null)[])[] => [
  round.map(({ update }) => update?.number ?? null),
  round.map(({ nonce, update }) => storedMetadata(nonce, update?.metadata)),
  round.map(({ update }) => storedCheckpoint(update?.checkpoint)),
];

/** A token or version that PostgreSQL's bigint cannot hold matches no row, like −1. */
export const bigintText = (value: bigint): string => (value === BigInt.asIntN(64, value) ? `${value}` : '-1');
