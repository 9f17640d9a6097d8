import { describe, expect, it } from 'vitest';
import { changRoberts } from '../../src/algorithms/index.ts';
import { type AnyAlgorithm, bound, exact, InputError } from '../../src/kernel/index.ts';
import { Run } from '../../src/simulator/index.ts';
import { sweep } from '../../src/sweep/index.ts';

const withLaw = (law: unknown): AnyAlgorithm =>
  ({ ...(changRoberts as AnyAlgorithm), laws: [law] }) as AnyAlgorithm;

/** The laws of one run, and of a sweep. */
const evaluations: readonly [string, (algorithm: AnyAlgorithm) => unknown][] = [
  [
    'a run',
    (algorithm) => {
      const run = new Run(algorithm, { ids: [3, 1, 2] });
      while (!run.advance());
      return run.laws();
    },
  ],
  ['a sweep', (algorithm) => sweep([algorithm], { nodes: [3], runs: 1, measure: 'election' })],
];

describe.each(evaluations)('a law of %s', (_, evaluate) => {
  it.each([
    ['NaN', () => Math.log2(-1)],
    ['Infinity', ({ n }: { n: number }) => n / 0],
    ['null', () => null],
    ['12', () => '12'],
  ])('that returns %s is refused by name, with the instance', (shown, value) => {
    const error = new RegExp(
      `^law n/0 must be a finite number, or undefined .*, not ${shown} \\(n = 3, k = 3, ids \\d,\\d,\\d, extremum = max, filter = false\\)$`,
    );
    expect(() => evaluate(withLaw(bound('election', 'n/0', value as never)))).toThrow(InputError);
    expect(() => evaluate(withLaw(bound('election', 'n/0', value as never)))).toThrow(error);
  });

  it('may return undefined, zero and fractions', () => {
    for (const value of [undefined, 0, 2.5]) {
      expect(() => evaluate(withLaw(exact('election', 'x', () => value)))).not.toThrow();
    }
  });
});
