/** What a search begins with, where the command line must know it too. */
import type { CheckOptions, Starts } from '../checker/index.ts';
import type { AnyAlgorithm } from '../kernel/index.ts';

/** Timely elections begin together unless said otherwise. */
export function startsOf({ assumes }: AnyAlgorithm, { starts }: CheckOptions): Starts {
  return starts ?? (assumes.timing === 'timely' ? 'together' : 'free');
}
