/** What the page Compare measures: a sweep, as parameters of its link. */
import { planSweep, type SWEEP_MEASURES, type SweepOptions, type SweepPlan } from '@hustings/study/sweep';
import { findAlgorithm } from '../setup/algorithm-list.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import type { ExtraParameters } from '../setup/url-state.ts';

export interface CompareRequest {
  /** By name; at least one. */
  readonly algorithms: readonly string[];
  readonly options: Pick<SweepOptions, 'nodes' | 'runs' | 'measure' | 'order' | 'schedule' | 'seed'>;
}

/** Curves of more algorithms would hide each other. */
export const MAX_COMPARED = 6;
/** The largest size and the largest number of runs that the page takes from a link. */
const MAX_NODES = 16_384;
const MAX_RUNS = 10_000;

export const COMPARED_MEASURES: readonly (typeof SWEEP_MEASURES)[number][] = [
  'messages',
  'election',
  'bits',
  'electedAt',
  'causal',
];

const DEFAULT_MOST = 256;
const DEFAULT_RUNS = 40;

/** Reads the parameters of a link. What cannot be used has its default. */
export function compareRequest(
  { algorithm, order, schedule, seed }: LabSetup,
  extra: ExtraParameters,
): CompareRequest {
  const listed = (extra.algorithms ?? '').split(',').filter((name) => findAlgorithm(name) !== undefined);
  const most = whole(extra.most, DEFAULT_MOST, 4, MAX_NODES);
  const measure = COMPARED_MEASURES.find((each) => each === extra.measure) ?? 'messages';
  return {
    algorithms: listed.length === 0 ? [algorithm] : [...new Set(listed)].slice(0, MAX_COMPARED),
    options: {
      nodes: sizesUpTo(most),
      runs: whole(extra.runs, DEFAULT_RUNS, 1, MAX_RUNS),
      measure,
      order: [order ?? 'random'],
      schedule: [schedule ?? 'lockstep'],
      seed,
    },
  };
}

/** The parameters of a link that could not be used, each as a sentence. */
export function compareProblems(extra: ExtraParameters): string[] {
  const unknown = (extra.algorithms ?? '')
    .split(',')
    .filter((name) => name !== '' && findAlgorithm(name) === undefined)
    .map((name) => `There is no algorithm '${name.slice(0, 60)}'. It is left out.`);
  const range = (name: string, least: number, most: number): string[] => {
    const text = extra[name];
    if (text === undefined || whole(text, -1, least, most) !== -1) return [];
    return [
      `\`${name}\` must be a whole number from ${least} to ${most}, not ${text.slice(0, 60)}. The default is used.`,
    ];
  };
  return [...unknown, ...range('most', 4, MAX_NODES), ...range('runs', 1, MAX_RUNS)];
}

/** Powers of two from 4, and the largest size itself. */
export function sizesUpTo(most: number): number[] {
  const sizes: number[] = [];
  for (let n = 4; n < most; n *= 2) sizes.push(n);
  return [...sizes, most];
}

function whole(text: string | undefined, fallback: number, least: number, most: number): number {
  const value = Number(text ?? fallback);
  return Number.isInteger(value) && value >= least && value <= most ? value : fallback;
}

/** The plan of the sweep, the same on the page and in its workers. */
export function comparePlan({ algorithms, options }: CompareRequest): SweepPlan {
  const found = algorithms.flatMap((name) => findAlgorithm(name) ?? []);
  return planSweep(found, options);
}
