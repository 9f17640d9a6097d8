/**
 * What can be said of a store: what it promises, what the server at hand is like, and how a real lease fares there.
 * Makes no tables: where something is wrong already, no lease is tried.
 */

import { formatDuration } from '../../cli/flags/duration.ts';
import { type LeaseTiming, resolveTiming } from '../core/timing.ts';
import { type Capabilities, type LeaseStore, StoreError } from '../index.ts';
import { type StoreTrial, tryStore } from './store-trial.ts';

export interface StoreExamination {
  readonly store: string;
  readonly server: string;
  readonly capabilities: Omit<Capabilities, 'caveats'>;
  readonly caveats: readonly string[];
  /** The store's clock minus this machine's. */
  readonly clockOffsetMs: number;
  readonly trial: StoreTrial | null;
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

const MOST_OFFSET_MS = 1_000;
const FAST = resolveTiming({ preset: 'fast' });

/** Rejects with a `StoreError` if the store cannot be looked at. */
export async function examineStore(store: LeaseStore): Promise<StoreExamination> {
  const { caveats, ...capabilities } = store.capabilities;
  const { server, clockOffsetMs, problems, warnings } = await store.probe();
  const all = { problems: [...problems], warnings: [...warnings] };
  if (Math.abs(clockOffsetMs) > MOST_OFFSET_MS) {
    all.warnings.push(
      `The clocks differ by ${formatDuration(Math.abs(clockOffsetMs))}. Leases do not mind, since no two clocks are ` +
        'compared; the times of the history are those of the store.',
    );
  }
  const trial = problems.length > 0 ? null : await tryAll(store, all);
  return {
    store: store.label,
    server,
    capabilities,
    caveats,
    clockOffsetMs: Math.round(clockOffsetMs),
    trial,
    ...all,
  };
}

async function tryAll(
  store: LeaseStore,
  { problems, warnings }: { readonly problems: string[]; readonly warnings: string[] },
): Promise<StoreTrial | null> {
  try {
    const trial = await tryStore(store);
    // Half of them too slow for the default is a store to move away from; a few may have been this machine's fault.
    const { p50Ms, p99Ms } = trial.renew;
    if (p50Ms > resolveTiming().requestTimeoutMs / 2) problems.push(slowness(p50Ms, resolveTiming()));
    else if (p99Ms > FAST.requestTimeoutMs / 2) warnings.push(slowness(p99Ms, FAST));
    if (store.capabilities.push && trial.notificationMs === null) {
      warnings.push(
        'A release was not pushed to a watcher within a second: who waits asks once a second instead.',
      );
    }
    return trial;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    problems.push(`A lease could not be acquired, renewed and released: ${error.message}`);
    return null;
  }
}

function slowness(tookMs: number, { ttlMs, requestTimeoutMs }: LeaseTiming): string {
  return (
    `A renewal took ${formatDuration(tookMs)}; with a ttl of ${formatDuration(ttlMs)} it is given up after ` +
    `${formatDuration(requestTimeoutMs)}: take a longer ttl, or a store that is nearer.`
  );
}
