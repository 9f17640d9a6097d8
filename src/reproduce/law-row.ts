/**
 * The default row of an algorithm: each of its laws is a claim, measured on small and large networks, on every order of
 * ids, with all, one and some initiators, in lockstep and with random delays, as far as its model has them.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import type { ScheduleOption } from '../simulator/options.ts';
import type { Row } from './claim.ts';
import { lawStudy } from './law-study.ts';
import { allOneSome, elections, randomOrders, sizesFor } from './parameter-grid.ts';

export function lawRow(algorithm: AnyAlgorithm): Row {
  const { name, title, assumes } = algorithm;
  const isSynchronous = assumes.timing === 'synchronous';
  const schedules: ScheduleOption[] = isSynchronous ? ['lockstep'] : ['lockstep', 'random'];
  return {
    name,
    title,
    studies: [
      lawStudy(algorithm, {
        grid: (experiment) =>
          elections(experiment, {
            sizes: sizesFor(experiment),
            schedules,
            ...(!isSynchronous && { initiators: allOneSome }),
          }),
        means: (experiment) =>
          algorithm.laws.some(({ kind }) => kind === 'mean')
            ? randomOrders(experiment, [64, 256], experiment.some(150, 400))
            : [],
      }),
    ],
  };
}
