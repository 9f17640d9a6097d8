/** The counters of an algorithm that a search bounds. */
import type { AnyAlgorithm } from '../../kernel/algorithm.ts';
import { InputError } from '../../kernel/errors.ts';

/** The largest values of counters, by name. */
export type Bounds = Readonly<Record<string, number>>;

/** Pairs of a word of a state and its largest value. */
export function boundWords({ name, state }: AnyAlgorithm, bounds: Bounds): [word: number, most: number][] {
  const fields = Object.keys(state);
  const counters = fields.filter((field) => state[field].kind === 'counter');
  return Object.entries(bounds).map(([field, most]) => {
    if (!counters.includes(field)) {
      const known = counters.length === 0 ? 'it has no counters' : `it has ${counters.join(', ')}`;
      throw new InputError(`${name} has no counter '${field}' to bound: ${known}`);
    }
    if (!Number.isInteger(most) || most < 0) {
      throw new InputError(`the bound of ${field} must be a whole number from 0, not ${most}`);
    }
    return [fields.indexOf(field), most];
  });
}
