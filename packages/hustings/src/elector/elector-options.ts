/** The options of an elector, validated once, so that options that cannot work are rejected before anything starts. */

import { hostname } from 'node:os';
import { checkWhole, InputError, shownValue } from '@hustings/base';
import { checkName } from '../lease/core/election-name.ts';
import { MAX_SLOTS, slotName } from '../lease/core/slot.ts';
import { checkMetadata, type LeaderMetadata } from '../lease/core/term-data.ts';
import { type LeaseTiming, resolveTiming, type TimingOptions } from '../lease/core/timing.ts';
import { type FenceKey, fenceKeys } from '../lease/fence/fence-key.ts';
import { type Clock, processClock } from '../lease/host/process-clock.ts';
import type { LeaseCluster } from '../lease/lease-cluster.ts';
import type { LeaseStore } from '../lease/lease-store.ts';
import { checkClusterOptions, clusterTiming } from './cluster-limits.ts';
import type { ElectorEvent } from './events/elector-event.ts';
import type { ElectorLogger } from './events/elector-logger.ts';
import { checkObservers, checkOptionNames, checkStore } from './option-check.ts';

/** Where an elector elects: in a store, or in a cluster of the services themselves. */
export type ElectorPlace =
  | {
      /** A store, or the URL of one: 'sqlite:./leases.db', 'redis://…', 'postgres://…', 'mysql://…', 'memory:'. */
      readonly store: LeaseStore | string;
      readonly cluster?: undefined;
    }
  | {
      /**
       * A cluster of the services themselves, from `openCluster` of `@hustings/cluster`. All elections of a cluster have the same
       * leader. Its owner closes it.
       */
      readonly cluster: LeaseCluster;
      readonly store?: undefined;
    };

/** What an elector leads: an election, one of its slots, or several elections together. */
export type ElectorElection =
  | {
      /** The election. All electors with this name on this store are candidates in it. */
      readonly name: string;
      readonly names?: undefined;
      readonly slots?: 1 | undefined;
      /**
       * 'fair': first come, first served. The candidate that has waited longest gets the lease, after those of higher priority.
       * All candidates of the election must say so. Default: 'any', the first that asks when the lease is free.
       */
      readonly order?: 'fair' | 'any' | undefined;
    }
  | {
      readonly name: string;
      readonly names?: undefined;
      /**
       * How many candidates may lead at once, each with a token of its own and its number in `lead.slot`. All candidates of the
       * election need the same number: one that meets a holder with another number waits, and emits `slots-differ`. Default: 1.
       */
      readonly slots?: number | undefined;
      readonly order?: 'any' | undefined;
    }
  | {
      readonly name?: undefined;
      /**
       * Several elections, of which this candidate leads all or none. Each has its own token and fence, in `lead.tokens` and
       * `lead.fences`. Losing one of them ends the term. Refused by stores without transactions over several elections.
       */
      readonly names: readonly string[];
      readonly slots?: 1 | undefined;
      readonly order?: 'any' | undefined;
    };

/** The options of `createElector`. Only `store` or `cluster`, and `name` or `names`, are required. */
export type ElectorOptions = ElectorCommonOptions & ElectorPlace & ElectorElection;

/** The options before they are checked: what a program in plain JavaScript may give, and what is composed from flags. */
export interface UncheckedOptions extends ElectorCommonOptions {
  readonly store?: LeaseStore | string | undefined;
  readonly cluster?: LeaseCluster | undefined;
  readonly name?: string | undefined;
  readonly names?: readonly string[] | undefined;
  readonly slots?: number | undefined;
  readonly order?: 'fair' | 'any' | undefined;
}

/** The options of a candidate, wherever it elects. */
export interface ElectorCommonOptions extends TimingOptions {
  /**
   * The candidate's id, for logs, the history and `transfer`. Default: the host name and the PID; in metrics the host name
   * alone, so that a restart begins no new series.
   */
  readonly id?: string | undefined;
  /** A leader yields to a candidate of higher priority that has waited for `yieldAfterMs`. Default: 0. */
  readonly priority?: number | undefined;
  /**
   * What others see of this candidate while it leads, in `leader`, `watch`, `history` and events: an address, labels. An object
   * of at most 4,096 bytes as JSON. `lead.setMetadata` changes it during a term.
   */
  readonly metadata?: LeaderMetadata | undefined;
  /** At least 32 secret bytes that the resources share: signs `lead.fence`. */
  readonly fenceKey?: FenceKey | undefined;
  /** Receives every event. If it throws or rejects, the election continues, and the process warns once. */
  readonly onEvent?: ((event: ElectorEvent) => unknown) | undefined;
  /** Writes the events that matter as lines: pino, `console`, or a function. */
  readonly logger?: ElectorLogger | undefined;
  /**
   * Exits the process with code 70 when the work has run this long past its deadline, `killAfterMs`. 0 exits before the
   * lease expires. Default: never.
   */
  readonly exitWhenOverdueMs?: number | undefined;
  /**
   * Lets candidates on the same host prove that this one is dead, with what it may have started in its session. '' for no
   * proof: a successor waits for the end of the lease. Default: this process.
   */
  readonly processProof?: string | undefined;
  /** Default: the clocks of this process. */
  readonly clock?: Clock | undefined;
}

