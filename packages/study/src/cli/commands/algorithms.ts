/** `hustings algorithms`: lists all algorithms with their model and cost, or describes one. */

import { wrap } from '@hustings/base';
import { formatJson } from '@hustings/base/command/json';
import { addOptions, type FlagsOf } from '@hustings/base/command/option-table';
import { pageWidth, type Screen, screenOf } from '@hustings/base/command/terminal';
import type { Command } from 'commander';
import { asPrinted, attempts, registry, twins } from '../../algorithms/index.ts';
import { describeAlgorithm } from '../../kernel/algorithm-description.ts';
import { resolveAlgorithm } from '../flags/algorithm-name.ts';
import {
  algorithmList,
  attemptList,
  attemptNote,
  twinCommand,
  twinList,
  twinNote,
} from '../report/algorithm-lists.ts';
import { algorithmPage } from '../report/algorithm-page.ts';

const OPTIONS = {
  '--broken': 'list the wrong twins instead: mutants with one wrong line, which the checker must catch',
  '--impossible': 'list the impossible elections instead: deterministic elections in anonymous rings',
  '--json': 'print one JSON document',
} as const;

export function addAlgorithms(program: Command): void {
  const command = program
    .command('algorithms')
    .description('Lists all algorithms with their model and cost, or describes one.')
    .argument('[NAME]', 'algorithm to describe: a name, or a file that exports one');
  addOptions(command, OPTIONS)
    .addHelpText(
      'after',
      '\nExamples:\n  hustings algorithms\n  hustings algorithms chang-roberts\n  hustings algorithms --broken',
    )
    .action(algorithmsCommand);
}

async function algorithmsCommand(
  name: string | undefined,
  { broken, impossible, json }: FlagsOf<typeof OPTIONS>,
): Promise<void> {
  const screen = screenOf(process.stdout);
  if (name !== undefined) {
    console.log(await describeOne(name, json === true, screen));
  } else if (broken) {
    const described = twins.map(({ algorithm, ...twin }) => ({ ...twin, title: algorithm.title }));
    console.log(json ? formatJson(described) : twinList(twins, screen).join('\n'));
  } else if (impossible) {
    const described = attempts.map(({ algorithm: { title }, ...attempt }) => ({ ...attempt, title }));
    console.log(json ? formatJson(described) : attemptList(attempts, screen).join('\n'));
  } else {
    const all = registry.map(describeAlgorithm);
    console.log(json ? formatJson(all) : algorithmList(all, screen).join('\n'));
  }
}

async function describeOne(name: string, json: boolean, screen: Screen): Promise<string> {
  const algorithm = await resolveAlgorithm(name);
  const description = describeAlgorithm(algorithm);
  if (json) return formatJson(description);
  const page = algorithmPage(algorithm, description, screen, name);
  const twin = twins.find((each) => each.name === name);
  if (twin !== undefined) {
    page.push(`  ${twinCommand(twin)}`, '', ...wrap(twinNote(twin), pageWidth(screen)));
  }
  const printed = asPrinted.find((each) => each.name === name);
  if (printed !== undefined) {
    const note = `${printed.of} with one line as a source prints it: ${printed.shows}.`;
    page.push('', ...wrap(note, pageWidth(screen)));
  }
  const attempt = attempts.find((each) => each.name === name);
  if (attempt !== undefined) page.push('', ...wrap(attemptNote(attempt), pageWidth(screen)));
  return page.join('\n');
}
