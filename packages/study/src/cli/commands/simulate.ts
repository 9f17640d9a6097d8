/** `hustings simulate`: runs one election, counts its cost, and draws or traces it. */

import { ELECTION_FAILED } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { addOptions } from '@hustings/base/command/option-table';
import { Progress } from '@hustings/base/command/progress';
import { stoppable } from '@hustings/base/command/stop-signal';
import { screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { type AnyAlgorithm, ElectionError, InputError } from '../../kernel/index.ts';
import { type Outcome, Run, type SymmetricRun, type TraceEvent } from '../../simulator/index.ts';
import { FILE_HELP, isPath, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import {
  isFileSchedule,
  readOptions,
  SIMULATE_OPTIONS,
  type SimulateFlags,
} from '../flags/simulate-flags.ts';
import { costOf } from '../picture/run-diagram.ts';
import { RunPictures } from '../picture/run-pictures.ts';
import { reportInterrupted, summarize } from '../report/summary.ts';
import { findSymmetricRun, isSymmetric, reportSymmetricRun } from '../report/symmetric-report.ts';
import { TraceOutput } from '../report/trace-output.ts';
import { runWatched, UNHANDLED_MS } from '../user-file/run-watched.ts';

export function addSimulate(program: Command): void {
  const command = program
    .command('simulate')
    .description(
      'Runs one election and counts its messages, bits and time exactly.\n' +
        `P is a position from 0, T a time in units, and a probability is from 0 to 1.\n${FILE_HELP}`,
    )
    .argument('<NAME>', NAME_HELP);
  addOptions(command, SIMULATE_OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings simulate chang-roberts --nodes 16\n' +
        '  hustings simulate chang-roberts --ids 5,3,8,1 --schedule random --seed 7 --trace\n' +
        '  hustings simulate chang-roberts --nodes 8 --svg election.svg',
    )
    .action(simulateCommand);
}

async function simulateCommand(name: string, flags: SimulateFlags): Promise<void> {
  const algorithm = await resolveAlgorithm(name);
  const options = readOptions(flags);
  if (flags.states && !flags.trace) {
    throw new InputError('--states needs --trace: give both');
  }
  const drawsNothing = !RunPictures.areWanted(flags);
  const isPlain = flags.trace === undefined && drawsNothing && isSymmetric(options);
  const symmetric = isPlain ? findSymmetricRun(algorithm, options) : null;
  if (symmetric !== null) {
    showSymmetricRun(algorithm, symmetric, flags.json === true);
    return;
  }
  const trace = flags.trace ? new TraceOutput(flags.json ? process.stderr : process.stdout) : null;
  let pictures: RunPictures | null = null;
  const observe = (event: TraceEvent): void => {
    pictures?.take(event);
    if (event.type !== 'state' || flags.states) trace?.take(event);
  };
  const run = new Run(algorithm, {
    ...options,
    observe: trace === null && drawsNothing ? undefined : observe,
    states: flags.states || !drawsNothing,
    calledAs: name,
  });
  pictures = RunPictures.of(flags, run);

  // If bad input may show only during the run, nothing is printed before its end.
  const isDelayed = pictures !== null || isFileSchedule(flags.schedule);
  const pause = trace !== null && !isDelayed ? () => trace.flush() : undefined;
  const shown = { trace, pictures };
  const ending = new AbortController();
  const progress = new Progress(process.stderr, trace === null);
  let outcome: Outcome;
  try {
    const hasEnded = isPath(name) && (await runWatched(run, { progress, pause, forMs: UNHANDLED_MS }));
    const running = async (): Promise<void> => {
      if (!hasEnded) await runWatched(run, { progress, pause, signal: ending.signal });
    };
    const stopped = await stoppable(running, () => ending.abort());
    if (stopped !== null) return await showInterrupted(stopped, run, shown, flags.json === true);
    outcome = run.outcome();
  } catch (error) {
    throw error instanceof ElectionError ? await showFailure(error, run, shown) : error;
  }
  // With `despite`, and for Monte Carlo algorithms, a failed election is a result, and still a failure.
  if (!isElected(outcome)) process.exitCode = ELECTION_FAILED;
  const drawn = (await pictures?.write(run, costOf(outcome))) ?? [];
  await trace?.flush();
  if (flags.json) console.log(formatJson(outcome));
  else {
    const lines = summarize(run, outcome, screenOf(process.stdout));
    if (trace !== null) lines.unshift('');
    if (drawn.length > 0) lines.push('', ...drawn);
    console.log(lines.join('\n'));
  }
}

const isElected = ({ valid }: Outcome): boolean => Object.values(valid).every((holds) => holds);

/** Anonymous deterministic nodes on a ring stay symmetric: the election fails, and the run shows why. */
function showSymmetricRun(algorithm: AnyAlgorithm, symmetric: SymmetricRun, json: boolean): void {
  process.exitCode = ELECTION_FAILED;
  const lines = json
    ? [formatJson(symmetric)]
    : reportSymmetricRun(algorithm, symmetric, screenOf(process.stdout));
  console.log(lines.join('\n'));
}

interface Shown {
  readonly trace: TraceOutput | null;
  readonly pictures: RunPictures | null;
}

/** After Ctrl-C: the figures so far, without the laws, which are about whole runs. */
async function showInterrupted(
  exitCode: number,
  run: Run,
  { trace, pictures }: Shown,
  json: boolean,
): Promise<void> {
  process.exitCode = exitCode;
  const outcome = run.interim();
  const covered = { events: run.simulation.steps, time: Math.max(0, run.simulation.machine.context.clock) };
  await trace?.flush();
  const drawn = (await pictures?.write(run, 'the run was interrupted')) ?? [];
  const lines = json
    ? [formatJson({ ...outcome, interrupted: covered })]
    : reportInterrupted(run, outcome, covered, screenOf(process.stdout));
  if (drawn.length > 0 && !json) lines.push('', ...drawn.map((line) => line.replace(':', ' up to here:')));
  console.log(lines.join('\n'));
}

/** Writes the trace and the drawings up to the failure. */
async function showFailure(
  error: ElectionError,
  run: Run,
  { trace, pictures }: Shown,
): Promise<ElectionError> {
  await trace?.flush();
  if (pictures === null) return error;
  await pictures.write(run, 'the election failed');
  const { property, replay } = error;
  return new ElectionError(`${error.message}; drawn in ${pictures.paths.join(' and ')}`, {
    property,
    replay,
    cause: error,
  });
}
