/**
 * The parameters of the statements. Texts of any characters are written in ASCII, so that a database of any encoding can store
 * them. Metadata is JSON, which can escape every character. A checkpoint that is not ASCII is stored as JSON behind a mark.
 */
import type { AcquireRequest, RenewRequest } from '../../core/calls.ts';
import { metadataText } from '../../core/term-data.ts';

/** The values of a list of requests, after the longest wait for a lock: in the order of REQUEST in postgres-acquire.ts. */
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

const MARK = '\u0001';
const NOT_ASCII = /[^\0-\x7f]/g;

const escaped = (json: string): string =>
  json.replace(NOT_ASCII, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

export function storedMetadata(...args: Parameters<typeof metadataText>): string | null {
  const text = metadataText(...args);
  return text === null ? null : escaped(text);
}

/** Null stands for no change, and '' for no checkpoint. */
export function storedCheckpoint(text: string | undefined): string | null {
  if (text === undefined) return null;
  const isPlain = !text.startsWith(MARK) && text.search(NOT_ASCII) < 0;
  return isPlain ? text : MARK + escaped(JSON.stringify(text));
}

export function checkpointFrom(stored: string | null): string | null {
  return stored?.startsWith(MARK) ? JSON.parse(stored.slice(MARK.length)) : stored;
}
