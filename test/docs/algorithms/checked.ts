/** Generates the table of docs/checked.md: one line for each network that was explored. */

import { registry } from '../../../packages/study/src/algorithms/index.ts';
import { type CheckOptions, type CheckResult, check } from '../../../packages/study/src/checker/index.ts';
import type { AnyAlgorithm } from '../../../packages/study/src/kernel/index.ts';
import { casesOf } from '../../../packages/study/test/algorithms/read-cases.ts';
import { fillRegions, insideOf, tableOf } from '../../../test-kit/golden/regions.ts';

const TITLES = [
  'algorithm',
  'network',
  'n',
  'explored',
  'states',
  'transitions',
  'outcome',
  'exact',
  'reduced',
];
const RIGHT = ['n', 'states', 'transitions'];

type Cells = readonly string[];

export interface Checked {
  readonly result: CheckResult;
  readonly cells: Cells;
}

export function searchOf(algorithm: AnyAlgorithm, options: CheckOptions): Checked {
  const result = check(casesOf(algorithm).searchedAs?.(algorithm) ?? algorithm, options);
  const { exact } = result;
  const reduced = result.reductions.length > 0;
  const count = (figure: number): string =>
    reduced ? `about ${twoDigits(figure).toLocaleString('en')}` : figure.toLocaleString('en');
  const { topology } = options;
  const cells = [
    [algorithm.name, ...Object.entries(options.set ?? {}).map(([name, value]) => `${name}=${value}`)],
    [typeof topology === 'string' ? topology : algorithm.assumes.network],
    [String(result.n)],
    [...variedIn(algorithm, options), ...invariantsIn(algorithm, result)],
    [count(result.states)],
    [count(result.transitions)],
    [outcomeOf(result)],
    [exact ? 'yes' : 'no'],
    [reduced ? 'yes' : 'no'],
  ];
  return { result, cells: cells.map((parts) => parts.join(', ')) };
}

/** The reduction is a heuristic: its counts are told by their size. */
function twoDigits(figure: number): number {
  return Number(figure.toPrecision(2));
}

/** Beside the schedule, which always varies. */
function variedIn({ assumes }: AnyAlgorithm, options: CheckOptions): string[] {
  const { initiators = 'all', order = 'random', bound = {} } = options;
  const parts: string[] = [];
  if (options.orders === 'all') parts.push('every order');
  else if (assumes.ids === 'unique') parts.push(order === 'random' ? 'one order' : `ids ${order}`);
  if (initiators === 'subsets') parts.push('all sets of initiators');
  else
    parts.push(
      initiators === 'all'
        ? 'all initiate'
        : `${initiators.length === 1 ? 'initiator' : 'initiators'} ${initiators.join(', ')}`,
    );
  for (const [kind, one] of Object.entries(FAULTS) as [keyof typeof FAULTS, string][]) {
    const most = options[kind] ?? 0;
    if (most > 0) parts.push(`at most ${most === 1 ? `one ${one}` : `${most} ${kind}`}`);
  }
  if (!(options.fifo ?? assumes.fifo) && assumes.timing === 'asynchronous') parts.push('non-FIFO links');
  for (const [name, most] of Object.entries(bound)) parts.push(`${name} ≤ ${most}`);
  return parts;
}

function invariantsIn({ invariants = {} }: AnyAlgorithm, result: CheckResult): string[] {
  const declared = Object.keys({ ...invariants.node, ...invariants.network }).length;
  const checked = result.invariants.length;
  if (checked === 0) return [];
  return [checked === declared ? 'all invariants' : 'invariants of one node'];
}

const FAULTS = { crashes: 'crash', recoveries: 'recovery', losses: 'loss' } as const;

function outcomeOf({ complete, stopped, termination, violations }: CheckResult): string {
  if (violations.length > 0) return `errs: ${violations[0].property}`;
  if (complete) return termination === 'almost-sure' ? 'complete with probability 1' : 'complete';
  if (stopped !== null) return 'not complete';
  return termination === 'unchecked' ? 'safe within the bound' : 'within the bound';
}

/** The rows of algorithms that were not searched this time stay. */
export function fillIn(page: string, searched: ReadonlyMap<string, readonly Cells[]>): string {
  const { rows: kept } = checkedTable(page);
  const rows = registry.flatMap(({ name }) => searched.get(name) ?? kept.get(name)?.map(cellsIn) ?? []);
  return fillRegions(page, { table: () => tableOf(TITLES, rows, RIGHT) });
}

/** The cells of a line of the table. */
export const cellsIn = (line: string): string[] => line.slice(2, -2).split(' | ');

/** The two lines of the table's head, and its rows by algorithm. */
export function checkedTable(page: string): {
  readonly head: readonly string[];
  readonly rows: ReadonlyMap<string, readonly string[]>;
} {
  const lines = insideOf(page, 'table');
  const rows = new Map<string, string[]>();
  for (const row of lines.slice(2)) {
    const [, name] = /^\| ([a-z-]+)/.exec(row) ?? [];
    if (name !== undefined) rows.set(name, [...(rows.get(name) ?? []), row]);
  }
  return { head: lines.slice(0, 2), rows };
}
