/** `hustings check`: model checking of an election, with a shortest counterexample if there is one. */
import { type Command, Option } from 'commander';
import {
  type CheckOptions,
  type CheckResult,
  type Counterexample,
  checkSetup,
  counterexampleOf,
  DEFAULT_CHECK_NODES,
  type Extreme,
  type ExtremeRun,
  extremeRunFile,
  formatCounterexample,
  narrateReplay,
  replayCounterexample,
} from '../../checker/index.ts';
import { checkDrawable } from '../../drawing/index.ts';
import { resolveSetup } from '../../kernel/driver.ts';
import { type AnyAlgorithm, TOPOLOGY_FORMS } from '../../kernel/index.ts';
import { COUNTEREXAMPLE_FOUND } from '../exit.ts';
import { type OutputFile, prepareOutput } from '../files.ts';
import { FILE_HELP, NAME_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { type CheckFlags, readCheckOptions } from '../flags/check-flags.ts';
import { repeated } from '../flags/option-syntax.ts';
import { formatJson } from '../json.ts';
import { Progress } from '../progress.ts';
import { reportCheck, reportViolation, warningsOf } from '../report/check-report.ts';
import { showProbabilities } from '../report/probability-report.ts';
import { drawReplay } from '../report/run-diagram.ts';
import { claimOf, findSymmetricRun, outcomeOf } from '../report/symmetric-report.ts';
import { reportExtremeRun } from '../report/worst-report.ts';
import { wrap } from '../table.ts';
import { pageWidth, screenOf } from '../terminal.ts';
import { watchIfOwn } from '../user-file/handler-watch.ts';

/** Options that describe schedules, faults or single runs. Probabilities are those of lockstep, without faults. */
const NOT_WITH_PROBABILITIES = [
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
    'invariants',
    'nofifo',
  ],
  ...['worst', 'best', 'fingerprints', 'memory', 'svg', 'save'],
];

