/**
 * What a search covers: the candidates, the store, and what the network, the clocks and the processes may do. Everything that
 * is allowed may happen any number of times, at any time, in any order. Only the messages and writes in flight are bounded. A
 * message may stay in flight forever, which is a loss.
 */
import * as rules from '../../../src/lease/core/lease-row.ts';
import type { LeaseTiming } from '../../../src/lease/core/timing.ts';
import type { OpenCore } from './open-core.ts';

/** Clocks tick in these units, and so does the search. */
export const UNIT_MS = 100;

export type StoreRules = Pick<typeof rules, 'acquire' | 'renew' | 'release' | 'evict' | 'requestTransfer'>;

export interface Setting {
  /** One per candidate. */
  readonly timings: readonly LeaseTiming[];
  /** Equal by default. */
  readonly priorities?: readonly number[];
  readonly hasClock: boolean;
  /** Per candidate, the largest number of messages in flight to and from the store; of more messages, one is lost. */
  readonly inFlight: readonly number[];
  /** Timers may fire late by any time. Otherwise no time passes while a timer is due. */
  readonly lateTimers?: boolean;
  /** Overdue work is killed at once. */
  readonly kills?: boolean;
  readonly crashes?: boolean;
  /** Other candidates can prove a crash. */
  readonly gone?: boolean;
  readonly notifications?: boolean;
  /** Calls may fail, before or after they took effect. */
  readonly storeErrors?: boolean;
  /** A request may arrive more than once. */
  readonly duplicates?: boolean;
  /** A candidate may be asked to stop, or to release and campaign again. */
  readonly releases?: boolean;
  /** The work may end by itself. */
  readonly ends?: boolean;
  readonly evictions?: boolean;
  readonly transfers?: boolean;
  /** The largest number of writes in flight to a fenced sink. */
  readonly writes?: number;
  /** The candidates whose clocks have the following faults; all by default. */
  readonly faultyClocks?: readonly number[];
  /** The monotonic clock may stand still while the wall clock runs. */
  readonly suspends?: boolean;
  /** By how much a wall clock may jump. */
  readonly jumpsMs?: readonly number[];
  /** Both clocks of a candidate may lose one unit in this number of the store's units. */
  readonly slow?: number;
  /** Random draws give their minimum or their maximum; only the minimum by default. */
  readonly draws?: boolean;
  /** The clock of the store may be set back, by more than any TTL. */
  readonly setsBack?: boolean;
  /** The store may lose all its data. It then grants nothing for one TTL after the first request. */
  readonly forgets?: boolean;
  /** The work may report progress, or not. `timings` say how long a leader is renewed without a report. */
  readonly stalls?: boolean;
  /** The parts that a mutant replaces. */
  readonly core?: typeof OpenCore;
  readonly rules?: StoreRules;
  /** What the store does after a loss; by default it waits, and its clock lifts the next token above all that were given. */
  readonly afterLoss?: 'grants at once' | 'counts from 1';
  readonly isStale?: (token: bigint, mark: bigint) => boolean;
}

/** The clock of the store always judges leases. */
export const hasJudge = ({ hasClock, setsBack }: Setting): boolean => hasClock && setsBack !== true;

export const REAL_RULES: StoreRules = rules;
export const idOf = (candidate: number): string => 'ABC'[candidate];
export const candidateOf = (id: string): number => id.charCodeAt(0) - 65;
