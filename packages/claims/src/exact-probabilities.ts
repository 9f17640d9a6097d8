/** Claims about randomized elections, decided by exact probabilities instead of samples. */

import { formatFigure } from '@hustings/base';
import { type Probabilities, type ProbabilityOptions, probabilities } from '@hustings/study/checker';
import type { AnyAlgorithm } from '@hustings/study/kernel';
import { type Finding, type Statement, type Study, study, verdictOf } from './claim.ts';
import { searchLine } from './search.ts';

export interface ProbabilityClaim extends Statement {
  /** The cases to compute, smallest first. */
  readonly options: readonly ProbabilityOptions[];
  /** One of the results as a fraction, and its claimed value for each case. */
  readonly figure: (probabilities: Probabilities) => string | undefined;
  readonly expected: readonly string[];
  /** The name of the figure in the table. */
  readonly name: string;
}

export function probabilityStudy(algorithm: AnyAlgorithm, claim: ProbabilityClaim): Study {
  const { options, figure, expected, name, ...rest } = claim;
  const measure = (): Finding => {
    const all = options.map((each) => probabilities(algorithm, each));
    const found = all.map((each) => (each.exact ? (figure(each) ?? '–') : '–'));
    const settings = (index: number): string =>
      [
        `n = ${all[index].n}`,
        ...Object.entries(options[index].set ?? {}).map(([key, value]) => `${key} = ${value}`),
      ].join(', ');
    const { n } = all[all.length - 1];
    const { topology, orders, set } = options[options.length - 1];
    return {
      verdict: verdictOf(found.every((each, index) => each === expected[index])),
      measured: `${found.map((each, index) => `${each} for ${settings(index)}`).join('; ')}`,
      replay: `${searchLine(algorithm.name, { nodes: n, topology, orders, set })} --probabilities`,
      table: {
        columns: ['', name, 'probability of one leader', 'states'],
        rows: all.map((each, index) => [
          settings(index),
          found[index],
          each.success.fraction,
          formatFigure(each.states),
        ]),
      },
    };
  };
  return study({ ...rest, method: 'exact probabilities', measure });
}
