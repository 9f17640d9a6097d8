/** From what the user writes to the algorithm: the one place where names are looked up. */
import { attempts, registry, twins } from '../../algorithms/index.ts';
import { type AnyAlgorithm, InputError } from '../../kernel/index.ts';
import { hintAt } from './nearest-name.ts';

/** For the help of every command that takes a name. */
export const NAME_HELP =
  "an algorithm, as 'hustings algorithms' lists them, or a file that exports one, as in ./my-election.ts";
export const FILE_HELP =
  'A file is code that runs in this process, with all that you may do: name none that you do not trust.';

/** No algorithm's name has a dot or a slash. */
export function isPath(word: string): boolean {
  return /[./\\]/.test(word);
}

/** A right algorithm, a wrong twin of one, an attempt at the impossible, or what the user's own file exports. */
export async function resolveAlgorithm(name: string): Promise<AnyAlgorithm> {
  // Loaded when it is used: a user's file may import all of the package.
  if (isPath(name)) return (await import('../user-file/algorithm-file.ts')).loadAlgorithm(name);
  const all = [...registry, ...[...twins, ...attempts].map(({ algorithm }) => algorithm)];
  const found = all.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return found;
  throw new InputError(
    `expected the name of an algorithm, got '${name}': ${hint(name)} ('hustings algorithms' lists all; a file is named as in ./my-election.ts)`,
  );
}

/** A right one, unless only a twin has a name like this: who writes half a name means no wrong algorithm. */
function hint(name: string): string {
  const right = registry.map((algorithm) => algorithm.name);
  const known = [right, [...right, ...[...twins, ...attempts].map((each) => each.name)]];
  const hints = known.map((names) => hintAt(name, names));
  return hints.find((text) => text.startsWith('did you mean')) ?? hints[0];
}
