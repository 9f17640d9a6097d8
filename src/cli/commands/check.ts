/** `hustings check`: every schedule of an election, and a shortest run that goes wrong where there is one. */
import { type Command, Option } from 'commander';
import {
  type CheckOptions,
  type CheckResult,
  check,
  type Extreme,
  type ExtremeRun,
} from '../../checker/index.ts';
import { checkDrawable } from '../../drawing/index.ts';
import { resolveSetup } from '../../kernel/driver.ts';
import { type AnyAlgorithm, TOPOLOGY_FORMS } from '../../kernel/index.ts';
import { COUNTEREXAMPLE_FOUND } from '../exit.ts';
import { type OutputFile, prepareOutput } from '../files.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { type CheckFlags, readCheckOptions } from '../flags/check-flags.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { reportCheck, reportViolation, warningsOf } from '../report/check-report.ts';
import {
  type Counterexample,
  counterexampleOf,
  extremeRunFile,
  formatCounterexample,
} from '../report/counterexample-file.ts';
import { drawReplay, replayCounterexample, tellReplay } from '../report/counterexample-replay.ts';
import { showProbabilities } from '../report/probability-report.ts';
import { claimOf, fateOf, findSymmetricRun } from '../report/symmetric-report.ts';
import { reportExtremeRun } from '../report/worst-report.ts';
import { wrap } from '../table.ts';
import { screenOf } from '../terminal.ts';
import { watchIfOwn } from '../user-file/handler-watch.ts';

const repeated = (word: string, before: readonly string[] = []): string[] => [...before, word];

/** What speaks of schedules, faults and runs: chances are those of lockstep. */
const NOT_WITH_CHANCES = [
  ...[
    'starts',
    'crashes',
    'recoveries',
    'losses',
    'delay',
    'despite',
    'suspect',
    'bound',
    'reduce',
    'nofifo',
  ],
  ...['worst', 'best', 'fingerprints', 'memory', 'svg', 'save'],
];

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('search every schedule of an election for one that fails')
    .description(
      'Searches every schedule of an election on a small network, for one that fails.\n' +
        `Exit codes: 0 there is none, or the search met a limit; 1 there is one; 2 bad input.\n${FILE_HELP}`,
    )
    .argument('<NAME>', NAME_HELP)
    .addOption(new Option('--nodes <N>', 'how many nodes (default: 8)').conflicts('ids'))
    .option('--ids <LIST>', 'their ids by position, as in 5,3,8,1 (default: 1 to N, in a random order)')
    .addOption(
      new Option(
        '--order <ORDER>',
        'of the ids 1 to N: ascending, descending or random (default: random)',
      ).conflicts('ids'),
    )
    .option('--topology <NETWORK>', `${TOPOLOGY_FORMS.join(', ')} (default: the algorithm's own)`)
    .option('--orders <WHICH>', 'one, the ids as they stand, or all (default: one)')
    .option('--initiators <WHO>', 'all, subsets, which is every set, or positions such as 0,2 (default: all)')
    .option(
      '--starts <WHEN>',
      'free, at any moment; first, before a message arrives; together, all at once (default: free, or together where links are timely)',
    )
    .option('--crashes <K>', 'up to so many nodes crash, at any moments (default: 0)')
    .option('--recoveries <K>', 'up to so many come back (default: 0)')
    .option('--losses <K>', 'up to so many messages are lost (default: 0)')
    .option('--delay <D>', 'where links are timely, a message takes 1 to D units (default: 1)')
    .option('--despite <NAME>', 'timing: search although a round trip may outlast the time-out')
    .option('--suspect', 'where links are timely, timers may fire early')
    .option(
      '--bound <COUNTER=MOST>',
      'go no further where a counter of a node is larger; repeatable',
      repeated,
    )
    .option(
      '--reduce <HOW>',
      'auto, leave out steps and orders for which others stand, or none (default: auto)',
    )
    .option(
      '--worst <COST>',
      'also show the run that costs most messages, election messages, bits, or time: the longest chain of messages',
    )
    .option('--best <COST>', 'also show the run that costs least messages, election messages, or bits')
    .addOption(
      new Option(
        '--probabilities',
        'instead of a search: the exact chances and means of an election by lot, as fractions',
      ).conflicts(NOT_WITH_CHANCES),
    )
    .option('--set <NAME=VALUE>', 'a parameter of the algorithm; repeatable', repeated)
    .option('--nofifo', 'messages may overtake one another, whatever the algorithm assumes')
    .option('--fingerprints', 'keep 64 bits of each state, not all of it: less memory, not quite exact')
    .option('--states <LIMIT>', 'gives up after so many states (default: 20 million)')
    .option('--memory <AMOUNT>', 'gives up when the states take more, as in 512MB (default: 4GB)')
    .option('--json', 'print one JSON document, as check() of the library returns it')
    .option('--svg <FILE>', 'write the counterexample, or the worst run, as a space-time diagram')
    .option('--save <FILE>', "write the counterexample, or the worst run, as a file for 'hustings replay'")
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings check peterson --nodes 4 --orders all --initiators subsets\n' +
        '  hustings check peterson --nodes 4 --orders all --nofifo --save two-leaders.json\n' +
        '  hustings check bully --nodes 3 --order ascending --crashes 1 --recoveries 1\n' +
        '  hustings check chang-roberts --ids 2,1 --losses 1 --svg lost.svg\n' +
        '  hustings check chang-roberts --nodes 6 --orders all --worst messages --svg worst.svg\n' +
        '  hustings check itai-rodeh --nodes 3 --probabilities',
    )
    .action(checkCommand);
}

