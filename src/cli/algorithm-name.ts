/** From what the user writes to the algorithm: the one place where names are looked up. */
import { attempts, registry, twins } from '../algorithms/index.ts';
import { type AnyAlgorithm, InputError } from '../kernel/index.ts';
import { hintAt } from './nearest-name.ts';

/** A right algorithm, a wrong twin of one, or an attempt at the impossible. */
export function resolveAlgorithm(name: string): AnyAlgorithm {
  const all = [...registry, ...[...twins, ...attempts].map(({ algorithm }) => algorithm)];
  const found = all.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return found;
  throw new InputError(
    `expected the name of an algorithm, got '${name}': ${hint(name)} ('hustings algorithms' lists all)`,
  );
}

/** A right one, unless only a twin has a name like this: who writes half a name means no wrong algorithm. */
function hint(name: string): string {
  const right = registry.map((algorithm) => algorithm.name);
  const known = [right, [...right, ...[...twins, ...attempts].map((each) => each.name)]];
  const hints = known.map((names) => hintAt(name, names));
  return hints.find((text) => text.startsWith('did you mean')) ?? hints[0];
}
