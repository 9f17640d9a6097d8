/** `hustings sweep`: many elections over sizes, on all cores, as a table, a plot and files. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { InputError, TOPOLOGY_FORMS } from '../../kernel/index.ts';
import { ASSUMPTIONS } from '../../simulator/index.ts';
import {
  type CellTally,
  chunksOf,
  planSweep,
  resultOf,
  SWEEP_MEASURES,
  type SweepChunk,
  type SweepPlan,
  SweepTally,
} from '../../sweep/index.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { parseNumber } from '../flags/option-syntax.ts';
import { SIZES_HELP } from '../flags/size-list.ts';
import { readSweepOptions, type SweepFlags } from '../flags/sweep-flags.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { reportSweep } from '../report/sweep-report.ts';
import { STOPPED, type StopSignal } from '../stop-signal.ts';
import { screenOf } from '../terminal.ts';
import { SweepFiles } from '../workers/sweep-files.ts';
import { SweepPace } from '../workers/sweep-pace.ts';
import type { SweepWork } from '../workers/sweep-worker.ts';
import { TaskPool } from '../workers/task-pool.ts';

const repeated = (word: string, before: readonly string[] = []): string[] => [...before, word];

const MOST_CORES = 1024;

export function addSweep(program: Command): void {
  program
    .command('sweep')
    .summary('count many elections over sizes, beside the laws')
    .description(
      'Runs many elections of each size, on all cores, and shows what they cost beside what the laws say.\n' +
        'The same seed gives the same figures on any number of cores. No run is kept: memory does not grow with them.\n' +
        FILE_HELP,
    )
    .argument('<NAMES...>', `with commas or blanks between, each ${NAME_HELP}`)
    .option('--nodes <SIZES>', `${SIZES_HELP} (default: 16..1024)`)
    .option('--runs <K>', 'runs of each size (default: 200)')
    .option('--order <LIST>', 'of the ids: ascending, descending, random, or several (default: random)')
    .option('--schedule <LIST>', 'lockstep, random, random:nofifo, or several (default: lockstep)')
    .option(
      '--measure <WHAT>',
      `${SWEEP_MEASURES.join(', ')}: time is when the last node knows, causal the longest chain of messages ` +
        '(default: messages)',
    )
    .option('--initiators <WHO>', 'who wakes by itself: all, 0,2 or random:3 (default: all)')
    .option('--topology <NETWORK>', `${TOPOLOGY_FORMS.join(', ')} (default: the algorithm's own)`)
    .option('--crash <P@T>', "crashes, as in 3@0, or 'none'; repeatable", repeated)
    .option('--set <NAME=VALUE>', 'a parameter, for the algorithms that have it; repeatable', repeated)
    .option(
      '--despite <ASSUMPTION>',
      `runs although it is broken: ${ASSUMPTIONS.join(', ')}; repeatable`,
      repeated,
    )
    .option('--seed <S>', 'of all that is drawn by lot (default: 1)')
    .option('--cores <K>', 'how many threads run elections (default: all cores)')
    .option('--svg <FILE>', 'write a plot: points, bands and the laws as curves')
    .option('--per-node', 'in the plot, divide all figures by n')
    .option('--csv <FILE>', 'write a line a point')
    .option('--save <FILE>', 'write what --json prints, again and again while it grows')
    .option('--json', 'print one JSON document, as sweep() of the library returns it')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings sweep chang-roberts --nodes 16..256 --runs 50\n' +
        '  hustings sweep chang-roberts,randomized-chang-roberts,peterson --nodes 16..4096 --svg rings.svg --per-node\n' +
        '  hustings sweep peterson --order random,ascending --measure election --csv peterson.csv\n' +
        '  hustings sweep itai-rodeh --nodes 2..64 --runs 100000 --measure electedAt --save rounds.json\n\n' +
        'Ctrl-C ends a sweep early: what is done is shown and written, marked as incomplete, and the exit code is 130\n' +
        '(143 after a SIGTERM). Files are written anew every second, so that even a killed sweep leaves a whole one.',
    )
    .action(sweepCommand);
}

async function sweepCommand(given: readonly string[], flags: SweepFlags): Promise<void> {
  const names = given.flatMap((word) => word.split(','));
  const algorithms = await Promise.all(names.map(resolveAlgorithm));
  const options = { ...readSweepOptions(flags), calledAs: names };
  if (flags.perNode && flags.svg === undefined)
    throw new InputError('--per-node is for the plot: give --svg too');
  const plan = planSweep(algorithms, options);
  const cores = readCores(flags.cores, plan);
  const files = new SweepFiles(flags);
  const tally = new SweepTally(plan);
  const work: SweepWork = { names, options };
  const pool = new TaskPool<SweepChunk, CellTally>('sweep-worker.js', cores, work);
  const pace = new SweepPace(plan, cores);
  const progress = new Progress(process.stderr, true);

  let stopped: StopSignal | null = null;
  const stop = (signal: StopSignal): void => {
    stopped = signal;
    pool.stop();
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  try {
    await pool.run(chunksOf(plan), (chunk, part, tookMs) => {
      tally.add(chunk, part);
      pace.note(chunk, tookMs);
      files.keep(tally);
      progress.updateSweep(pace.runs, pace.allRuns, pace.leftMs());
    });
  } finally {
    progress.clear();
    process.off('SIGINT', stop).off('SIGTERM', stop);
    if (pace.runs > 0) files.write(resultOf(tally));
  }
  const result = resultOf(tally);
  if (stopped !== null && !result.complete) process.exitCode = STOPPED[stopped];
  if (flags.json) {
    console.log(formatJson(result));
    return;
  }
  const lines = reportSweep(result, screenOf(process.stdout));
  if (!result.complete) {
    lines.unshift(`stopped after ${pace.runs} of ${pace.allRuns} runs: what follows is not all`, '');
  }
  if (files.paths.length > 0) lines.push('', `written: ${files.paths.join(', ')}`);
  console.log(lines.join('\n'));
}

/** No more than there are chunks. */
function readCores(text: string | undefined, plan: SweepPlan): number {
  const cores = text === undefined ? availableParallelism() : parseNumber('cores', text, 'a number, as in 2');
  if (!Number.isInteger(cores) || cores < 1 || cores > MOST_CORES) {
    throw new InputError(`--cores expects a number from 1 to ${MOST_CORES}, got '${text}'`);
  }
  const chunks = chunksOf(plan);
  let needed = 0;
  while (needed < cores && !chunks.next().done) needed++;
  return needed;
}
