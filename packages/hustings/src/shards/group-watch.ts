/** Observes a shard group without being a member. */
import { pause } from '../elector/timeouts.ts';
import { isPermanent, StoreError } from '../lease/core/store-error.ts';
import { processClock } from '../lease/host/process-clock.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { GroupReader } from './group-reader.ts';
import { readGroup } from './group-state.ts';
import type { ShardGroupState } from './shard-group.ts';

const TIMEOUT_MS = 10_000;

/** unknown: the store did not answer, or not in time. */
export type ShardGroupView =
  | { readonly type: 'known'; readonly state: ShardGroupState }
  | { readonly type: 'unknown'; readonly error: StoreError };

export async function stateOf(store: LeaseStore, name: string): Promise<ShardGroupState> {
  const reader = new GroupReader(store, name, TIMEOUT_MS);
  return readGroup(reader, name, (definition) => (definition === null ? [] : reader.rootsOf(definition)));
}

/** Yields the state, and then each change of the owners. Throws if the store rejects the reader for good. */
export async function* watchGroup(
  store: LeaseStore,
  name: string,
  signal: AbortSignal,
  everyMs = 1_000,
): AsyncGenerator<ShardGroupView, void> {
  for (let last = ''; !signal.aborted; ) {
    const view = await viewOf(store, name);
    const shown =
      view.type === 'unknown'
        ? 'unknown'
        : JSON.stringify([view.state.members, view.state.shards.map(({ shard, owner }) => [shard, owner])]);
    if (shown !== last) yield view;
    last = shown;
    await pause(everyMs, signal, processClock);
  }
}

async function viewOf(store: LeaseStore, name: string): Promise<ShardGroupView> {
  try {
    return { type: 'known', state: await stateOf(store, name) };
  } catch (error) {
    if (!(error instanceof StoreError) || isPermanent(error.kind)) throw error;
    return { type: 'unknown', error };
  }
}
