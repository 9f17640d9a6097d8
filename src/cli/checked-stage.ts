/** The stage of a search. A network on which the algorithm could only fail is bad input, and no counterexample. */
import type { CheckOptions, Starts } from '../checker/index.ts';
import { type AnyAlgorithm, AssumptionError, isTree, type Stage, setStage } from '../kernel/index.ts';

export function checkedStage(algorithm: AnyAlgorithm, options: CheckOptions): Stage {
  const { name, assumes } = algorithm;
  if (options.ids === 'anonymous' && assumes.ids === 'unique') {
    throw new AssumptionError(`${name} needs unique ids: give them, as in --ids 5,3,8,1`, 'ids');
  }
  const stage = setStage(algorithm, options);
  const { topology } = stage;
  const isRing = topology.kind === 'ring' || algorithm.overlay !== undefined;
  if (!isRing && (assumes.network === 'one-way ring' || assumes.network === 'ring')) {
    throw new AssumptionError(
      `${name} assumes a ${assumes.network}, not ${topology.name}: use --topology ring`,
      'network',
    );
  }
  const isFull = topology.edges === (topology.n * (topology.n - 1)) / 2;
  const isMet = { tree: isTree(topology), complete: isFull }[assumes.network as string] ?? true;
  if (!isMet && algorithm.overlay === undefined) {
    throw new AssumptionError(
      `${name} assumes a ${assumes.network} network, not ${topology.name}: use --topology ${assumes.network}`,
      'network',
    );
  }
  return stage;
}

/** Timely elections begin together unless said otherwise. */
export function startsOf({ assumes }: AnyAlgorithm, { starts }: CheckOptions): Starts {
  return starts ?? (assumes.timing === 'timely' ? 'together' : 'free');
}
