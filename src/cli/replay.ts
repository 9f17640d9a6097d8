/** `hustings replay`: a counterexample again, step by step, and whether it still is one. */
import type { Command } from 'commander';
import { checkDrawable } from '../drawing/index.ts';
import { FILE_HELP, resolveAlgorithm } from './algorithm-name.ts';
import { breakOf, reportViolation } from './check-report.ts';
import { parseCounterexample } from './counterexample-file.ts';
import { drawReplay, replayCounterexample, showsAgain, tellReplay } from './counterexample-replay.ts';
import { COUNTEREXAMPLE_FOUND } from './failure.ts';
import { prepareOutput, readInput } from './files.ts';
import { watchIfOwn } from './handler-watch.ts';
import { formatJson } from './json.ts';
import { screenOf } from './terminal.ts';

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

async function replayCommand(path: string, words: ReplayWords): Promise<void> {
  const saved = parseCounterexample(readInput('replay', path), path);
  const algorithm = await resolveAlgorithm(saved.algorithm);
  if (words.svg !== undefined) checkDrawable({ nodes: saved.ids.length });
  const picture = words.svg === undefined ? null : prepareOutput('svg', words.svg);
  const { replayed, shows } = watchIfOwn(saved.algorithm, algorithm, (watched) => {
    const again = replayCounterexample(watched, saved);
    return { replayed: again, shows: showsAgain(watched, saved, again) };
  });
  picture?.write(drawReplay(replayed, saved));
  if (shows) process.exitCode = COUNTEREXAMPLE_FOUND;
  if (words.json) {
    const [before, ...steps] = replayed.events;
    console.log(
      formatJson({
        version: 1,
        algorithm: saved.algorithm,
        property: saved.property,
        shows,
        violation: replayed.violation,
        ended: replayed.ended,
        before,
        steps: steps.map((events, k) => ({ step: saved.steps[k], events })),
      }),
    );
    return;
  }
  const screen = screenOf(process.stdout);
  const lines = reportViolation(saved, tellReplay(replayed), replayed.stage.anonymous, screen);
  const verdict = shows
    ? `again ${breakOf(saved.property)}: ${replayed.violation?.text ?? saved.text}`
    : `not shown: ${breakOf(saved.property)} in the file, but not in this run`;
  lines.push('', screen.paint(shows ? 'bad' : 'good', verdict));
  if (picture !== null) lines.push('', `space-time diagram: ${picture.path}`);
  console.log(lines.join('\n'));
}
