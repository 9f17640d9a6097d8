/**
 * What an elector of a cluster refuses. The members of a cluster share nothing but their leader, which the algorithm chooses; a
 * store also keeps what candidates leave for each other.
 */
import { InputError } from '@hustings/base';
import { type LeaseTiming, resolveTiming, scaledTiming, type TimingOptions } from '../lease/core/timing.ts';

const ONE_LEADER = 'all elections of a cluster have the same leader';
const CHOSEN = 'in a cluster the algorithm chooses the leader';
const MEMBER = 'in a cluster the candidate is the member';
const DURATIONS = 'in a cluster the durations follow from those of openCluster';
const NOTHING_SHARED = 'the members of a cluster share nothing but their leader';

/** Options of an elector, each with the reason why a cluster does not have it. */
const STORE_ONLY: Readonly<Record<string, string>> = {
  ...{ names: ONE_LEADER, slots: ONE_LEADER, priority: CHOSEN, order: CHOSEN, yieldAfterMs: CHOSEN },
  ...{ id: MEMBER, processProof: MEMBER, clock: MEMBER, metadata: NOTHING_SHARED },
  ...{ preset: DURATIONS, ttlMs: DURATIONS, renewEveryMs: DURATIONS, requestTimeoutMs: DURATIONS },
  ...{ stopAfterMs: DURATIONS, killAfterMs: DURATIONS },
};

/** Throws an `InputError` unless an elector of a cluster can have these options. */
export function checkClusterOptions(options: { readonly store?: unknown; readonly cluster?: unknown }): void {
  const { cluster, store } = options;
  if (store !== undefined) throw new InputError('give store or cluster, not both');
  if (typeof (cluster as { readonly leases?: unknown } | null)?.leases !== 'function') {
    throw new InputError(
      `cluster must be what openCluster returns, not ${cluster === null ? 'null' : typeof cluster}`,
    );
  }
  for (const [option, value] of Object.entries(options)) {
    if (value !== undefined && Object.hasOwn(STORE_ONLY, option)) {
      throw new InputError(`${option} needs a store: ${STORE_ONLY[option]}`);
    }
  }
}

/** Throws an `InputError` if an elector of a cluster is asked for `what`. */
export function checkHasStore({ isCluster }: { readonly isCluster: boolean }, what: string): void {
  if (isCluster) throw new InputError(`${what} needs a store: ${NOTHING_SHARED}`);
}

/** The durations of a lease that a member grants itself. The work is told to stop before the lead of the member ends. */
export function clusterTiming(
  { leaseMs }: { readonly leaseMs: number },
  { stallAfterMs, stopGraceMs }: TimingOptions,
): LeaseTiming {
  const given = { stallAfterMs, stopGraceMs };
  resolveTiming(given);
  return scaledTiming(Math.floor(leaseMs), given);
}
