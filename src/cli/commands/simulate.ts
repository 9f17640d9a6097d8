/** `hustings simulate`: one election, drawn, counted and, if asked for, traced. */
import { type Command, Option } from 'commander';
import { checkDrawable } from '../../drawing/index.ts';
import { type AnyAlgorithm, ElectionError, InputError, TOPOLOGY_FORMS } from '../../kernel/index.ts';
import { ASSUMPTIONS, type Outcome, Run, type SymmetricRun, type TraceEvent } from '../../simulator/index.ts';
import { ELECTION_FAILED } from '../exit.ts';
import { type OutputFile, prepareOutput } from '../files.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { isFileSchedule, readOptions, type SimulateFlags } from '../flags/simulate-flags.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { Recording } from '../report/recording.ts';
import { summarize } from '../report/summary.ts';
import { findSymmetricRun, isSymmetric, reportSymmetricRun } from '../report/symmetric-report.ts';
import { TraceOutput } from '../report/trace-output.ts';
import { screenOf } from '../terminal.ts';
import { runWatched } from '../user-file/run-watched.ts';

const repeated = (word: string, before: readonly string[] = []): string[] => [...before, word];

export function addSimulate(program: Command): void {
  program
    .command('simulate')
    .summary('run an election and count what it costs')
    .description(
      'Runs one election and counts its messages, bits and time exactly.\n' +
        `P is a position from 0, T a time in units, a chance is from 0 to 1.\n${FILE_HELP}`,
    )
    .argument('<NAME>', NAME_HELP)
    .option('--nodes <N>', 'how many nodes (default: 8, or as many as the ids or the network say)')
    .addOption(
      new Option(
        '--ids <LIST>',
        "their ids by position, as in 5,3,8,1, or 'anonymous' (default: 1 to N)",
      ).conflicts('order'),
    )
    .option('--order <ORDER>', 'of the ids by position: ascending, descending or random (default: random)')
    .option('--initiators <WHO>', 'who wakes by itself: all, 0,2 or 0,7@7 or random:3 (default: all)')
    .option('--topology <NETWORK>', `${TOPOLOGY_FORMS.join(', ')} (default: the algorithm's own)`)
    .option(
      '--schedule <SCHEDULE>',
      'lockstep, random, random:nofifo, or file:FILE, of which each line deliver FROM > TO ' +
        'picks the next delivery (default: lockstep)',
    )
    .option('--seed <S>', 'of all that is drawn by lot (default: 1)')
    .option('--crash <P@T>', "crashes, as in 3@0 or 3@0,4@2, or 'none'; repeatable", repeated)
    .option('--recover <P@T>', 'recoveries; repeatable', repeated)
    .option('--loss <CHANCE>', 'that a message is lost (default: 0)')
    .option('--loss-until <T>', 'from which time on none is lost any more (default: never)')
    .option('--duplicate <CHANCE>', 'that a message comes twice (default: 0)')
    .option('--partition <GROUPS@T..T>', 'parts the network, as in 0-3/4-7@10..50; repeatable', repeated)
    .option('--set <NAME=VALUE>', 'a parameter of the algorithm; repeatable', repeated)
    .option(
      '--despite <ASSUMPTION>',
      `runs although it is broken: ${ASSUMPTIONS.join(', ')}; repeatable`,
      repeated,
    )
    .option(
      '--until <T>',
      'ends the run at a time (default: when nothing is pending, or as the algorithm has it)',
    )
    .option('--trace', 'print every event, one line each; with --json, on stderr')
    .option('--states', 'with --trace: also the state of each node, first and after each event')
    .option('--svg <FILE>', 'write a space-time diagram')
    .option('--json', 'print one JSON document, as simulate() of the library returns it')
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
    throw new InputError('--states shows states in a trace: give --trace too');
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

  // Where bad input may still show in the middle of the run, nothing is printed before its end.
  const isHeld = recording !== null || isFileSchedule(flags.schedule);
  const pause = trace !== null && !isHeld ? () => trace.flush() : undefined;
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

/** Nodes that nothing tells apart: the election cannot but fail, and the run shows why. */
function showSymmetricRun(algorithm: AnyAlgorithm, symmetric: SymmetricRun, json: boolean): void {
  process.exitCode = ELECTION_FAILED;
  const lines = json
    ? [formatJson(symmetric)]
    : reportSymmetricRun(algorithm, symmetric, screenOf(process.stdout));
  console.log(lines.join('\n'));
}

/** An election that fails is worth looking at: what was asked for is shown up to the failure. */
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
