/** Compares the journals of the candidates with the audit trail of the store. */
import type { Term } from '../../../src/lease/lease-store.ts';
import type { Entry } from './journal.ts';

export const text = (value: unknown): string =>
  JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each));

/**
 * Every election and every release that a candidate was told of is in the audit trail. The copies were taken before each
 * fault in which the store lost terms, the last one at the end. Such a fault may lose what came after its copy, and how the
 * term ended that was the latest in it.
 */
export function missingRecords(entries: readonly Entry[], copies: readonly (readonly Term[])[]): string[] {
  const records = new Map<string, Term[]>();
  const gaps: { readonly from: bigint; readonly to: bigint | undefined }[] = [];
  for (const [index, copy] of copies.entries()) {
    for (const term of copy) {
      const token = String(term.token);
      records.set(token, [...(records.get(token) ?? []), term]);
    }
    if (index === copies.length - 1) continue;
    const from = inOrder(copy.map(({ token }) => token)).at(-1) ?? 0n;
    const later = copies.slice(index + 1).flatMap((each) => each.map(({ token }) => token));
    gaps.push({ from, to: inOrder(later.filter((token) => token > from)).at(0) });
  }
  const isLost = (token: bigint): boolean =>
    gaps.some(({ from, to }) => from <= token && (to === undefined || token < to));
  return entries.flatMap((entry) => {
    const found = records.get(entry.token) ?? [];
    const isThere =
      entry.event === 'begin'
        ? found.some(({ holder }) => holder === entry.id)
        : !(entry.event === 'over' && entry.released) || found.some(({ cause }) => cause === entry.reason);
    if (isThere || isLost(BigInt(entry.token))) return [];
    return [`not in the audit trail: ${JSON.stringify(entry)}, but ${text(found)}`];
  });
}

const inOrder = (tokens: readonly bigint[]): bigint[] => [...tokens].sort((a, b) => Number(a - b));

export interface TransferRequest {
  readonly to: string;
  readonly fromMs: number;
}

/** The requests after which the successor led next. */
export function handovers(
  entries: readonly Entry[],
  requests: readonly TransferRequest[],
): readonly TransferRequest[] {
  return requests.filter(
    ({ to, fromMs }) => entries.find(({ event, at }) => event === 'begin' && at > fromMs)?.id === to,
  );
}
