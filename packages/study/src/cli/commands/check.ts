/** `hustings check`: model checking of an election, with a shortest counterexample if there is one. */
import { availableParallelism } from 'node:os';
import { mapDefined, wrap } from '@hustings/base';
import { readCores } from '@hustings/base/command/cores-flag';
import { COUNTEREXAMPLE_FOUND, NOT_COMPLETE } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { addOptions } from '@hustings/base/command/option-table';
import { pageWidth, screenOf } from '@hustings/base/command/terminal';
import { type OutputFile, outputOf } from '@hustings/base/command/user-files';
import type { Command } from 'commander';
import {
  type CheckOptions,
  type CheckResult,
  type Counterexample,
  counterexampleOf,
  type Extreme,
  type ExtremeRun,
  extremeRunFile,
  formatCounterexample,
  narrateReplay,
  planCheck,
  replayCounterexample,
} from '../../checker/index.ts';
import { checkDrawable, type PictureStyle } from '../../drawing/index.ts';
import { type AnyAlgorithm, InputError } from '../../kernel/index.ts';
import { checkpointFacts, readCheckpointFile, writeCheckpoint } from '../checkpoint-file.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { CHECK_OPTIONS, type CheckFlags, readCheckOptions } from '../flags/check-flags.ts';
import { readPictureStyle } from '../flags/picture-flags.ts';
import { drawRoundChain } from '../picture/chain-diagram.ts';
import { GraphFiles } from '../picture/graph-files.ts';
import { type PictureFile, pictureOf } from '../picture/picture-file.ts';
import { drawReplay } from '../picture/replay-diagram.ts';
import { isComplete, reportCheck, reportViolation, warningsOf } from '../report/check-report.ts';
import { showProbabilities } from '../report/probability-report.ts';
import { claimOf, findSymmetricRun, outcomeOf } from '../report/symmetric-report.ts';
import { reportExtremeRun } from '../report/worst-report.ts';
import { checkWatched } from '../user-file/check-watched.ts';
import { searchThreads } from '../workers/search-threads.ts';

export function addCheck(program: Command): void {
  const command = program
    .command('check')
    .description(
      'Explicit-state model checking: explores the state space of an election on a small network breadth-first, over ' +
        'all schedules, and prints a shortest counterexample if there is one.\n' +
        'Safety: uniqueness and the invariants of the algorithm hold in every reachable state, agreement in every ' +
        'terminal state.\n' +
        'Termination: no deadlock, and no livelock under weak fairness.\n' +
        'Exit codes: 0 no counterexample (a warning says so if the search was incomplete; --complete makes that 1); 1 a ' +
        'counterexample; 2 bad input; ' +
        '130 Ctrl-C, before there was a counterexample.\n' +
        FILE_HELP,
    )
    .argument('<NAME>', NAME_HELP);
  addOptions(command, CHECK_OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings check peterson --nodes 4 --orders all --initiators subsets\n' +
        '  hustings check peterson --nodes 4 --orders all --nofifo --save two-leaders.json\n' +
        '  hustings check bully --nodes 3 --order ascending --crashes 1 --recoveries 1\n' +
        '  hustings check chang-roberts --ids 2,1 --losses 1 --svg lost.svg\n' +
        '  hustings check chang-roberts --nodes 6 --orders all --worst messages --svg worst.svg\n' +
        '  hustings check itai-rodeh --nodes 3 --probabilities\n' +
        '  hustings check dolev-klawe-rodeh --nodes 14 --starts first --reduce none --checkpoint dkr.ckpt\n' +
        '  hustings check dolev-klawe-rodeh --nodes 14 --starts first --reduce none --resume dkr.ckpt --states 1e9',
    )
    .action(checkCommand);
}

