/** The program `hustings`: finds the verb, loads it, and gives it the words that follow. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { InputError } from '../kernel/index.ts';
import { hintAt } from './flags/nearest-name.ts';
import { VERBS } from './verbs.ts';

/** The program with one verb, or with all of them if there is no such verb. */
export async function makeProgram(verb: string): Promise<Command> {
  const program = new Command('hustings')
    .description('Leader election, from the textbook to production.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExamples:\n  hustings algorithms\n  hustings simulate chang-roberts --nodes 16\n  hustings check peterson --nodes 4\n' +
        '  hustings check ./my-election.ts --nodes 4\n' +
        '  hustings lead --name billing-cron -- node billing.js\n  hustings leader billing-cron\n\n' +
        'Exit codes: 0 done; 1 the election failed, or can fail, or nobody leads; 2 bad\n' +
        'input; 3 the surroundings, such as a file or a store; lead has its own.',
    );
  // Before the verbs are added, which inherit both: nothing but `report` ends the process or writes an error.
  program.exitOverride().configureOutput({ outputError: () => {} });
  const wanted = Object.hasOwn(VERBS, verb) ? [VERBS[verb]] : Object.values(VERBS);
  const adders = await Promise.all(wanted.map(({ load }) => load()));
  for (const [i, add] of adders.entries()) add(program.commandsGroup(wanted[i].group));
  return program;
}

/** `words` are what follows the name of the program. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const [verb] = words;
  if (verb === undefined) return (await makeProgram('')).outputHelp();
  if (!verb.startsWith('-') && !Object.hasOwn(VERBS, verb)) {
    throw new InputError(
      `expected a command, got '${verb}': ${hintAt(verb, Object.keys(VERBS))} ('hustings --help' lists all)`,
    );
  }
  const program = await makeProgram(verb);
  await program.parseAsync(words, { from: 'user' });
}

/** The same path from src/cli and from dist/cli. */
function versionOfPackage(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
