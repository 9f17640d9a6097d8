/**
 * The file format of a counterexample, or of a most or least expensive run: the steps and all options that replaying them
 * needs.
 */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';
import type { Setting } from '../../kernel/params.ts';
import { type Starts, startsOf } from '../../kernel/world/rules.ts';
import type { CheckResult, CheckViolation } from '../check.ts';
import type { CheckOptions } from '../check-options.ts';
import type { Extreme } from '../cost/cost-graph.ts';
import type { ExtremeRun } from '../cost/extreme-run.ts';
import { COST_MEASURES, type CostMeasure } from '../cost/message-cost.ts';

/** A run of the checker with everything that is needed to repeat it. */
export interface Counterexample {
  readonly version: 1;
  /** The name of the algorithm, or the path of its file relative to the current directory. */
  readonly algorithm: string;
  readonly ids: readonly number[];
  readonly initiators: readonly number[];
  readonly starts: Starts;
  /** Null if the assumption of the algorithm applies. */
  readonly fifo: boolean | null;
  /** The name of the network; null is the default of the algorithm. */
  readonly topology: string | null;
  /** The text of the file for a topology 'edges:FILE'. */
  readonly edges: string | null;
  readonly set: Readonly<Record<string, Setting>>;
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  /** Bounded delay: the longest delay, null if none was given, and whether timers may fire early. */
  readonly delay: number | null;
  readonly suspect: boolean;
  readonly property: string;
  readonly text: string;
  readonly steps: readonly string[];
  /** The cost for which the run was saved; null for a counterexample. */
  readonly cost: SavedCost | null;
}

/** The cost for which a run was saved. */
export interface SavedCost {
  readonly extreme: Extreme;
  readonly measure: CostMeasure;
  readonly value: number | 'unbounded';
  /** If unbounded: the number of steps of the cycle at the end. */
  readonly cycleLength: number;
}

/** The first violation of a result; null if there is none. */
export function counterexampleOf(
  algorithm: AnyAlgorithm,
  result: CheckResult,
  options: CheckOptions,
  calledAs = algorithm.name,
): Counterexample | null {
  const [violation] = result.violations;
  if (violation === undefined) return null;
  const { property, text } = violation;
  return { ...settingsOf(algorithm, violation, options, calledAs), property, text, cost: null };
}

/** The most or the least expensive run as a counterexample file. */
export function extremeRunFile(
  algorithm: AnyAlgorithm,
  extreme: Extreme,
  run: ExtremeRun,
  options: CheckOptions,
  calledAs: string,
): Counterexample {
  const { measure, cycleLength, value } = run;
  return {
    ...settingsOf(algorithm, run, options, calledAs),
    property: `${extreme} ${measure}`,
    text: String(value),
    cost: { extreme, measure, value, cycleLength },
  };
}

function settingsOf(
  algorithm: AnyAlgorithm,
  { ids, initiators, steps }: Pick<CheckViolation, 'ids' | 'initiators' | 'steps'>,
  options: CheckOptions,
  calledAs: string,
) {
  return {
    version: 1,
    algorithm: calledAs,
    ids,
    initiators,
    starts: options.starts ?? startsOf(algorithm),
    fifo: options.fifo ?? null,
    topology: typeof options.topology === 'string' ? options.topology : null,
    edges: options.edgeText ?? null,
    set: options.set ?? {},
    crashes: options.crashes ?? 0,
    recoveries: options.recoveries ?? 0,
    losses: options.losses ?? 0,
    delay: options.delay ?? null,
    suspect: options.suspect ?? false,
    steps,
  } as const;
}

/** The text of a counterexample file. */
export function formatCounterexample(counterexample: Counterexample): string {
  const text = JSON.stringify(counterexample, null, 2);
  // Puts lists of numbers on one line. JSON strings have no line breaks, so only lists can match.
  const compact = text.replace(/\[\n[\s\d,]*\]/g, (list) =>
    list.replace(/\s+/g, ' ').replace('[ ', '[').replace(' ]', ']'),
  );
  return `${compact}\n`;
}

type Judge = (value: unknown) => boolean;

const isText: Judge = (value) => typeof value === 'string';
const isCount: Judge = (value) => Number.isInteger(value) && (value as number) >= 0;
const isListOf =
  (judge: Judge): Judge =>
  (value) =>
    Array.isArray(value) && value.every(judge);
const orNull =
  (judge: Judge): Judge =>
  (value) =>
    value === null || judge(value);
const isSetting: Judge = (value) => ['string', 'number', 'boolean'].includes(typeof value);
const isRecord: Judge = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

const isCost: Judge = (value) => {
  if (!isRecord(value)) return false;
  const { extreme, measure, cycleLength, value: figure } = value as Readonly<Record<string, unknown>>;
  const isFigure = figure === 'unbounded' || isCount(figure);
  const isKnown =
    ['worst', 'best'].includes(extreme as string) && COST_MEASURES.includes(measure as CostMeasure);
  return isKnown && isFigure && isCount(cycleLength);
};

const FIELDS: Readonly<Record<Exclude<keyof Counterexample, 'version'>, readonly [Judge, string]>> = {
  algorithm: [isText, 'a name'],
  ids: [isListOf(isCount), 'a list of ids'],
  initiators: [isListOf(isCount), 'a list of positions'],
  starts: [(value) => ['free', 'first', 'together'].includes(value as string), 'free, first or together'],
  fifo: [orNull((value) => typeof value === 'boolean'), 'true, false or null'],
  topology: [orNull(isText), 'the name of a network, or null'],
  edges: [orNull(isText), 'the text of a list of edges, or null'],
  set: [(value) => isRecord(value) && Object.values(value as object).every(isSetting), 'parameters by name'],
  crashes: [isCount, 'a number'],
  recoveries: [isCount, 'a number'],
  losses: [isCount, 'a number'],
  delay: [orNull(isCount), 'a number or null'],
  suspect: [(value) => typeof value === 'boolean', 'true or false'],
  property: [isText, 'a text'],
  text: [isText, 'a text'],
  steps: [isListOf(isText), 'a list of steps'],
  cost: [orNull(isCost), 'the cost of the run, or null'],
};

/** `path` is the name of the file in errors. */
export function parseCounterexample(text: string, path: string): Counterexample {
  const refuse = (what: string, range: string, value: unknown): never => {
    const shown = value === undefined ? 'missing' : JSON.stringify(value).slice(0, 60);
    throw new InputError(`${what} must be ${range}, not ${shown}: give a file that a check has saved`);
  };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    refuse(path, 'a JSON document', text.slice(0, 20));
  }
  if (!isRecord(value)) refuse(path, 'a counterexample', value);
  const fields = value as Readonly<Record<string, unknown>>;
  if (fields.version !== 1) refuse(`version in ${path}`, '1', fields.version);
  for (const [name, [judge, range]] of Object.entries(FIELDS)) {
    // Older files have no cost.
    if (name === 'cost' && fields.cost === undefined) continue;
    if (!judge(fields[name])) refuse(`${name} in ${path}`, range, fields[name]);
  }
  return { ...(value as Counterexample), cost: (fields.cost as SavedCost | null) ?? null };
}
