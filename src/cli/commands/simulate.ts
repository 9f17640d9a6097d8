/** `hustings simulate`: runs one election, counts its cost, and draws or traces it. */
import { type Command, Option } from 'commander';
import { checkDrawable } from '../../drawing/index.ts';
import { type AnyAlgorithm, ElectionError, InputError, TOPOLOGY_FORMS } from '../../kernel/index.ts';
import { ASSUMPTIONS, type Outcome, Run, type SymmetricRun, type TraceEvent } from '../../simulator/index.ts';
import { ELECTION_FAILED } from '../exit.ts';
import { type OutputFile, prepareOutput } from '../files.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { repeated } from '../flags/option-syntax.ts';
import { isFileSchedule, readOptions, type SimulateFlags } from '../flags/simulate-flags.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { Recording } from '../report/run-diagram.ts';
import { summarize } from '../report/summary.ts';
import { findSymmetricRun, isSymmetric, reportSymmetricRun } from '../report/symmetric-report.ts';
import { TraceOutput } from '../report/trace-output.ts';
import { screenOf } from '../terminal.ts';
import { runWatched } from '../user-file/run-watched.ts';

export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .summary('run an election and count its cost')
    .description(
      'Runs one election and counts its messages, bits and time exactly.\n' +
        `P is a position from 0, T a time in units, and a probability is from 0 to 1.\n${FILE_HELP}`,
    )
    .argument('<NAME>', NAME_HELP)
    .option('--nodes <N>', 'number of nodes (default: the number of ids, the size of the network, or 8)')
    .addOption(
      new Option(
        '--ids <LIST>',
        "ids by position, as in 5,3,8,1, or 'anonymous' (default: 1 to N)",
      ).conflicts('order'),
    )
    .option(
      '--order <ORDER>',
      'order of the ids around the network: ascending, descending or random (default: random)',
    )
    .option(
      '--initiators <WHICH>',
      'nodes that start by themselves: all, random:3, or positions with optional times, as in 0,7@7 (default: all)',
    )
    .option('--topology <NETWORK>', `network: ${TOPOLOGY_FORMS.join(', ')} (default: by the algorithm)`)
    .option(
      '--schedule <SCHEDULE>',
      'when messages arrive: lockstep (after one unit), random (random delays), random:nofifo, or file:FILE with a line ' +
        "'deliver FROM > TO' for each delivery (default: lockstep)",
    )
    .option('--seed <S>', 'seed of the PRNG; the same seed gives the same run (default: 1)')
    .option(
      '--crash <P@T>',
      "crashes by position and time, as in 3@0 or 3@0,4@2, or 'none'; repeatable",
      repeated,
    )
    .option('--recover <P@T>', 'recoveries by position and time, as in 3@10; repeatable', repeated)
    .option('--loss <PROBABILITY>', 'probability that a message is lost (default: 0)')
    .option('--loss-until <T>', 'time after which no message is lost (default: no limit)')
    .option('--duplicate <PROBABILITY>', 'probability that a message is delivered twice (default: 0)')
    .option(
      '--partition <GROUPS@T..T>',
      'partition of the network, as in 0-3/4-7@10..50; repeatable',
      repeated,
    )
    .option('--set <NAME=VALUE>', 'parameter of the algorithm; repeatable', repeated)
    .option(
      '--despite <ASSUMPTION>',
      `run although this assumption is violated: ${ASSUMPTIONS.join(', ')}; repeatable`,
      repeated,
    )
    .option(
      '--until <T>',
      'time at which the run stops (default: when nothing is pending, or the horizon of the algorithm)',
    )
    .option(
      '--invariants <WHICH>',
      'invariants checked after every event: all, node, none, or names (default: all up to 32 nodes, none above)',
    )
    .option('--trace', 'print every event on a line of its own; with --json, on stderr')
    .option('--states', 'with --trace: also print the state of a node initially and after each event')
    .option('--svg <FILE>', 'draw the run as a space-time diagram')
    .option('--json', 'print the result of simulate() as one JSON document')
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
  const isPlain = flags.trace === undefined && flags.svg === undefined && isSymmetric(options);
  const symmetric = isPlain ? findSymmetricRun(algorithm, options) : null;
  if (symmetric !== null) {
    showSymmetricRun(algorithm, symmetric, flags.json === true);
    return;
  }
  const trace = flags.trace ? new TraceOutput(flags.json ? process.stderr : process.stdout) : null;
  const recording = flags.svg === undefined ? null : new Recording();
  const observe = (event: TraceEvent): void => {
    recording?.take(event);
    trace?.take(event);
  };
  const run = new Run(algorithm, {
    ...options,
    observe: (trace ?? recording) ? observe : undefined,
    states: flags.states,
    calledAs: name,
  });
  if (recording !== null) checkDrawable({ nodes: run.plan.nodes });
  const file = flags.svg === undefined ? null : prepareOutput('svg', flags.svg);

  // If bad input may show only during the run, nothing is printed before its end.
  const isDelayed = recording !== null || isFileSchedule(flags.schedule);
  const pause = trace !== null && !isDelayed ? () => trace.flush() : undefined;
  let outcome: Outcome;
  try {
    await runWatched(run, { progress: new Progress(process.stderr, trace === null), pause });
    outcome = run.outcome();
  } catch (error) {
    throw error instanceof ElectionError ? await showFailure(error, run, { trace, recording, file }) : error;
  }
  if (recording !== null) file?.write(recording.draw(run, outcome));
  await trace?.flush();
  if (flags.json) console.log(formatJson(outcome));
  else {
    const lines = summarize(run, outcome, screenOf(process.stdout));
    if (trace !== null) lines.unshift('');
    if (file !== null) lines.push('', `space-time diagram: ${file.path}`);
    console.log(lines.join('\n'));
  }
}

/** Anonymous deterministic nodes on a ring stay symmetric: the election fails, and the run shows why. */
function showSymmetricRun(algorithm: AnyAlgorithm, symmetric: SymmetricRun, json: boolean): void {
  process.exitCode = ELECTION_FAILED;
  const lines = json
    ? [formatJson(symmetric)]
    : reportSymmetricRun(algorithm, symmetric, screenOf(process.stdout));
  console.log(lines.join('\n'));
}

/** Writes the trace and the drawing up to the failure. */
async function showFailure(
  error: ElectionError,
  run: Run,
  shown: { trace: TraceOutput | null; recording: Recording | null; file: OutputFile | null },
): Promise<ElectionError> {
  const { trace, recording, file } = shown;
  await trace?.flush();
  if (recording === null || file === null) return error;
  file.write(recording.draw(run, null));
  const { property, replay } = error;
  return new ElectionError(`${error.message}; drawn in ${file.path}`, { property, replay, cause: error });
}