async function checkCommand(name: string, flags: CheckFlags): Promise<void> {
  const algorithm = await resolveAlgorithm(name);
  const plan = planCheck(algorithm, {
    ...readCheckOptions(flags),
    // Probabilities are those of lockstep: there is nothing to make smaller.
    ...(flags.probabilities && { preset: 'none' }),
  });
  const { options, setup } = plan;
  const drawsNothing = [flags.svg, flags.svgNode, flags.svgChain].every((path) => path === undefined);
  const style = readPictureStyle(flags, drawsNothing, '--svg, --svg-node or --svg-chain');
  if (flags.probabilities) {
    const chain = pictureOf('svg-chain', flags.svgChain);
    showProbabilities(name, algorithm, setup, options, flags.json === true);
    await chain?.write(drawRoundChain(algorithm, setup, options, style));
    if (chain !== null && !flags.json) console.log(`\nMarkov chain: ${chain.path}`);
    return;
  }
  if (flags.svgChain !== undefined) throw new InputError('--svg-chain needs --probabilities: give both');
  const graphs = new GraphFiles(flags, algorithm, options, style);
  if (flags.svg !== undefined) checkDrawable({ nodes: setup.topology.n });
  const picture = pictureOf('svg', flags.svg);
  const saved = outputOf('save', flags.save);
  const threads = searchThreads(name, readCores(flags.cores) ?? availableParallelism());
  const checkpointed = outputOf('checkpoint', flags.checkpoint);
  const resume = mapDefined(flags.resume, readCheckpointFile);
  let isSaved = false;
  const { exitCode, result } = await checkWatched(name, {
    ...plan,
    options: {
      ...options,
      threads,
      resume,
      checkpointFacts:
        checkpointed === null && resume === undefined ? undefined : await checkpointFacts(name),
      onStopped:
        checkpointed === null
          ? undefined
          : (checkpoint) => {
              writeCheckpoint(checkpointed, checkpoint);
              isSaved = true;
            },
    },
  });
  if (result.stopped === 'interrupt' && exitCode !== null) process.exitCode = exitCode;
  const found = counterexampleOf(algorithm, result, options, name);
  if (found !== null) process.exitCode = COUNTEREXAMPLE_FOUND;
  else if (flags.complete && (!isComplete(result) || result.vacuous)) process.exitCode ??= NOT_COMPLETE;
  const extremes = extremeRunsOf(algorithm, result, options, name);
  const shown = found ?? extremes[0]?.saved ?? null;
  const narrations: string[][] = [];
  for (const one of [found, ...extremes.map(({ saved: file }) => file)]) {
    const isWritten = one !== null && one === shown;
    if (one === null || (flags.json && !isWritten)) narrations.push([]);
    else
      narrations.push(
        await writeRun(algorithm, one, isWritten ? picture : null, isWritten ? saved : null, style),
      );
  }
  const warnings = warningsOf(result, Object.keys(algorithm.checking ?? {}));
  const symmetric = findSymmetricRun(algorithm, { ...options, nodes: setup.nodes });
  if (flags.json) {
    for (const warning of warnings) console.error(`hustings: ${warning}`);
    if (checkpointed !== null) console.error(`hustings: ${checkpointLine(checkpointed.path, isSaved)}`);
    await graphs.write();
    console.log(formatJson(symmetric === null ? result : { ...result, symmetricRun: symmetric }));
    return;
  }
  const screen = screenOf(process.stdout);
  const lines = reportCheck(setup, options, result, screen);
  if (warnings.length > 0) lines.push('', ...warnings.map((warning) => screen.paint('bad', warning)));
  const [narration, ...others] = narrations;
  if (found !== null) lines.push('', ...reportViolation(found, narration, setup.anonymous, screen));
  for (const [k, { extreme, run }] of extremes.entries()) {
    lines.push('', ...reportExtremeRun({ ...run, extreme }, others[k], setup.anonymous, screen));
  }
  if (symmetric !== null) {
    lines.push('', ...wrap(`${claimOf(symmetric)} In the end ${outcomeOf(symmetric)}.`, pageWidth(screen)));
  }
  lines.push(...(await graphs.write()));
  const files = [picture, saved].filter((file) => file !== null).map(({ path }) => path);
  if (shown !== null && picture !== null) lines.push('', `space-time diagram: ${picture.path}`);
  if (shown !== null && saved !== null) lines.push('', `replay it: hustings replay ${saved.path}`);
  if (shown === null && files.length > 0)
    lines.push('', `no counterexample; not written: ${files.join(', ')}`);
  if (checkpointed !== null) lines.push('', checkpointLine(checkpointed.path, isSaved));
  console.log(lines.join('\n'));
}

function checkpointLine(path: string, isSaved: boolean): string {
  return isSaved
    ? `checkpoint: ${path}; continue with the same options and --resume ${path}`
    : `there is nothing to continue; not written: ${path}`;
}

/** The runs of --worst and --best, in this order. */
function extremeRunsOf(
  algorithm: AnyAlgorithm,
  result: CheckResult,
  options: CheckOptions,
  calledAs: string,
): { readonly extreme: Extreme; readonly run: ExtremeRun; readonly saved: Counterexample }[] {
  return (['worst', 'best'] as const).flatMap((extreme) => {
    const run = result[extreme] ?? null;
    if (run === null) return [];
    return [{ extreme, run, saved: extremeRunFile(algorithm, extreme, run, options, calledAs) }];
  });
}

/** Writes the requested files, and returns the narration of the steps. */
async function writeRun(
  algorithm: AnyAlgorithm,
  found: Counterexample,
  picture: PictureFile | null,
  saved: OutputFile | null,
  style: PictureStyle,
): Promise<string[]> {
  saved?.write(formatCounterexample(found));
  const replayed = replayCounterexample(algorithm, found);
  await picture?.write(drawReplay(replayed, found, style));
  return narrateReplay(replayed);
}
