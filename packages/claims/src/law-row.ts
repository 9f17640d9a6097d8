/**
 * The row of an algorithm: each of its laws is a claim, and further claims follow. By default the laws are measured on
 * small and large networks, on every order of ids, with all, one and some initiators, in lockstep and with random delays,
 * as far as its model has them.
 */
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { Row, Study } from './claim.ts';
import { type LawStudyOptions, lawStudy } from './law-study.ts';
import { allOneSome, elections, FIFO, randomOrders, sizesFor } from './parameter-grid.ts';

export function lawRow(
  algorithm: AnyAlgorithm,
  options: Partial<LawStudyOptions> = {},
  further: readonly Study[] = [],
): Row {
  const { name, title, assumes, laws } = algorithm;
  const axes =
    assumes.timing === 'synchronous'
      ? ({ schedules: ['lockstep'] } as const)
      : { schedules: FIFO, initiators: allOneSome };
  const byDefault: LawStudyOptions = {
    grid: (experiment) => elections(experiment, { sizes: sizesFor(experiment), ...axes }),
    means: (experiment) =>
      laws.some(({ kind }) => kind === 'mean')
        ? randomOrders(experiment, [64, 256], experiment.some(150, 400))
        : [],
  };
  return { name, title, studies: [lawStudy(algorithm, { ...byDefault, ...options }), ...further] };
}
