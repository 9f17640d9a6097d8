/** `hustings sweep`: many elections of many sizes, on all cores, as a table, a plot and files. */
import { availableParallelism } from 'node:os';
import { readCores } from '@hustings/base/command/cores-flag';
import { formatJson } from '@hustings/base/command/json';
import { addOptions } from '@hustings/base/command/option-table';
import { Progress } from '@hustings/base/command/progress';
import { stoppable } from '@hustings/base/command/stop-signal';
import { screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { InputError } from '../../kernel/index.ts';
import {
  type CellTally,
  chunksOf,
  countChunks,
  planSweep,
  resultOf,
  type SweepChunk,
  type SweepPlan,
  SweepTally,
} from '../../sweep/index.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { readPictureStyle } from '../flags/picture-flags.ts';
import { readSweepOptions, SWEEP_OPTIONS, type SweepFlags } from '../flags/sweep-flags.ts';
import { sweepQueue } from '../other-doors.ts';
import { reportSweep } from '../report/sweep-report.ts';
import { SweepFiles } from '../workers/sweep-files.ts';
import { SweepPace } from '../workers/sweep-pace.ts';
import type { SweepWork } from '../workers/sweep-worker.ts';
import { TaskPool } from '../workers/task-pool.ts';

export function addSweep(program: Command): void {
  const command = program
    .command('sweep')
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
        '  hustings sweep itai-rodeh --nodes 2..64 --runs 100000 --measure electedAt --save rounds.json\n' +
        '  hustings sweep chang-roberts --nodes 16..4096 --runs 100000 --csv runs.csv --queue redis://cache.internal\n\n' +
        'Ctrl-C ends a sweep early: the results so far are printed and written, marked as incomplete, and the exit code\n' +
        'is 130 (143 after SIGTERM). Files are replaced every second, so a killed sweep leaves complete files.\n\n' +
        'With --queue, workers on other machines compute the sweep (hustings worker). Ctrl-C cancels it there; after SIGTERM\n' +
        'or a crash of this command it goes on, and the same command finds its result for 24 hours.',
    )
    .action(sweepCommand);
}

async function sweepCommand(given: readonly string[], flags: SweepFlags): Promise<void> {
  const names = given.flatMap((word) => word.split(','));
  const algorithms = await Promise.all(names.map(resolveAlgorithm));
  const options = { ...readSweepOptions(flags), calledAs: names };
  if (flags.perNode && flags.svg === undefined) throw new InputError('--per-node needs --svg: give both');
  readPictureStyle(flags, flags.svg === undefined);
  const plan = planSweep(algorithms, options);
  const queue = flags.queue === undefined ? undefined : (await sweepQueue()).queueUrlOf(flags.queue);
  const cores = readCores(flags.cores) ?? availableParallelism();
  const files = new SweepFiles(flags);
  const progress = new Progress(process.stderr, true);
  const allRuns = plan.runs * plan.cells.length;
  let tally = new SweepTally(plan);
  let runs = 0;
  const update = (latest: SweepTally, done: number, leftMs: number | null): void => {
    tally = latest;
    runs = done;
    files.update(tally);
    progress.updateSweep(runs, allRuns, leftMs);
  };

  let stopped: number | null = null;
  try {
    const work: SweepWork = { names, options };
    stopped = await (queue === undefined
      ? sweepHere(plan, work, cores, update)
      : sweepOnQueue(queue, plan, work, update));
  } finally {
    progress.clear();
    if (runs > 0) await files.finish(resultOf(tally));
  }
  const result = resultOf(tally);
  if (stopped !== null && !result.complete) process.exitCode = stopped;
  if (flags.json) {
    console.log(formatJson(result));
    return;
  }
  const lines = reportSweep(result, screenOf(process.stdout));
  if (!result.complete) {
    lines.unshift(`incomplete: stopped after ${runs} of ${allRuns} runs`, '');
  }
  if (files.paths.length > 0) lines.push('', `written: ${files.paths.join(', ')}`);
  console.log(lines.join('\n'));
}

type OnTally = (tally: SweepTally, runs: number, leftMs: number | null) => void;

/** Returns the exit code of the signal that stopped it, or null. */
async function sweepHere(
  plan: SweepPlan,
  work: SweepWork,
  cores: number,
  onTally: OnTally,
): Promise<number | null> {
  // At most one thread per chunk.
  const threads = Math.min(cores, countChunks(plan));
  const pool = new TaskPool<SweepChunk, CellTally>(
    new URL('../workers/sweep-worker.js', import.meta.url),
    threads,
    work,
  );
  const pace = new SweepPace(plan, threads);
  const tally = new SweepTally(plan);
  const run = (): Promise<void> =>
    pool.run(chunksOf(plan), (chunk, part, tookMs) => {
      tally.add(chunk, part);
      pace.note(chunk, tookMs);
      onTally(tally, pace.runs, pace.leftMs());
    });
  return stoppable(run, () => pool.stop());
}

/** Runs that were done before this command count in its progress, and not in its pace. */
async function sweepOnQueue(
  url: string,
  plan: SweepPlan,
  work: SweepWork,
  onTally: OnTally,
): Promise<number | null> {
  const { runSharedSweep } = await sweepQueue();
  const allRuns = plan.runs * plan.cells.length;
  let first: { readonly runs: number; readonly ms: number } | null = null;
  return runSharedSweep(url, plan, work, (tally) => {
    const runs = plan.cells.reduce((sum, cell) => sum + tally.of(cell).runs, 0);
    first ??= { runs, ms: performance.now() };
    const rate = (runs - first.runs) / (performance.now() - first.ms);
    onTally(tally, runs, rate > 0 ? (allRuns - runs) / rate : null);
  });
}