export interface ElectorSettings {
  /** Leads by a cluster, which has no store. */
  readonly isCluster: boolean;
  readonly name: string;
  /** In order, if there are several. */
  readonly names: readonly string[] | null;
  readonly slots: number;
  readonly id: string;
  /** Part of the nonce: what other members of a shard group must know of this one. */
  readonly kind?: string;
  readonly priority: number;
  readonly metadata: LeaderMetadata | undefined;
  readonly fair: boolean;
  readonly timing: LeaseTiming;
  /** A closure, so that a printed elector does not show the key. */
  readonly fenceKey: () => FenceKey | undefined;
  /** Null: the proof of this process. */
  readonly processProof: string | null;
  readonly clock: Clock;
  /** Per call of `acquire` or `runOnce`. */
  readonly holdAtLeastMs: number;
  /** The label of the candidate in metrics. */
  readonly metricsLabel: string;
  readonly onEvent: ElectorCommonOptions['onEvent'];
  readonly logger: ElectorLogger | undefined;
  readonly exitWhenOverdueMs: number | undefined;
}

const OPTION_NAMES: Readonly<Record<keyof UncheckedOptions, true>> = {
  ...{
    store: true,
    name: true,
    names: true,
    slots: true,
    id: true,
    priority: true,
    fenceKey: true,
    processProof: true,
    clock: true,
  },
  ...{ onEvent: true, logger: true, exitWhenOverdueMs: true, preset: true, ttlMs: true, renewEveryMs: true },
  ...{ requestTimeoutMs: true, stopAfterMs: true, killAfterMs: true, stallAfterMs: true },
  ...{ stopGraceMs: true, yieldAfterMs: true, metadata: true, order: true, cluster: true },
};

const MAX_PRIORITY = 1_000_000;

/** `checkUrl` refuses the URL of a store; without it, a store must be an object. */
export function settingsOf(options: UncheckedOptions, checkUrl?: (url: string) => unknown): ElectorSettings {
  checkOptionNames(options, OPTION_NAMES, 'createElector');
  if (options.cluster === undefined) checkStore(options.store, checkUrl);
  else checkClusterOptions(options);
  const names = options.names === undefined ? null : checkNames(options);
  const name = names === null ? options.name! : names.join(' + ');
  const { cluster, slots = 1, id = candidateId(cluster), priority = 0 } = options;
  const { fenceKey, exitWhenOverdueMs } = options;
  checkObservers(options);
  if (names === null) checkName(name, 'an election');
  checkSlots(names?.[0] ?? name, slots);
  checkName(id, 'a candidate');
  if (!Number.isSafeInteger(priority) || Math.abs(priority) > MAX_PRIORITY) {
    throw new InputError(
      `priority must be a whole number from −${MAX_PRIORITY} to ${MAX_PRIORITY}, not ${shownValue(priority)}`,
    );
  }
  const { order = 'any' } = options;
  if (order !== 'fair' && order !== 'any') {
    throw new InputError(`order must be 'fair' or 'any', not ${JSON.stringify(order)}`);
  }
  // Each lease has a queue of its own, and a candidate waits in all of them.
  if (order === 'fair' && (slots > 1 || names !== null)) {
    const several = names === null ? `${slots} slots have` : `${names.length} names have`;
    throw new InputError(`order 'fair' needs one lease, and ${several} one each; leave one of the two out`);
  }
  if (fenceKey !== undefined) fenceKeys({ key: fenceKey });
  if (
    exitWhenOverdueMs !== undefined &&
    !(Number.isSafeInteger(exitWhenOverdueMs) && exitWhenOverdueMs >= 0)
  ) {
    throw new InputError(
      `exitWhenOverdueMs must be a whole number of milliseconds from 0, not ${shownValue(exitWhenOverdueMs)}`,
    );
  }
  const timing = cluster === undefined ? resolveTiming(options) : clusterTiming(cluster, options);
  return {
    isCluster: cluster !== undefined,
    name,
    names,
    slots,
    id,
    priority,
    metadata: options.metadata === undefined ? undefined : checkMetadata(options.metadata),
    fair: order === 'fair',
    // The lease of a cluster is known when its member takes part.
    get timing() {
      return cluster === undefined ? timing : clusterTiming(cluster, options);
    },
    fenceKey: () => fenceKey,
    processProof: cluster === undefined ? (options.processProof ?? null) : '',
    clock: options.clock ?? processClock,
    holdAtLeastMs: 0,
    metricsLabel: options.id ?? (cluster === undefined ? hostname() : id),
    onEvent: options.onEvent,
    logger: options.logger,
    exitWhenOverdueMs,
  };
}

function candidateId(cluster: LeaseCluster | undefined): string {
  return cluster === undefined ? `${hostname()}-${process.pid}` : `${cluster.id}`;
}

/** In the order of the alphabet, so that two candidates never wait for each other. */
function checkNames({ name, names, slots }: UncheckedOptions): readonly string[] {
  if (!Array.isArray(names) || names.length === 0) throw new InputError('names must be a list of elections');
  for (const each of names) checkName(each, 'an election');
  if (name !== undefined) throw new InputError('give name or names, not both');
  if (slots !== undefined && slots !== 1) throw new InputError('names exclude slots; leave one of them out');
  const twice = names.find((each, index) => names.indexOf(each) < index);
  if (twice !== undefined) throw new InputError(`names has '${twice}' twice; remove one`);
  return [...names].sort();
}

function checkSlots(name: string, slots: number): void {
  checkWhole('slots', slots, 1, MAX_SLOTS);
  checkName(slotName(name, slots), 'an election with slots');
}