export function addCheck(program: Command): void {
  program
    .command('check')
    .summary('model-check an election: explore its whole state space')
    .description(
      'Explicit-state model checking: explores the state space of an election on a small network breadth-first, over ' +
        'all schedules, and prints a shortest counterexample if there is one.\n' +
        'Safety: uniqueness and the invariants of the algorithm hold in every reachable state, agreement in every ' +
        'terminal state.\n' +
        'Termination: no deadlock, and no livelock under weak fairness.\n' +
        'Exit codes: 0 no counterexample (a warning says so if the search was incomplete); 1 a counterexample; 2 bad input.\n' +
        FILE_HELP,
    )
    .argument('<NAME>', NAME_HELP)
    .addOption(
      new Option('--nodes <N>', `number of nodes (default: ${DEFAULT_CHECK_NODES})`).conflicts('ids'),
    )
    .option('--ids <LIST>', 'ids by position, as in 5,3,8,1 (default: 1 to N)')
    .addOption(
      new Option(
        '--order <ORDER>',
        'order of the ids around the network: ascending, descending or random (default: random)',
      ).conflicts('ids'),
    )
    .option('--topology <NETWORK>', `network: ${TOPOLOGY_FORMS.join(', ')} (default: by the algorithm)`)
    .option('--orders <WHICH>', 'orders of the ids to check: one or all (default: one)')
    .option(
      '--initiators <WHICH>',
      'nodes that start by themselves: all, subsets (every non-empty set), or positions such as 0,2 (default: all)',
    )
    .option(
      '--starts <WHEN>',
      'when initiators start: free (at any time), first (before any delivery) or together (default: free, or together ' +
        'for bounded-delay and synchronous algorithms)',
    )
    .option('--crashes <K>', 'maximum number of crashes, each at any time (default: 0)')
    .option('--recoveries <K>', 'maximum number of recoveries (default: 0)')
    .option('--losses <K>', 'maximum number of lost messages (default: 0)')
    .option('--delay <D>', 'longest delay of a message in a bounded-delay network, in units (default: 1)')
    .option('--suspect', 'let timers of a bounded-delay network fire early: an unreliable failure detector')
    .option('--nofifo', 'let messages overtake one another, even if the algorithm assumes FIFO links')
    .option('--despite <ASSUMPTION>', 'check although this assumption is violated: timing')
    .option(
      '--bound <COUNTER=MAX>',
      'do not explore states in which this counter of a node exceeds MAX; repeatable',
      repeated,
    )
    .option(
      '--reduce <HOW>',
      'auto (partial-order reduction, and symmetry reduction by rotation on rings) or none (default: auto)',
    )
    .option(
      '--invariants <WHICH>',
      'invariants to check: all, node, none, or names; invariants of the network turn the reductions off ' +
        '(default: all; node with --worst or --best; none if the search violates an assumption)',
    )
    .option(
      '--fingerprints',
      'store a 64-bit fingerprint per state (hash compaction): less memory, not exact',
    )
    .option('--states <LIMIT>', 'stop after this number of states (default: 20 million)')
    .option('--memory <LIMIT>', 'stop when the state store exceeds this size, as in 512MB (default: 4GB)')
    .option(
      '--worst <COST>',
      'also find a most expensive run: messages, election, bits, or time (the longest chain of messages)',
    )
    .option('--best <COST>', 'also find a least expensive run: messages, election or bits')
    .addOption(
      new Option(
        '--probabilities',
        'compute the exact probabilities and expectations of a randomized election instead of searching',
      ).conflicts(NOT_WITH_PROBABILITIES),
    )
    .option('--set <NAME=VALUE>', 'parameter of the algorithm; repeatable', repeated)
    .option('--save <FILE>', "save the counterexample, or the most expensive run, for 'hustings replay'")
    .option('--svg <FILE>', 'draw the counterexample, or the most expensive run, as a space-time diagram')
    .option('--json', 'print the result of check() as one JSON document')
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
  const setup = resolveSetup(algorithm, options, DEFAULT_CHECK_NODES);
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
      return watchIfOwn(name, algorithm, (watched) =>
        checkSetup({ ...setup, algorithm: watched }, { ...options, onProgress }),
      );
    } finally {
      progress.clear();
    }
  })();
  const found = counterexampleOf(algorithm, result, options, name);
  if (found !== null) process.exitCode = COUNTEREXAMPLE_FOUND;
  const extremes = extremeRunsOf(algorithm, result, options, name);
  const shown = found ?? extremes[0]?.saved ?? null;
  const narrations = [found, ...extremes.map(({ saved: file }) => file)].map((one) => {
    const isWritten = one !== null && one === shown;
    if (one === null || (flags.json && !isWritten)) return [];
    return writeRun(algorithm, one, isWritten ? picture : null, isWritten ? saved : null);
  });
  const warnings = warningsOf(result);
  const symmetric = findSymmetricRun(algorithm, { ...options, nodes: setup.nodes });
  if (flags.json) {
    for (const warning of warnings) console.error(`hustings: ${warning}`);
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
  const files = [picture, saved].filter((file) => file !== null).map(({ path }) => path);
  if (shown !== null && picture !== null) lines.push('', `space-time diagram: ${picture.path}`);
  if (shown !== null && saved !== null) lines.push('', `replay it: hustings replay ${saved.path}`);
  if (shown === null && files.length > 0)
    lines.push('', `no counterexample; not written: ${files.join(', ')}`);
  console.log(lines.join('\n'));
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
function writeRun(
  algorithm: AnyAlgorithm,
  found: Counterexample,
  picture: OutputFile | null,
  saved: OutputFile | null,
): string[] {
  saved?.write(formatCounterexample(found));
  const replayed = replayCounterexample(algorithm, found);
  picture?.write(drawReplay(replayed, found));
  return narrateReplay(replayed);
}