async function checkCommand(name: string, flags: CheckFlags): Promise<void> {
  const algorithm = await resolveAlgorithm(name);
  const options = readCheckOptions(flags);
  const setup = resolveSetup(algorithm, options);
  if (flags.probabilities) {
    showProbabilities(name, algorithm, setup, options, flags.json === true);
    return;
  }
  if (flags.svg !== undefined) checkDrawable({ nodes: setup.topology.n });
  const picture = flags.svg === undefined ? null : prepareOutput('svg', flags.svg);
  const saved = flags.save === undefined ? null : prepareOutput('save', flags.save);
  const progress = new Progress(process.stderr, true);
  const onProgress = progress.updateSearch.bind(progress);
  const result = (() => {
    try {
      return watchIfOwn(name, algorithm, (watched) => check(watched, { ...options, onProgress }));
    } finally {
      progress.clear();
    }
  })();
  const found = counterexampleOf(algorithm, result, options, name);
  if (found !== null) process.exitCode = COUNTEREXAMPLE_FOUND;
  const costly = costlyRunsOf(algorithm, result, options, name);
  const shown = found ?? costly[0]?.saved ?? null;
  const told = [found, ...costly.map(({ saved: file }) => file)].map((one) => {
    const isWritten = one !== null && one === shown;
    if (one === null || (flags.json && !isWritten)) return [];
    return writeRun(algorithm, one, isWritten ? picture : null, isWritten ? saved : null);
  });
  const warnings = warningsOf(result);
  const symmetric = findSymmetricRun(algorithm, options);
  if (flags.json) {
    for (const warning of warnings) console.error(`hustings: ${warning}`);
    console.log(formatJson(symmetric === null ? result : { ...result, symmetricRun: symmetric }));
    return;
  }
  const screen = screenOf(process.stdout);
  const lines = reportCheck(setup, options, result, screen);
  if (warnings.length > 0) lines.push('', ...warnings.map((warning) => screen.paint('bad', warning)));
  const [story, ...stories] = told;
  if (found !== null) lines.push('', ...reportViolation(found, story, setup.anonymous, screen));
  for (const [k, { extreme, run }] of costly.entries()) {
    lines.push('', ...reportExtremeRun({ ...run, extreme }, stories[k], setup.anonymous, screen));
  }
  if (symmetric !== null) {
    lines.push(
      '',
      ...wrap(`${claimOf(symmetric)} In the end ${fateOf(symmetric)}.`, Math.min(screen.width, 100)),
    );
  }
  const files = [picture, saved].filter((file) => file !== null).map(({ path }) => path);
  if (shown !== null && picture !== null) lines.push('', `space-time diagram: ${picture.path}`);
  if (shown !== null && saved !== null) lines.push('', `to run it again: hustings replay ${saved.path}`);
  if (shown === null && files.length > 0)
    lines.push('', `no counterexample, so not written: ${files.join(', ')}`);
  console.log(lines.join('\n'));
}

/** Those that were asked for and found, the worst first. */
function costlyRunsOf(
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

/** Writes the files that were asked for, and tells the steps. */
function writeRun(
  algorithm: AnyAlgorithm,
  found: Counterexample,
  picture: OutputFile | null,
  saved: OutputFile | null,
): string[] {
  saved?.write(formatCounterexample(found));
  const replayed = replayCounterexample(algorithm, found);
  picture?.write(drawReplay(replayed, found));
  return tellReplay(replayed);
}
