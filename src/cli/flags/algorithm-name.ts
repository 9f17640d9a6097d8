/** Resolves the name or the path of an algorithm. */
import { asPrinted, attempts, registry, twins } from '../../algorithms/index.ts';
import { suggestion } from '../../errors/similar-name.ts';
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
  const all = [...registry, ...[...twins, ...asPrinted, ...attempts].map(({ algorithm }) => algorithm)];
  const found = all.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return found;
  throw new InputError(
    `there is no algorithm '${name}'${hint(name)} ('hustings algorithms' lists all; a file is named as in ./my-election.ts)`,
  );
}

/** Suggests a correct algorithm, or a wrong twin if only a twin has a similar name. */
function hint(name: string): string {
  const right = registry.map((algorithm) => algorithm.name);
  const wrong = [...twins, ...asPrinted, ...attempts].map((each) => each.name);
  return suggestion(name, right) || suggestion(name, wrong);
}
