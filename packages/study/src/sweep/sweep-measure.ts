/**
 * What a sweep measures in each run, and the laws for it.
 *
 * An algorithm declares laws for the election, the announcement and upkeep, or for single message types. The law of a sum
 * is the sum of the laws, and exact if all of them are. A bound and a mean have no common law.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { BUILT_IN_MEASURES, isBuiltIn, type Law, type Measure } from '../kernel/law.ts';
import type { MessageType } from '../kernel/message.ts';
import type { Outcome } from '../simulator/simulate.ts';
import { measured } from '../simulator/simulate.ts';
import type { Moments } from './moments.ts';

/** All measures of a sweep. */
export const SWEEP_MEASURES: typeof BUILT_IN_MEASURES = BUILT_IN_MEASURES;

/**
 * `agreedAt` is when the last node decided, `causal` the longest causal chain of messages, `errorRate` the share of runs
 * without exactly one leader known to all nodes; all times are in units. Any other name is a measure that every algorithm of
 * the sweep declares.
 */
export type SweepMeasure = (typeof SWEEP_MEASURES)[number] | (string & Record<never, never>);

type Purpose = 'election' | 'announcement' | 'upkeep';

const TIMES: readonly SweepMeasure[] = ['electedAt', 'agreedAt', 'announcementReturnedAt', 'causal'];

/** Counts are whole numbers; times have a resolution of a thousandth of a unit. */
export function partsOf(measure: SweepMeasure, { least, most }: Moments): number {
  const isWhole = Number.isInteger(least) && Number.isInteger(most);
  return TIMES.includes(measure) || !isWhole ? 1000 : 1;
}

/** Null if the event did not happen. */
export function figureOf(outcome: Outcome, measure: SweepMeasure): number | null {
  if (measure === 'messages') return outcome.messages.total;
  if (measure === 'bits') return outcome.bits;
  if (measure === 'causal') return outcome.time.causal;
  if (measure === 'errorRate') return isElected(outcome) ? 0 : 1;
  return measured(outcome, isBuiltIn(measure) ? (measure as Measure) : { own: measure });
}

/** One leader, known to all nodes. */
export function isElected({ valid: { termination, uniqueness, agreement } }: Outcome): boolean {
  return termination && uniqueness && agreement;
}

export function lawsOf(algorithm: AnyAlgorithm, measure: SweepMeasure): readonly Law[] {
  if (measure === 'bits' || measure === 'causal') return [];
  if (measure === 'errorRate' || TIMES.includes(measure)) {
    return algorithm.laws.filter((law) => law.measure === measure);
  }
  if (!isBuiltIn(measure)) {
    return algorithm.laws.filter(
      (law) => typeof law.measure === 'object' && 'own' in law.measure && law.measure.own === measure,
    );
  }
  if (measure !== 'messages') return lawsOfPurpose(algorithm, measure as Purpose);
  const purposes = (['election', 'announcement', 'upkeep'] as const).filter(
    (purpose) => typesOf(algorithm, purpose).length > 0,
  );
  return sums(purposes.map((purpose) => lawsOfPurpose(algorithm, purpose)));
}

function typesOf({ messages }: AnyAlgorithm, purpose: Purpose): string[] {
  const purposeOf = ({ announces, upkeep }: MessageType): Purpose =>
    announces ? 'announcement' : upkeep ? 'upkeep' : 'election';
  return Object.keys(messages).filter((type) => purposeOf(messages[type]) === purpose);
}

/** Its own laws, or the sums of the laws of its message types. */
function lawsOfPurpose(algorithm: AnyAlgorithm, purpose: Purpose): readonly Law[] {
  const own = algorithm.laws.filter((law) => law.measure === purpose);
  if (own.length > 0) return own;
  return sums(
    typesOf(algorithm, purpose).map((type) =>
      algorithm.laws.filter(
        ({ measure }) => typeof measure === 'object' && 'messages' in measure && measure.messages === type,
      ),
    ),
  );
}

/** All sums of one law from each list that are laws. */
function sums(lists: readonly (readonly Law[])[]): readonly Law[] {
  if (lists.length < 2) return lists[0] ?? [];
  const [first, ...rest] = lists;
  return sums(rest).flatMap((one) =>
    first.flatMap((other) => {
      const kinds = new Set([other.kind, one.kind]);
      return kinds.has('mean') && kinds.has('bound') ? [] : [sum(other, one)];
    }),
  );
}

function sum(one: Law, other: Law): Law {
  const when = [...new Set([one.when, other.when].filter((each) => each !== undefined))].join('; ');
  const formula = [one.formula, other.formula].filter((each) => each !== '0').join(' + ');
  return {
    measure: one.measure,
    kind: one.kind === 'exact' ? other.kind : one.kind,
    formula: formula === '' ? '0' : formula,
    ...(when !== '' && { when }),
    value: (run) => {
      const value = one.value(run);
      if (value === undefined) return undefined;
      const added = other.value(run);
      return added === undefined ? undefined : value + added;
    },
  };
}
