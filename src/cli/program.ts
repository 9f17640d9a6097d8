/** The program `hustings`: finds the verb, loads it, and passes the arguments on. */
import { Command, CommanderError } from 'commander';
import { InputError } from '../errors/hustings-error.ts';
import { suggestion } from '../errors/similar-name.ts';
import { versionOfPackage } from './package-version.ts';
import { VERBS } from './verbs.ts';

/** The program with one verb, or with all of them if there is no such verb. */
export async function makeProgram(verb: string): Promise<Command> {
  const program = new Command('hustings')
    .description('Leader election, from the textbook to production.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText(
      'after',
      '\nExamples:\n  hustings algorithms\n  hustings simulate chang-roberts --nodes 16\n  hustings check peterson --nodes 4\n' +
        '  hustings check ./my-election.ts --nodes 4\n' +
        '  hustings lead --name billing-cron -- node billing.js\n  hustings leader billing-cron\n\n' +
        'Exit codes: 0 done; 1 the election failed or can fail, or there is no leader;\n' +
        '2 bad input; 3 a file or a store failed, or memory ran out. lead has more exit codes.',
    );
  // Before the verbs are added, because they inherit both: only `report` ends the process and writes errors.
  program.exitOverride().configureOutput({ outputError: () => {} });
  const wanted = Object.hasOwn(VERBS, verb) ? [VERBS[verb]] : Object.values(VERBS);
  const adders = await Promise.all(wanted.map(({ load }) => load()));
  for (const [i, add] of adders.entries()) add(program.commandsGroup(wanted[i].group));
  return program;
}

/** `args` are the arguments after the name of the program. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const [verb] = args;
  if (verb === undefined) return (await makeProgram('')).outputHelp();
  if (!verb.startsWith('-') && !Object.hasOwn(VERBS, verb)) {
    throw new InputError(
      `'${verb}' is not a command${suggestion(verb, Object.keys(VERBS))} ('hustings --help' lists all)`,
    );
  }
  const program = await makeProgram(verb);
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError) || error.exitCode === 0) throw error;
    const text = error.message.replace(/^error: |\.$/g, '').replaceAll('\n', ' ');
    throw new InputError(`${text}; see '${commandOf(program, args)} --help'`, { cause: error });
  }
}

/** The command that the arguments begin with, such as `hustings cluster init`. */
function commandOf(program: Command, [name, ...rest]: readonly string[]): string {
  const command = program.commands.find((each) => each.name() === name);
  return command === undefined ? program.name() : `${program.name()} ${commandOf(command, rest)}`;
}
