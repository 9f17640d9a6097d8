/** From what the user writes to the algorithm: the one place where names are looked up. */
import { registry } from '../algorithms/index.ts';
import { type AnyAlgorithm, InputError } from '../kernel/index.ts';
import { hintAt } from './nearest-name.ts';

export function resolveAlgorithm(name: string): AnyAlgorithm {
  const found = registry.find((algorithm) => algorithm.name === name);
  if (found !== undefined) return found;
  const known = registry.map((algorithm) => algorithm.name);
  throw new InputError(
    `expected the name of an algorithm, got '${name}': ${hintAt(name, known)} ('hustings algorithms' lists all)`,
  );
}
