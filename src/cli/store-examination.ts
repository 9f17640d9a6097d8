/**
 * What can be said of a store: what it promises, what the server at hand is like, and how a real lease fares there.
 * Makes no tables: where something is wrong already, no lease is tried.
 */

import { resolveTiming } from '../lease/core/timing.ts';
import { type Capabilities, type LeaseStore, StoreError } from '../lease/index.ts';
import { formatSpan } from './span.ts';
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

/** Rejects with a `StoreError` if the store cannot be looked at. */
export async function examineStore(store: LeaseStore): Promise<StoreExamination> {
  const { caveats, ...capabilities } = store.capabilities;
  const { server, clockOffsetMs, problems, warnings } = await store.probe();
  const all = { problems: [...problems], warnings: [...warnings] };
  if (Math.abs(clockOffsetMs) > MOST_OFFSET_MS) {
    all.warnings.push(
      `The clocks differ by ${formatSpan(Math.abs(clockOffsetMs))}. Leases do not mind, since no two clocks are ` +
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
    const slowMs = trial.renew.p99Ms;
    for (const preset of ['normal', 'fast'] as const) {
      const { ttlMs, requestMs } = resolveTiming({ preset });
      if (slowMs <= requestMs / 2) continue;
      const text =
        `Renewals take up to ${formatSpan(slowMs)}, and with a ttl of ${formatSpan(ttlMs)} they may take ` +
        `${formatSpan(requestMs)}: take a longer ttl, or a store that is nearer.`;
      if (preset === 'normal') problems.push(text);
      else warnings.push(text);
      break;
    }
    if (store.capabilities.push && trial.hintMs === null) {
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
