/** The verbs, one line each, and what all of them share. */
import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { InputError } from '../kernel/index.ts';
import { hintAt } from './flags/nearest-name.ts';

/** A verb is loaded when it is used: who runs a lease needs no algorithm. */
const VERBS: Readonly<Record<string, () => Promise<(program: Command) => void>>> = {
  welcome: async () => (await import('./commands/welcome.ts')).addWelcome,
  algorithms: async () => (await import('./commands/algorithms.ts')).addAlgorithms,
  simulate: async () => (await import('./commands/simulate.ts')).addSimulate,
  sweep: async () => (await import('./commands/sweep.ts')).addSweep,
  reproduce: async () => (await import('./commands/reproduce.ts')).addReproduce,
  check: async () => (await import('./commands/check.ts')).addCheck,
  replay: async () => (await import('./commands/replay.ts')).addReplay,
  lead: async () => (await import('./commands/lead.ts')).addLead,
  leader: async () => (await import('./commands/leader.ts')).addLeader,
  history: async () => (await import('./commands/history.ts')).addHistory,
  evict: async () => (await import('./commands/evict.ts')).addEvict,
  transfer: async () => (await import('./commands/transfer.ts')).addTransfer,
  store: async () => (await import('./commands/store.ts')).addStore,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctor,
};

/** With the one verb that is used, or with all of them. */
async function makeProgram(verb: string): Promise<Command> {
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
  for (const add of await Promise.all(wanted.map((load) => load()))) add(program);
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
