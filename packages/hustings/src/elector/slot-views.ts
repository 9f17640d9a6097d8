/** Observes the slots of an election: each slot is a lease of its own. */
import type { WaitingCandidate } from '../lease/core/lease-record.ts';
import type { Clock } from '../lease/host/process-clock.ts';
import type { HistoryQuery, LeaseStore, Term } from '../lease/lease-store.ts';
import type { CallSignal } from './abort-listeners.ts';
import { type KnownLeaderView, type LeaderView, viewOf } from './leader-view.ts';
import { watchLeader } from './leader-watch.ts';
import { within } from './timeouts.ts';

/** One view per slot, in their order. */
export async function readLeaders(
  store: LeaseStore,
  names: readonly string[],
  requestTimeoutMs: number,
  clock: Clock,
): Promise<readonly KnownLeaderView[]> {
  const records = await within(requestTimeoutMs, store.read(names), store.label, clock);
  return records.map((record, index) => Object.assign(viewOf(record), { slot: index + 1 }));
}

/** The changes of all slots, as they come. */
export async function* watchSlots(
  store: LeaseStore,
  names: readonly string[],
  requestTimeoutMs: number,
  signal: CallSignal,
  clock: Clock,
): AsyncGenerator<LeaderView, void> {
  const next = async (views: AsyncGenerator<LeaderView, void>, slot: number) => ({
    ...{ views, slot },
    result: await views.next(),
  });
  const pending = new Map(
    names.map((name, index) => {
      const views = watchLeader(store, name, requestTimeoutMs, signal, clock);
      return [index + 1, next(views, index + 1)];
    }),
  );
  while (pending.size > 0) {
    const { views, slot, result } = await Promise.race(pending.values());
    if (result.done) pending.delete(slot);
    else {
      yield Object.assign(result.value, { slot });
      pending.set(slot, next(views, slot));
    }
  }
}

/** The terms of all slots, the latest start first. The name of a term tells its slot. */
export async function slotHistory(
  store: LeaseStore,
  names: readonly string[],
  query: HistoryQuery,
): Promise<readonly Term[]> {
  const terms = (await Promise.all(names.map((name) => store.history(name, query)))).flat();
  const newest = terms.sort((a, b) => b.startMs - a.startMs);
  return query.atMs === undefined ? newest.slice(0, query.limit) : newest;
}

/** The candidates that wait for a slot. A candidate may be registered for several. */
export async function slotCandidates(
  store: LeaseStore,
  names: readonly string[],
): Promise<readonly WaitingCandidate[]> {
  const all = (await Promise.all(names.map((name) => store.candidates(name)))).flat();
  const byNonce = new Map(all.map((candidate) => [candidate.nonce, candidate]));
  return [...byNonce.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
