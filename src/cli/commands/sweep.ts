/** `hustings sweep`: many elections of many sizes, on all cores, as a table, a plot and files. */
import { availableParallelism } from 'node:os';
import type { Command } from 'commander';
import { InputError } from '../../kernel/index.ts';
import {
  type CellTally,
  chunksOf,
  planSweep,
  resultOf,
  type SweepChunk,
  type SweepPlan,
  SweepTally,
} from '../../sweep/index.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { parseNumber, refuse } from '../flags/option-syntax.ts';
import { addOptions } from '../flags/option-table.ts';
import { readSweepOptions, SWEEP_OPTIONS, type SweepFlags } from '../flags/sweep-flags.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { reportSweep } from '../report/sweep-report.ts';
import { stoppable } from '../stop-signal.ts';
import { screenOf } from '../terminal.ts';
import { SweepFiles } from '../workers/sweep-files.ts';
import { SweepPace } from '../workers/sweep-pace.ts';
import type { SweepWork } from '../workers/sweep-worker.ts';
import { TaskPool } from '../workers/task-pool.ts';

const MOST_CORES = 1024;

export function addSweep(program: Command): void {
  const command = program
    .command('sweep')
    .summary('measure the cost over many sizes, and compare it with the laws')
    .description(
      'Runs many elections of each size on all cores, and prints their cost beside the laws of the algorithm.\n' +
        'The same seed gives the same figures on any number of cores. Memory does not grow with the number of runs.\n' +
        FILE_HELP,
    )
    .argument('<NAMES...>', `algorithms, separated by commas or blanks; each is the ${NAME_HELP}`);
  addOptions(command, SWEEP_OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings sweep chang-roberts --nodes 16..256 --runs 50\n' +
        '  hustings sweep chang-roberts,randomized-chang-roberts,peterson --nodes 16..4096 --svg rings.svg --per-node\n' +
        '  hustings sweep peterson --order random,ascending --measure election --csv peterson.csv\n' +
        '  hustings sweep itai-rodeh --nodes 2..64 --runs 100000 --measure electedAt --save rounds.json\n\n' +
        'Ctrl-C ends a sweep early: the results so far are printed and written, marked as incomplete, and the exit code\n' +
        'is 130 (143 after SIGTERM). Files are replaced every second, so a killed sweep leaves complete files.',
    )
    .action(sweepCommand);
}

async function sweepCommand(given: readonly string[], flags: SweepFlags): Promise<void> {
  const names = given.flatMap((word) => word.split(','));
  const algorithms = await Promise.all(names.map(resolveAlgorithm));
  const options = { ...readSweepOptions(flags), calledAs: names };
  if (flags.perNode && flags.svg === undefined) throw new InputError('--per-node needs --svg: give both');
  const plan = planSweep(algorithms, options);
  const cores = readCores(flags.cores, plan);
  const files = new SweepFiles(flags);
  const tally = new SweepTally(plan);
  const work: SweepWork = { names, options };
  const pool = new TaskPool<SweepChunk, CellTally>('sweep-worker.js', cores, work);
  const pace = new SweepPace(plan, cores);
  const progress = new Progress(process.stderr, true);

  let stopped: number | null = null;
  try {
    const work = pool.run(chunksOf(plan), (chunk, part, tookMs) => {
      tally.add(chunk, part);
      pace.note(chunk, tookMs);
      files.update(tally);
      progress.updateSweep(pace.runs, pace.allRuns, pace.leftMs());
    });
    stopped = await stoppable(work, () => pool.stop());
  } finally {
    progress.clear();
    if (pace.runs > 0) files.write(resultOf(tally));
  }
  const result = resultOf(tally);
  if (stopped !== null && !result.complete) process.exitCode = stopped;
  if (flags.json) {
    console.log(formatJson(result));
    return;
  }
  const lines = reportSweep(result, screenOf(process.stdout));
  if (!result.complete) {
    lines.unshift(`incomplete: stopped after ${pace.runs} of ${pace.allRuns} runs`, '');
  }
  if (files.paths.length > 0) lines.push('', `written: ${files.paths.join(', ')}`);
  console.log(lines.join('\n'));
}

/** At most one thread per chunk. */
function readCores(text: string | undefined, plan: SweepPlan): number {
  const cores = text === undefined ? availableParallelism() : parseNumber('cores', text, 'a number, as in 2');
  if (!Number.isInteger(cores) || cores < 1 || cores > MOST_CORES) {
    refuse('cores', `a whole number from 1 to ${MOST_CORES}`, String(text));
  }
  const chunks = chunksOf(plan);
  let needed = 0;
  while (needed < cores && !chunks.next().done) needed++;
  return needed;
}
