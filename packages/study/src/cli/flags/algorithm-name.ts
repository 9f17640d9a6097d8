/** Resolves the name or the path of an algorithm. */

import { suggestion } from '@hustings/base';
import { registry } from '../../algorithms/registry.ts';
import { type AnyAlgorithm, InputError } from '../../kernel/index.ts';

export const NAME_HELP =
  "name of an algorithm ('hustings algorithms' lists them), or a file that exports one, such as ./my-election.ts";
export const FILE_HELP = 'A file is code, and runs with all your permissions: run only files that you trust.';

/** Names of algorithms have no dot and no slash. */
export function isPath(word: string): boolean {
  return /[./\\]/.test(word);
}

/** An algorithm, a wrong twin, an algorithm as a source prints it, an attempt at an impossible election, or the export of a user's file. */
export async function resolveAlgorithm(name: string): Promise<AnyAlgorithm> {
  // Loaded on use: a user's file may import the whole package.
  if (isPath(name)) return (await import('../user-file/algorithm-file.ts')).loadAlgorithm(name);
  const right = registry.find((algorithm) => algorithm.name === name);
  if (right !== undefined) return right;
  const wrong = await wrongAlgorithms();
  const found = wrong.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return found;
  const similar = (all: readonly AnyAlgorithm[]): string =>
    suggestion(
      name,
      all.map((algorithm) => algorithm.name),
    );
  // A wrong one is suggested only if no correct one has a similar name.
  const hint = similar(registry) || similar(wrong);
  throw new InputError(
    `there is no algorithm '${name}'${hint} ('hustings algorithms' lists all; a file is named as in ./my-election.ts)`,
  );
}

/** Loaded on use: most commands name a correct algorithm. */
async function wrongAlgorithms(): Promise<AnyAlgorithm[]> {
  const { asPrinted, attempts, twins } = await import('../../algorithms/index.ts');
  return [...twins, ...asPrinted, ...attempts].map(({ algorithm }) => algorithm);
}
