/** `hustings replay`: replays a saved run step by step, and checks that it still shows what it was saved for. */
import { dirname } from 'node:path';
import { COUNTEREXAMPLE_FOUND } from '@hustings/base/command/exit';
import { formatJson } from '@hustings/base/command/json';
import { addOptions, type FlagsOf } from '@hustings/base/command/option-table';
import { screenOf } from '@hustings/base/command/terminal';
import { readInput } from '@hustings/base/command/user-files';
import type { Command } from 'commander';
import {
  isReproduced,
  narrateReplay,
  parseCounterexample,
  replayCounterexample,
} from '../../checker/index.ts';
import { checkDrawable } from '../../drawing/index.ts';
import { InputError } from '../../kernel/index.ts';
import { formatEvent } from '../../simulator/index.ts';
import { FILE_HELP, resolveAlgorithm } from '../flags/algorithm-name.ts';
import { PICTURE_OPTIONS, readPictureStyle } from '../flags/picture-flags.ts';
import { clusterRecordings } from '../other-doors.ts';
import { pictureOf } from '../picture/picture-file.ts';
import { drawReplay } from '../picture/replay-diagram.ts';
import { reportViolation, violationTitle } from '../report/check-report.ts';
import { costTitle, reportExtremeRun } from '../report/worst-report.ts';
import { isFolder, isTraceFile } from '../trace-files.ts';
import { watchIfOwn } from '../user-file/handler-watch.ts';

const REPLAY_OPTIONS = {
  '--trace': 'print every event on a line of its own, with the number of its step; with --json, on stderr',
  '--states': 'also print the state of each node before the first step, and of a node after each step of it',
  '--json': 'print one JSON document; with --states, its events include the states',
  '--svg <FILE>': 'draw the run as a space-time diagram: .svg, or .png or .pdf through an installed Chromium',
  '--shiviz <FILE>': 'for a folder: write the run as a log for ShiViz',
  '--algorithm <NAME>': 'for a folder: the algorithm, if it is your own: a file that exports it',
  ...PICTURE_OPTIONS,
} as const;

type ReplayFlags = FlagsOf<typeof REPLAY_OPTIONS>;

export function addReplay(program: Command): void {
  const command = program
    .command('replay')
    .description(
      "Replays a file that 'hustings check --save' wrote, and explains each step.\n" +
        'Exit codes: 0 the property is no longer violated; 1 it still is; 2 bad input, or a step is not enabled.\n' +
        'For a most or least expensive run: 0 it costs what the file says; 1 it does not.\n' +
        `The file names your own algorithm by its path, relative to the current directory. ${FILE_HELP}\n` +
        "For a folder of 'hustings node --record': merges the recordings of all members, and checks that every step is one that\n" +
        'the algorithm may take. Exit codes: 0 every step is; 1 one is not, or a property is violated; 2 bad input, or the files\n' +
        'cannot be of one run.',
    )
    .argument('<FILE>', 'saved counterexample, or folder with recordings');
  addOptions(command, REPLAY_OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  hustings check peterson --nodes 4 --orders all --nofifo --save two-leaders.json\n' +
        '  hustings replay two-leaders.json --states\n' +
        '  hustings replay two-leaders.json --svg two-leaders.svg\n' +
        '  hustings replay recordings --shiviz run.log',
    )
    .action(replayCommand);
}

async function replayCommand(path: string, flags: ReplayFlags): Promise<void> {
  if (isFolder(path)) {
    refuseFlags(flags, ['trace', 'states', 'svg'], 'a counterexample');
    await (await clusterRecordings()).replayFolder(path, flags);
    return;
  }
  refuseFlags(flags, ['shiviz', 'algorithm'], 'a folder with recordings');
  const text = readInput('FILE', path);
  if (isTraceFile(path)) {
    throw new InputError(
      `FILE must be the folder of all recordings, not one of them; give '${dirname(path)}'`,
    );
  }
  const saved = parseCounterexample(text, path);
  const algorithm = await resolveAlgorithm(saved.algorithm);
  const style = readPictureStyle(flags, flags.svg === undefined);
  if (flags.svg !== undefined) checkDrawable({ nodes: saved.ids.length });
  const picture = pictureOf('svg', flags.svg);
  const { replayed, reproduced } = watchIfOwn(saved.algorithm, algorithm, (watched) => {
    const again = replayCounterexample(watched, saved);
    return { replayed: again, reproduced: isReproduced(watched, saved, again) };
  });
  await picture?.write(drawReplay(replayed, saved, style));
  if (reproduced === (saved.cost === null)) process.exitCode = COUNTEREXAMPLE_FOUND;
  const events = flags.states ? replayed.trace : replayed.events;
  const traced = flags.trace ? events.flat().map(formatEvent) : null;
  if (flags.json) {
    for (const line of traced ?? []) console.error(line);
    const [before, ...steps] = events;
    console.log(
      formatJson({
        version: 1,
        algorithm: saved.algorithm,
        property: saved.property,
        shows: reproduced,
        violation: replayed.violation,
        ended: replayed.ended,
        cost: replayed.cost,
        before,
        steps: steps.map((during, k) => ({ step: saved.steps[k], events: during })),
      }),
    );
    return;
  }
  const screen = screenOf(process.stdout);
  const narration = traced ?? narrateReplay(replayed, { states: flags.states === true });
  const { anonymous } = replayed.setup;
  const lines =
    saved.cost === null
      ? reportViolation(saved, narration, anonymous, screen)
      : reportExtremeRun({ ...saved, ...saved.cost, cost: replayed.cost }, narration, anonymous, screen);
  const violated = violationTitle(saved.property);
  const verdict =
    saved.cost !== null
      ? `${reproduced ? 'reproduced' : 'not reproduced'}: ${costTitle(saved.cost)}`
      : reproduced
        ? `reproduced: ${violated}: ${replayed.violation?.text ?? saved.text}`
        : `not reproduced: in the file ${violated}, in this run it is not`;
  lines.push('', screen.paint(reproduced === (saved.cost === null) ? 'bad' : 'good', verdict));
  if (picture !== null) lines.push('', `space-time diagram: ${picture.path}`);
  console.log(lines.join('\n'));
}

function refuseFlags(flags: ReplayFlags, names: readonly (keyof ReplayFlags)[], kind: string): void {
  const wrong = names.find((name) => flags[name] !== undefined);
  if (wrong !== undefined) throw new InputError(`--${wrong} needs ${kind}`);
}
