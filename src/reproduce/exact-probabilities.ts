/** Claims about elections by lot that fractions decide: every lot followed with its chance, none drawn. */
import {
  type Probabilities,
  type ProbabilityOptions,
  probabilities,
} from '../checker/probability/probabilities.ts';
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import { formatFigure } from '../kernel/law-text.ts';
import { type Claim, type Study, study, verdictOf } from './claim.ts';

export interface ProbabilityClaim extends Omit<Claim, 'method'> {
  /** What to work out, the smallest first. */
  readonly options: readonly ProbabilityOptions[];
  /** One of the figures, as a fraction, and what it should be for each of the options. */
  readonly figure: (probabilities: Probabilities) => string | undefined;
  readonly expected: readonly string[];
  /** What the figure is, for the reader. */
  readonly name: string;
}

export function probabilityStudy(algorithm: AnyAlgorithm, claim: ProbabilityClaim): Study {
  const { options, figure, expected, name, ...rest } = claim;
  return study({ ...rest, method: 'exact chances' }, () => {
    const all = options.map((each) => probabilities(algorithm, each));
    const found = all.map((each) => (each.exact ? (figure(each) ?? '–') : '–'));
    const settings = (index: number): string =>
      [
        `n = ${all[index].n}`,
        ...Object.entries(options[index].set ?? {}).map(([key, value]) => `${key} = ${value}`),
      ].join(', ');
    const set = Object.entries(options[options.length - 1].set ?? {}).map(
      ([key, value]) => ` --set ${key}=${value}`,
    );
    const { topology, orders } = options[options.length - 1];
    return {
      verdict: verdictOf(found.every((each, index) => each === expected[index])),
      measured: `${found.map((each, index) => `${each} for ${settings(index)}`).join('; ')}`,
      replay: `hustings check ${algorithm.name} --nodes ${all[all.length - 1].n}${topology === undefined ? '' : ` --topology ${topology}`}${orders === undefined ? '' : ` --orders ${orders}`}${set.join('')} --probabilities`,
      table: {
        columns: ['', name, 'chance of one leader', 'states'],
        rows: all.map((each, index) => [
          settings(index),
          found[index],
          each.success.fraction,
          formatFigure(each.states),
        ]),
      },
    };
  });
}
