/**
 * What is searched: who stands, how the store judges, what the network, the clocks and the processes may do. What is
 * allowed may happen any number of times, at any moment, in any order: the only bounds are the messages under way
 * and the writes under way. A message may stay under way for ever, which is as good as lost.
 */
import * as rules from '../../../src/lease/core/lease-row.ts';
import type { LeaseTiming } from '../../../src/lease/core/timing.ts';
import type { OpenCore } from './open-core.ts';

/** Clocks tick in these units, and so does the search. */
export const UNIT_MS = 100;

export type StoreRules = Pick<typeof rules, 'acquire' | 'renew' | 'release' | 'evict' | 'requestTransfer'>;

export interface Setting {
  /** One for each candidate. */
  readonly timings: readonly LeaseTiming[];
  /** All alike if left out. */
  readonly priorities?: readonly number[];
  readonly hasClock: boolean;
  /** For each candidate, requests and answers under way between it and the store; one more, and one of them is lost. */
  readonly inFlight: readonly number[];
  /** Timers may fire late by any time; otherwise no time passes while one is due. */
  readonly lateTimers?: boolean;
  /** Work that is overdue is killed at once. */
  readonly kills?: boolean;
  readonly crashes?: boolean;
  /** A crash can be proved to others. */
  readonly gone?: boolean;
  readonly notifications?: boolean;
  /** Calls may fail, whether or not the store has seen them. */
  readonly storeErrors?: boolean;
  /** A request may arrive more than once. */
  readonly duplicates?: boolean;
  /** The candidate may be asked to stop, or to step down and stand again. */
  readonly releases?: boolean;
  /** The work may end by itself. */
  readonly ends?: boolean;
  readonly evictions?: boolean;
  readonly transfers?: boolean;
  /** Writes of leaders under way to a sink with a fence. */
  readonly writes?: number;
  /** Only the clocks of these candidates go astray as the next three say; all of them if left out. */
  readonly faultyClocks?: readonly number[];
  /** The monotonic clock may stand still while the wall clock runs. */
  readonly suspends?: boolean;
  /** By how much a wall clock may jump. */
  readonly jumpsMs?: readonly number[];
  /** Both clocks of a candidate may lose one unit in so many of the store's. */
  readonly slow?: number;
  /** The candidates draw the least or the most; only the least if left out. */
  readonly draws?: boolean;
  /** What a mutant changes. */
  readonly core?: typeof OpenCore;
  readonly rules?: StoreRules;
  readonly isStale?: (token: bigint, mark: bigint) => boolean;
}

export const REAL_RULES: StoreRules = rules;
export const idOf = (candidate: number): string => 'ABC'[candidate];
export const candidateOf = (id: string): number => id.charCodeAt(0) - 65;
