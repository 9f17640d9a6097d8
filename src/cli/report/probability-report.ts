/** `hustings check --probabilities`: what an election by lot comes to, as fractions, beside what simulated runs come to. */
import {
  type CheckOptions,
  type ExactValue,
  type Probabilities,
  type ProbabilityOptions,
  probabilities,
} from '../../checker/index.ts';
import type { Setup } from '../../kernel/driver.ts';
import { type AnyAlgorithm, type Fields, InputError } from '../../kernel/index.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { Run } from '../../simulator/index.ts';
import { studentQuantile } from '../../sweep/index.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { formatTable, wrap } from '../table.ts';
import { type Screen, screenOf } from '../terminal.ts';
import { watchIfOwn } from '../user-file/handler-watch.ts';
import { networkOf } from './summary.ts';

const RUNS = 1000;
/** A longer fraction says less than its decimal. */
const LONGEST = 30;
const DIGITS = 6;
const PAGE_WIDTH = 100;

export function showProbabilities(
  name: string,
  algorithm: AnyAlgorithm,
  setup: Setup,
  options: CheckOptions,
  isJson: boolean,
): void {
  const asked = chancesOptions(options);
  const progress = new Progress(process.stderr, true);
  const onProgress = (states: number, waiting: number): void => progress.updateSearch(states, waiting);
  const result = (() => {
    try {
      return watchIfOwn(name, algorithm, (watched) => probabilities(watched, { ...asked, onProgress }));
    } finally {
      progress.clear();
    }
  })();
  const warnings = result.exact
    ? []
    : [
        `warning: not exact: the chain goes on beyond ${formatFigure(result.states)} states, with a chance of ${decimal(result.unknown)}; raise --states`,
      ];
  if (isJson) {
    for (const warning of warnings) console.error(`hustings: ${warning}`);
    console.log(formatJson(result));
    return;
  }
  const screen = screenOf(process.stdout);
  const simulated = watchIfOwn(name, algorithm, (watched) => simulateMeans(watched, setup, result));
  const lines = reportChances(setup, result, simulated, screen);
  if (warnings.length > 0) lines.push('', ...warnings.map((warning) => screen.paint('bad', warning)));
  console.log(lines.join('\n'));
}

/** The same words mean the same as in a search, where they mean anything. */
function chancesOptions({ initiators, ...options }: CheckOptions): ProbabilityOptions {
  if (initiators === 'subsets')
    throw new InputError('chances are those of one set of initiators: give --initiators all, or positions');
  return { ...options, initiators, onProgress: undefined };
}

/** A mean, and how near the true one lies with 95 % confidence. */
type Simulated = ReadonlyMap<string, { readonly mean: number; readonly error: number }>;

function reportChances(
  { algorithm, topology }: Setup,
  result: Probabilities,
  simulated: Simulated,
  { paint, width }: Screen,
): string[] {
  const { anySchedule, mean, n, orders, states } = result;
  const scope = anySchedule
    ? 'in every schedule that keeps the order of messages and starts all first'
    : 'in lockstep';
  const among = orders > 1 ? `, the mean of ${orders} orders of the ids` : '';
  const title = `${algorithm.title}: ${n} ${n === 1 ? 'node' : 'nodes'} on ${networkOf(topology)}, every draw`;
  const rows: (readonly [string, ExactValue | null])[] = [
    ['chance of one leader', result.success],
    ['chance of another end', result.failure],
    ['chance of no end', result.endless],
    ['mean rounds', mean?.rounds ?? null],
    ['mean messages of the election', mean?.election ?? null],
    ['mean messages', mean?.messages ?? null],
    ['mean lots drawn', mean?.draws ?? null],
  ];
  const cells = rows.flatMap(([name, figure]) => {
    if (figure === null) return [];
    const run = simulated.get(name);
    const beside = run === undefined ? '' : `${run.mean.toFixed(3)} ± ${run.error.toFixed(3)}`;
    const atLeast = result.exact ? '' : ', at least';
    return [
      [`${name}${atLeast}`, figure.fraction.length > LONGEST ? '' : figure.fraction, decimal(figure), beside],
    ];
  });
  const columns = [
    { title: '' },
    { title: 'exactly', align: 'right' as const },
    { title: 'about', align: 'right' as const },
    { title: `${RUNS} runs`, align: 'right' as const },
  ];
  return [
    paint('strong', title),
    ...wrap(`Chances ${scope}${among}: ${formatFigure(states)} states.`, Math.min(width, PAGE_WIDTH)),
    '',
    ...formatTable(columns, cells, width, (text, row) => (row < 0 ? paint('faint', text) : text)),
    '',
    ...wrap(
      '±: the true mean lies so near the simulated one with 95 % confidence.',
      Math.min(width, PAGE_WIDTH),
    ),
  ];
}

/** In lockstep, with lots of their own, and where orders were averaged, orders too. */
function simulateMeans(
  algorithm: AnyAlgorithm,
  setup: Setup,
  { initiators, orders }: Probabilities,
): Simulated {
  const samples = new Map<string, number[]>();
  const note = (name: string, value: number): void => {
    const known = samples.get(name);
    if (known === undefined) samples.set(name, [value]);
    else known.push(value);
  };
  const fields = Object.entries(algorithm.state as Fields);
  const counters = fields.filter(([, { relative }]) => relative).map(([field]) => field);
  for (let seed = 1; seed <= RUNS; seed++) {
    const run = new Run(algorithm, {
      ids: setup.anonymous || orders > 1 ? undefined : setup.ids,
      topology: setup.underlay,
      set: setup.params,
      initiators,
      schedule: 'lockstep',
      despite: ['termination'],
      seed,
    });
    while (!run.advance());
    const { messages, valid } = run.outcome();
    const isRight = valid.termination && valid.uniqueness && valid.agreement;
    note('chance of one leader', isRight ? 1 : 0);
    note('mean messages of the election', messages.election);
    note('mean messages', messages.total);
    const { machine } = run.simulation;
    const rounds = machine.views().flatMap((view) => counters.map((field) => Number(view[field])));
    if (rounds.length > 0) note('mean rounds', Math.max(...rounds));
  }
  return new Map([...samples].map(([name, values]) => [name, meanOf(values)]));
}

function meanOf(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const standardError = Math.sqrt(square / (values.length - 1) / values.length);
  return { mean, error: studentQuantile(values.length - 1) * standardError };
}

function decimal({ decimal: value }: ExactValue): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)));
}
