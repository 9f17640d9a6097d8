/** The verbs, one line each, and what all of them share. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { InputError } from '../kernel/index.ts';
import { addAlgorithms } from './algorithms.ts';
import { addCheck } from './check.ts';
import { addLead } from './lead.ts';
import { addLeader } from './leader.ts';
import { hintAt } from './nearest-name.ts';
import { addReplay } from './replay.ts';
import { addSimulate } from './simulate.ts';
import { addSweep } from './sweep.ts';
import { addWelcome } from './welcome.ts';

function makeProgram(): Command {
  const program = new Command('hustings')
    .description('Leader election, from the textbook to production.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'explain a command')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExamples:\n  hustings algorithms\n  hustings simulate chang-roberts --nodes 16\n  hustings check peterson --nodes 4\n' +
        '  hustings check ./my-election.ts --nodes 4\n\n' +
        'Exit codes: 0 done; 1 the election failed, or can fail; 2 bad input; 3 the surroundings, such as a file.',
    );
  // Before the verbs are added, which inherit both: nothing but `report` ends the process or writes an error.
  program.exitOverride().configureOutput({ outputError: () => {} });
  addWelcome(program);
  addAlgorithms(program);
  addSimulate(program);
  addSweep(program);
  addCheck(program);
  addReplay(program);
  addLead(program);
  addLeader(program);
  return program;
}

/** `words` are what follows the name of the program. */
export async function runProgram(words: readonly string[]): Promise<void> {
  const program = makeProgram();
  const [verb] = words;
  if (verb === undefined) return program.outputHelp();
  const verbs = program.commands.map((command) => command.name());
  if (!verb.startsWith('-') && !verbs.includes(verb)) {
    throw new InputError(
      `expected a command, got '${verb}': ${hintAt(verb, verbs)} ('hustings --help' lists all)`,
    );
  }
  await program.parseAsync(words, { from: 'user' });
}

/** The same path from src/cli and from dist/cli. */
function versionOfPackage(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
