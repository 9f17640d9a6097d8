/** The stage of a search. A network on which the algorithm could only fail is bad input, and no counterexample. */
import type { CheckOptions } from '../checker/index.ts';
import { type AnyAlgorithm, AssumptionError, type Stage, setStage } from '../kernel/index.ts';

export function checkedStage(algorithm: AnyAlgorithm, options: CheckOptions): Stage {
  const { name, assumes } = algorithm;
  if (options.ids === 'anonymous' && assumes.ids === 'unique') {
    throw new AssumptionError(`${name} needs unique ids: give them, as in --ids 5,3,8,1`, 'ids');
  }
  const stage = setStage(algorithm, options);
  const { topology } = stage;
  if ((assumes.network === 'one-way ring' || assumes.network === 'ring') && topology.kind !== 'ring') {
    throw new AssumptionError(
      `${name} assumes a ${assumes.network}, not ${topology.name}: use --topology ring`,
      'network',
    );
  }
  return stage;
}
