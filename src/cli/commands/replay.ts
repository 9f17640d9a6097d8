/** `hustings replay`: a saved run again, step by step, and whether it still is what it was saved for. */
import type { Command } from 'commander';
import { checkDrawable } from '../../drawing/index.ts';
import { COUNTEREXAMPLE_FOUND } from '../exit.ts';
import { prepareOutput, readInput } from '../files.ts';
import { FILE_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { formatJson } from '../json.ts';
import { breakOf, reportViolation } from '../report/check-report.ts';
import { parseCounterexample } from '../report/counterexample-file.ts';
import {
  costsAgain,
  drawReplay,
  replayCounterexample,
  showsAgain,
  tellReplay,
} from '../report/counterexample-replay.ts';
import { costTitle, reportExtremeRun } from '../report/worst-report.ts';
import { screenOf } from '../terminal.ts';
import { watchIfOwn } from '../user-file/handler-watch.ts';

interface ReplayWords {
  readonly json?: true;
  readonly svg?: string;
}

export function addReplay(program: Command): void {
  program
    .command('replay')
    .summary('run a counterexample again, step by step')
    .description(
      "Runs a file that 'hustings check --save' has written, and tells each step.\n" +
        'Exit codes: 0 what it broke no longer breaks; 1 it does; 2 bad input, or a step that cannot be taken.\n' +
        'Of a run that costs most or least: 0 it costs what the file says; 1 it does not.\n' +
        `An algorithm of your own is looked for where the file names it. ${FILE_HELP}`,
    )
    .argument('<FILE>', 'the counterexample')
    .option('--json', 'print one JSON document')
    .option('--svg <FILE>', 'write a space-time diagram')
    .addHelpText(
      'after',
      '\nExample:\n' +
        '  hustings check peterson --nodes 4 --orders all --nofifo --save two-leaders.json\n' +
        '  hustings replay two-leaders.json --svg two-leaders.svg',
    )
    .action(replayCommand);
}

async function replayCommand(path: string, flags: ReplayWords): Promise<void> {
  const saved = parseCounterexample(readInput('replay', path), path);
  const algorithm = await resolveAlgorithm(saved.algorithm);
  if (flags.svg !== undefined) checkDrawable({ nodes: saved.ids.length });
  const picture = flags.svg === undefined ? null : prepareOutput('svg', flags.svg);
  const { replayed, shows } = watchIfOwn(saved.algorithm, algorithm, (watched) => {
    const again = replayCounterexample(watched, saved);
    const isAgain = saved.cost === null ? showsAgain : costsAgain;
    return { replayed: again, shows: isAgain(watched, saved, again) };
  });
  picture?.write(drawReplay(replayed, saved));
  if (shows === (saved.cost === null)) process.exitCode = COUNTEREXAMPLE_FOUND;
  if (flags.json) {
    const [before, ...steps] = replayed.events;
    console.log(
      formatJson({
        version: 1,
        algorithm: saved.algorithm,
        property: saved.property,
        shows,
        violation: replayed.violation,
        ended: replayed.ended,
        cost: replayed.cost,
        before,
        steps: steps.map((events, k) => ({ step: saved.steps[k], events })),
      }),
    );
    return;
  }
  const screen = screenOf(process.stdout);
  const story = tellReplay(replayed);
  const { anonymous } = replayed.setup;
  const lines =
    saved.cost === null
      ? reportViolation(saved, story, anonymous, screen)
      : reportExtremeRun({ ...saved, ...saved.cost, cost: replayed.cost }, story, anonymous, screen);
  const breaks = breakOf(saved.property);
  const verdict =
    saved.cost !== null
      ? `${shows ? 'again' : 'not shown: in the file it is'} ${costTitle(saved.cost)}`
      : shows
        ? `again ${breaks}: ${replayed.violation?.text ?? saved.text}`
        : `not shown: ${breaks} in the file, but not in this run`;
  lines.push('', screen.paint(shows === (saved.cost === null) ? 'bad' : 'good', verdict));
  if (picture !== null) lines.push('', `space-time diagram: ${picture.path}`);
  console.log(lines.join('\n'));
}
