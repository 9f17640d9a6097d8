/** `hustings run`: runs a TypeScript program that imports hustings, on any supported version of Node. */
import { existsSync, statSync } from 'node:fs';
import { register } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { InputError } from '@hustings/base';
import type { Command } from 'commander';
import { FILE_HELP } from '../flags/algorithm-name.ts';
import { loadEsbuild } from '../user-file/esbuild.ts';

/** As Node itself, for an error that the program does not catch. */
const UNCAUGHT = 1;

export function addRun(program: Command): void {
  program.enablePositionalOptions();
  program
    .command('run')
    .description(
      'Runs a program, as node does. TypeScript is compiled on the way, without a check of its types and as the nearest ' +
        `tsconfig.json says, for example with experimentalDecorators. Imports of hustings use this installation.\nExit codes: those of the program; 1 an error that it did not catch.\n${FILE_HELP}`,
    )
    .argument('<FILE>', 'program: .ts, .mts, .js or .mjs')
    .argument('[ARGS...]', 'arguments of the program')
    .passThroughOptions()
    .addHelpText('after', '\nExample:\n  hustings run examples/costs.ts')
    .action(runCommand);
}

async function runCommand(path: string, args: readonly string[]): Promise<void> {
  const file = resolve(path);
  if (!existsSync(file) || !statSync(file).isFile()) {
    throw new InputError(`'${path}' must be a file with a program: correct the path`);
  }
  await loadEsbuild();
  process.setSourceMapsEnabled(true);
  register('../user-file/module-hooks.js', import.meta.url);
  process.argv = [process.argv[0], file, ...args];
  try {
    await import(pathToFileURL(file).href);
  } catch (error) {
    process.exitCode = UNCAUGHT;
    // The hooks name the place of a syntax error; its stack is that of the compiler.
    const isPlaced = error instanceof SyntaxError && /^[^\n]+:\d+:\d+: /.test(error.message);
    console.error(isPlaced ? `hustings: ${error.message}` : inspect(error));
  }
}
