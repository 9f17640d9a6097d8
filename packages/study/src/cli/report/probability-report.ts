/** The exact probabilities and expectations of a randomized election as text, beside the means of simulated runs. */

import { formatFigure, formatTable, markStyle, wrap } from '@hustings/base';
import { COUNTEREXAMPLE_FOUND } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { withSearchProgress } from '@hustings/base/command/progress';
import { pageWidth, type Screen, screenOf } from '@hustings/base/command/terminal';
import {
  type CheckOptions,
  type ExactValue,
  type Probabilities,
  type ProbabilityOptions,
  probabilities,
} from '../../checker/index.ts';
import type { Setup } from '../../kernel/driver.ts';
import { type AnyAlgorithm, type Fields, InputError } from '../../kernel/index.ts';
import { Run } from '../../simulator/index.ts';
import { halfWidthOf } from '../../sweep/confidence.ts';
import { addFigure, type Moments, noMoments } from '../../sweep/moments.ts';
import { watchIfOwn } from '../user-file/handler-watch.ts';
import { networkOf, paramTexts } from './summary.ts';

const RUNS = 1000;
const SUCCESS = 'P(one leader)';
const ROUNDS = 'E(rounds)';
const ELECTION = 'E(election messages)';
const MESSAGES = 'E(messages)';
/** A fraction with more characters is shown only as a decimal. */
const LONGEST = 30;
const DIGITS = 6;
export function showProbabilities(
  name: string,
  algorithm: AnyAlgorithm,
  setup: Setup,
  options: CheckOptions,
  isJson: boolean,
): void {
  const asked = probabilityOptions(options);
  const result = withSearchProgress((onProgress) =>
    watchIfOwn(name, algorithm, (watched) => probabilities(watched, { ...asked, onProgress })),
  );
  if (result.failure.decimal > 0 || result.nonTermination.decimal > 0)
    process.exitCode = COUNTEREXAMPLE_FOUND;
  const warnings = result.exact
    ? []
    : [
        `warning: not exact: the Markov chain has more than ${formatFigure(result.states)} states, and reaches the others with probability ${decimal(result.unknown)}; raise --states`,
      ];
  if (isJson) {
    for (const warning of warnings) console.error(`hustings: ${warning}`);
    console.log(formatJson(result));
    return;
  }
  const screen = screenOf(process.stdout);
  const simulated = watchIfOwn(name, algorithm, (watched) => simulateMeans(watched, setup, result));
  const lines = reportProbabilities(setup, result, simulated, screen);
  if (warnings.length > 0) lines.push('', ...warnings.map((warning) => screen.paint('bad', warning)));
  console.log(lines.join('\n'));
}

export function probabilityOptions({ initiators, ...options }: CheckOptions): ProbabilityOptions {
  if (initiators === 'subsets')
    throw new InputError('--initiators must be all or positions with --probabilities, not subsets');
  return { ...options, initiators, onProgress: undefined };
}

/** Means of simulated runs, by the name of the figure. */
type Simulated = ReadonlyMap<string, Moments>;

function reportProbabilities(
  setup: Setup,
  result: Probabilities,
  simulated: Simulated,
  { paint, width }: Screen,
): string[] {
  const { algorithm, topology } = setup;
  const { anySchedule, mean, n, orders, states } = result;
  const scope = anySchedule ? 'in every FIFO schedule in which all nodes start first' : 'in lockstep';
  const among = orders > 1 ? `, averaged over ${orders} orders of the ids` : '';
  const nodes = `${n} ${n === 1 ? 'node' : 'nodes'} on ${networkOf(topology)}`;
  const title = `${algorithm.title}: ${[nodes, 'all random draws', ...paramTexts(setup)].join(', ')}`;
  const rows: (readonly [string, ExactValue | null])[] = [
    [SUCCESS, result.success],
    ['P(other terminal state)', result.failure],
    ['P(no termination)', result.nonTermination],
    [ROUNDS, mean?.rounds ?? null],
    [ELECTION, mean?.election ?? null],
    [MESSAGES, mean?.messages ?? null],
    ['E(random draws)', mean?.draws ?? null],
  ];
  const cells = rows.flatMap(([name, figure]) => {
    if (figure === null) return [];
    const run = simulated.get(name);
    const beside = run === undefined ? '' : `${run.mean.toFixed(3)} ± ${halfWidthOf(run)?.toFixed(3)}`;
    const atLeast = result.exact ? '' : ', at least';
    return [
      [`${name}${atLeast}`, figure.fraction.length > LONGEST ? '' : figure.fraction, decimal(figure), beside],
    ];
  });
  const columns = ['', ['exact'], ['decimal'], [`${RUNS} simulated runs`]] as const;
  return [
    paint('strong', title),
    ...wrap(
      `Probabilities and expectations ${scope}${among}, from a Markov chain of ${formatFigure(states)} states.`,
      pageWidth({ width }),
    ),
    '',
    ...formatTable(columns, cells, width, markStyle(paint)),
    '',
    '± is the 95% confidence interval.',
  ];
}

/** Simulates in lockstep, with random orders of the ids if the result is averaged over them. */
function simulateMeans(
  algorithm: AnyAlgorithm,
  setup: Setup,
  { initiators, orders }: Probabilities,
): Simulated {
  const samples = new Map<string, Moments>();
  const note = (name: string, value: number): void => {
    const moments = samples.get(name) ?? noMoments();
    samples.set(name, moments);
    addFigure(moments, value);
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
    note(SUCCESS, isRight ? 1 : 0);
    note(ELECTION, messages.election);
    note(MESSAGES, messages.total);
    const { machine } = run.simulation;
    const rounds = machine.views().flatMap((view) => counters.map((field) => Number(view[field])));
    if (rounds.length > 0) note(ROUNDS, Math.max(...rounds));
  }
  return samples;
}

function decimal({ decimal: value }: ExactValue): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(DIGITS)));
}
