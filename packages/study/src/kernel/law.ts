/**
 * Laws: what the source of an algorithm claims about its cost. Every simulated run is compared with them.
 *
 * An `exact` law gives the value, a `bound` the largest value, and a `mean` the average over all orders of the ids, which a
 * single run neither confirms nor refutes.
 */
import { InputError } from './errors.ts';
import type { Setting } from './params.ts';

/**
 * What a law is about: a count of messages, a time, the rate of failed elections over many runs, the messages of one type, or a
 * measure of the algorithm's own.
 */
export type Measure =
  | 'election'
  | 'announcement'
  | 'upkeep'
  | 'electedAt'
  | 'agreedAt'
  | 'announcementReturnedAt'
  | 'errorRate'
  | { readonly messages: string }
  | { readonly own: string };

/** The figures that every run or sweep has. An own measure has another name. */
export const BUILT_IN_MEASURES = [
  'messages',
  'election',
  'announcement',
  'upkeep',
  'bits',
  'electedAt',
  'agreedAt',
  'announcementReturnedAt',
  'causal',
  'errorRate',
] as const;

/** True if an own measure may not have this name. */
export function isBuiltIn(name: string): boolean {
  return (BUILT_IN_MEASURES as readonly string[]).includes(name);
}

/** The facts about a run that a law may depend on. */
export interface RunFacts {
  /** The number of nodes. */
  readonly n: number;
  /** The number of initiators. */
  readonly k: number;
  /** The number of edges. */
  readonly m: number;
  /** The ids by position, an `Int32Array`. */
  readonly ids: Int32Array;
  /** The positions that started by themselves, an `Int32Array`. */
  readonly initiators: Int32Array;
  /** The first start of each initiator, in units; null if all start at 0. */
  readonly wakeTimes: Float64Array | null;
  /** The order of the ids by position, up to rotation; ascending for one node. */
  readonly order: 'ascending' | 'descending' | 'other';
  /** Every message takes one unit. */
  readonly lockstep: boolean;
  /** No message overtakes another on its link. */
  readonly fifo: boolean;
  /** All initiators start at 0, no message is lost or duplicated, and no node crashes after the start. */
  readonly faultless: boolean;
  /** The positions that are crashed at the start. */
  readonly dead: readonly number[];
  /** The planned faults, including those at the start; times are in units. */
  readonly crashes: readonly { readonly position: number; readonly time: number }[];
  /** The planned recoveries. */
  readonly recoveries: readonly { readonly position: number; readonly time: number }[];
  /** Every round trip without a loss ends within the timeout. */
  readonly boundedDelay: boolean;
  /** The diameter, computed on first use; null if that would take too long. */
  readonly D: number | null;
  /** The values of the parameters. */
  readonly params: Readonly<Record<string, Setting>>;
}

/** A statement about the cost of a run. */
export interface Law {
  readonly measure: Measure;
  readonly kind: 'exact' | 'bound' | 'mean';
  /** For people: 'n(n+1)/2'. */
  readonly formula: string;
  /** The condition under which the law holds, for people. Without it the law always holds. */
  readonly when?: string;
  /** The value for this run; undefined if the law does not apply to it. */
  value(run: RunFacts): number | undefined;
}

/** The value of a law for a run; undefined if the law does not apply to it. */
export type LawValue = Law['value'];

/** A condition of laws: as text, and as a predicate of a run. */
export type LawCondition = readonly [text: string, holds: (run: RunFacts) => boolean];

/** Writes a law. `when` is its condition: text only, if `value` tests it, or conditions that must all hold. */
export interface LawOf {
  (measure: Measure, formula: string, value: LawValue): Law;
  (measure: Measure, formula: string, when: string | readonly LawCondition[], value: LawValue): Law;
}

function lawOf(kind: Law['kind']): LawOf {
  return (
    measure: Measure,
    formula: string,
    ...rest: [LawValue] | [string | readonly LawCondition[], LawValue]
  ): Law => {
    if (rest.length === 1) return { measure, kind, formula, value: rest[0] };
    const [when, value] = rest;
    // Without a condition or a value: the check of the definition refuses it by its formula.
    if (when === undefined) return { measure, kind, formula, value: when as never };
    if (typeof when === 'string') return { measure, kind, formula, when, value };
    return {
      measure,
      kind,
      formula,
      when: when.map(([text]) => text).join(', '),
      value: (run) => (when.every(([, holds]) => holds(run)) ? value(run) : undefined),
    };
  };
}

/** A law that holds to the digit: measure, formula, the condition in words if there is one, value. */
export const exact: LawOf = lawOf('exact');
/** A law that gives an upper bound. */
export const bound: LawOf = lawOf('bound');
/** A law that gives the mean over id orders and random draws. */
export const mean: LawOf = lawOf('mean');

/** Longer lists of ids are left out of errors. */
const MAX_NAMED_IDS = 16;

/** The value of a law for a run; undefined if the law does not apply to it. Throws unless the value is a finite number. */
export function lawValue(law: Pick<Law, 'formula' | 'value'>, run: RunFacts): number | undefined {
  const value: unknown = law.value(run);
  if (value === undefined || Number.isFinite(value)) return value as number | undefined;
  const instance = [
    `n = ${run.n}`,
    `k = ${run.k}`,
    ...(run.n <= MAX_NAMED_IDS ? [`ids ${run.ids.join(',')}`] : []),
    ...Object.entries(run.params).map(([name, setting]) => `${name} = ${setting}`),
  ].join(', ');
  throw new InputError(
    `law ${law.formula} must be a finite number, or undefined for a run to which it does not apply, not ${String(value)} (${instance})`,
  );
}

/** True if the figure obeys the law. Null if a single run cannot decide: a mean, a rate, or a time that was never reached. */
export function obeys(law: Law, value: number, figure: number | null): boolean | null {
  if (figure === null || law.kind === 'mean' || law.measure === 'errorRate') return null;
  // Times are sums of thousandths, so they are not exact in binary.
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
