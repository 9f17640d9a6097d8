/** What the memory stores of one name share. */
import type { Election } from '../election.ts';
import { Watchers } from '../watchers.ts';

/** What several stores share. */
export class MemoryLeaseData {
  readonly elections = new Map<string, Election>();
  readonly watchers = new Watchers();
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
