/**
 * What a source claims about the cost of its algorithm, so that every run can be shown beside it.
 *
 * `exact` holds to the digit, `bound` may not be passed, `mean` is a mean over id orders: a single run lies
 * about it.
 */
import type { Setting } from './params.ts';

/** What a law is about: a count of messages, or a time. */
export type Measure =
  | 'election'
  | 'announcement'
  | 'upkeep'
  | 'electedAt'
  | 'agreedAt'
  | 'announcementReturnedAt'
  | { readonly messages: string };

/** What a law may ask about a run. */
export interface RunFacts {
  readonly n: number;
  /** Initiators. */
  readonly k: number;
  /** Edges. */
  readonly m: number;
  readonly ids: Int32Array;
  readonly initiators: Int32Array;
  /** When each of them first woke, in units; null if all did at 0. */
  readonly wakeTimes: Float64Array | null;
  /** How the ids stand clockwise, by position; of one node: ascending. */
  readonly order: 'ascending' | 'descending' | 'other';
  readonly lockstep: boolean;
  readonly fifo: boolean;
  /** All initiators wake at 0, nothing is lost, and nobody crashes but those dead from the start. */
  readonly smooth: boolean;
  /** Positions dead from the start. */
  readonly dead: readonly number[];
  /** What was planned, those dead from the start included; times are in units. */
  readonly crashes: readonly { readonly position: number; readonly time: number }[];
  readonly recoveries: readonly { readonly position: number; readonly time: number }[];
  /** A round trip is over within the time-out, whatever is lost. */
  readonly boundedDelay: boolean;
  /** The diameter; null where it would take too long to find. Found when it is asked for. */
  readonly D: number | null;
  readonly params: Readonly<Record<string, Setting>>;
}

/** A statement about the cost of a run. */
export interface Law {
  readonly measure: Measure;
  readonly kind: 'exact' | 'bound' | 'mean';
  /** As a reader would write it: 'n(n+1)/2'. */
  readonly formula: string;
  /** When it holds, in words; always, if absent. */
  readonly when?: string;
  /** The figure for this run; undefined where the law does not speak of it. */
  value(run: RunFacts): number | undefined;
}

/** Does the figure obey the law? Null where a single run cannot tell: a mean, or something that did not happen. */
export function obeys(law: Law, value: number, figure: number | null): boolean | null {
  if (figure === null || law.kind === 'mean') return null;
  // Times are sums of thousandths.
  const slack = 1e-9 * Math.max(1, Math.abs(value));
  return law.kind === 'exact' ? Math.abs(figure - value) <= slack : figure <= value + slack;
}

/** 1 + 1/2 + … + 1/k. */
export function harmonic(k: number): number {
  let sum = 0;
  for (let i = k; i >= 1; i--) sum += 1 / i;
  return sum;
}

/** ⌊log2 k⌋, for k from 1. */
export function floorLog2(k: number): number {
  return 31 - Math.clz32(k);
}
