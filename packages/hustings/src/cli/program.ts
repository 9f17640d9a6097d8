/** The program `hustings`: finds the verb, loads it, and passes the arguments on. */
import { InputError, suggestion } from '@hustings/base';
import { versionOfPackage } from '@hustings/base/command/package-version';
import type { VerbTable } from '@hustings/base/command/verb';
import { Command, CommanderError } from 'commander';
import { installedVerbs, OTHER_VERBS, VERB_NAMES, verbsWith } from './installed-verbs.ts';

/** The program with these verbs. Of `loaded` it has the flags, of the others the names and what `--help` lists. */
export async function makeProgram(
  verbs: VerbTable,
  missing: readonly string[],
  ...loaded: readonly string[]
): Promise<Command> {
  const elsewhere = missing.map((name) => `  ${name}: ${OTHER_VERBS[name].join(', ')}\n`);
  const program = new Command('hustings')
    .description('Leader election, from the textbook to production.')
    .version(versionOfPackage(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand(false)
    .addHelpText(
      'after',
      `${elsewhere.length === 0 ? '' : `\nIn packages that are not installed:\n${elsewhere.join('')}`}` +
        '\nExamples:\n  hustings lead billing-cron -- node billing.js\n  hustings leader billing-cron\n' +
        '  hustings algorithms\n  hustings simulate chang-roberts --nodes 16\n  hustings check peterson --nodes 4\n' +
        '  hustings check ./my-election.ts --nodes 4\n\n' +
        'Exit codes: 0 done; 1 the election failed or can fail, or there is no leader;\n' +
        '2 bad input; 3 a file or a store failed, or memory ran out. lead has more exit codes.',
    );
  // Before the verbs are added, because they inherit both: only `report` ends the process and writes errors.
  program.exitOverride().configureOutput({ outputError: () => {} });
  for (const [name, { group, load, summary }] of Object.entries(verbs)) {
    program.commandsGroup(group);
    if (loaded.includes(name)) {
      (await load())(program);
      program.commands.at(-1)?.summary(summary);
    } else program.command(name).summary(summary);
  }
  return program;
}

/** `args` are the arguments after the name of the program. */
export async function runProgram(args: readonly string[]): Promise<void> {
  const [verb] = args;
  if (verb !== undefined && !verb.startsWith('-') && !VERB_NAMES.includes(verb)) {
    throw new InputError(
      `'${verb}' is not a command${suggestion(verb, VERB_NAMES)} ('hustings --help' lists all)`,
    );
  }
  const isHelp = verb === undefined || verb === '--help' || verb === '-h';
  const { verbs, missing } = isHelp ? await installedVerbs() : { verbs: await verbsWith(verb), missing: [] };
  const program = await makeProgram(verbs, missing, ...(isHelp ? [] : [verb]));
  if (verb === undefined) return program.outputHelp();
  try {
    await program.parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help and the version were asked for, and are printed.
    if (error.exitCode === 0) return;
    const text = error.message.replace(/^error: |\.$/g, '').replaceAll('\n', ' ');
    throw new InputError(`${text}; see '${commandOf(program, args)} --help'`, { cause: error });
  }
}

/** The command that the arguments begin with, such as `hustings cluster init`. */
function commandOf(program: Command, [name, ...rest]: readonly string[]): string {
  const command = program.commands.find((each) => each.name() === name);
  return command === undefined ? program.name() : `${program.name()} ${commandOf(command, rest)}`;
}
