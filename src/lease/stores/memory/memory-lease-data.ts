/** What the memory stores of one name share. */
import type { WaitingCandidate } from '../../core/lease-record.ts';
import type { LeaseRow } from '../../core/lease-row.ts';
import type { StoredTick } from '../../core/tick.ts';
import type { Term } from '../../lease-store.ts';

/** One election. */
export interface Election {
  row: LeaseRow;
  writtenMs: number;
  /** Oldest first. */
  terms: Term[];
  /** Oldest first. */
  ticks: StoredTick[];
  /** By nonce, with the times of registration and of its end. */
  readonly waiting: Map<string, Omit<WaitingCandidate, 'seenMs'> & { atMs: number; untilMs: number }>;
}

/** What several stores share. */
export class MemoryLeaseData {
  readonly elections = new Map<string, Election>();
  readonly watchers = new Map<string, Set<() => void>>();
  /** No election gives this token or a smaller one again. */
  pastToken = 0n;
}

const dataOfName = new Map<string, MemoryLeaseData>();

/** What the stores with this name share. */
export function sharedData(name: string): MemoryLeaseData {
  const data = dataOfName.get(name) ?? new MemoryLeaseData();
  dataOfName.set(name, data);
  return data;
}
