/** Generates the table of docs/checked.md: one line for each network that was explored. */
import { type CheckOptions, type CheckResult, check } from '../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { casesOf } from '../algorithms/read-cases.ts';

const REGION = /<!-- table -->\n[\s\S]*?<!-- end -->/;
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

export interface Checked {
  readonly result: CheckResult;
  readonly cells: readonly string[];
}

export function searchOf(algorithm: AnyAlgorithm, options: CheckOptions): Checked {
  const result = check(casesOf(algorithm).searchedAs?.(algorithm) ?? algorithm, options);
  const { states, transitions, exact, reduced } = result;
  const { topology } = options;
  const cells = [
    [algorithm.name, ...Object.entries(options.set ?? {}).map(([name, value]) => `${name}=${value}`)],
    [typeof topology === 'string' ? topology : algorithm.assumes.network],
    [String(result.n)],
    variedIn(algorithm, options),
    [states.toLocaleString('en')],
    [transitions.toLocaleString('en')],
    [outcomeOf(result)],
    [exact ? 'yes' : 'no'],
    [reduced ? 'yes' : 'no'],
  ];
  return { result, cells: cells.map((parts) => parts.join(', ')) };
}

/** Beside the schedule, which always varies. */
function variedIn({ assumes }: AnyAlgorithm, options: CheckOptions): string[] {
  const { initiators = 'all', order = 'random', bound = {} } = options;
  const parts: string[] = [];
  if (options.orders === 'all') parts.push('every order');
  else if (assumes.ids === 'unique') parts.push(order === 'random' ? 'one order' : `ids ${order}`);
  if (initiators === 'subsets') parts.push('every set of initiators');
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
  if (!(options.fifo ?? assumes.fifo) && assumes.timing === 'asynchronous') parts.push('overtaking');
  for (const [name, most] of Object.entries(bound)) parts.push(`${name} ≤ ${most}`);
  return parts;
}

const FAULTS = { crashes: 'crash', recoveries: 'recovery', losses: 'loss' } as const;

function outcomeOf({ complete, stopped, liveness, violations }: CheckResult): string {
  if (violations.length > 0) return `errs: ${violations[0].property}`;
  if (complete) return 'complete';
  if (stopped !== null) return 'not complete';
  return liveness ? 'within the bound' : 'safe within the bound';
}

export function fillIn(page: string, rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  const rule = TITLES.map((title) => (RIGHT.includes(title) ? '---:' : '---'));
  const table = [TITLES, rule, ...rows].map(line);
  return page.replace(REGION, ['<!-- table -->', ...table, '<!-- end -->'].join('\n'));
}
