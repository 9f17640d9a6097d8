/** The algorithms that a setup can name: the catalogue, the wrong twins and the attempts at impossible elections. */
import { algorithmFamilies, asPrinted, attempts, registry, twins } from '@hustings/study/algorithms';
import type { AnyAlgorithm } from '@hustings/study/kernel';

const BY_NAME: ReadonlyMap<string, AnyAlgorithm> = new Map(
  [...registry, ...[...twins, ...asPrinted, ...attempts].map(({ algorithm }) => algorithm)].map((each) => [
    each.name,
    each,
  ]),
);

/** Undefined if there is no algorithm with this name. */
export function findAlgorithm(name: string): AnyAlgorithm | undefined {
  return BY_NAME.get(name);
}

/** The algorithms for a list of choices, by title of their family. */
export const ALGORITHM_GROUPS: readonly {
  readonly title: string;
  readonly algorithms: readonly AnyAlgorithm[];
}[] = [...algorithmFamilies, { title: 'Wrong twins', algorithms: twins.map(({ algorithm }) => algorithm) }];
