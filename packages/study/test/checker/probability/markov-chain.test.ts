import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Fraction,
  formatFraction,
  fraction,
  toNumber,
} from '../../../src/checker/probability/fraction.ts';
import { type ChainEdge, solveChain } from '../../../src/checker/probability/markov-chain.ts';

/** The probability of each end, and the mean number of steps. */
function solve(
  edges: readonly (readonly ChainEdge[])[],
  ends: readonly number[],
): readonly (readonly Fraction[])[] {
  return solveChain(
    {
      count: edges.length,
      edges: (state) => edges[state],
      terminalFigures: (state) => [fraction(0), ...ends.map((end) => fraction(end === state ? 1 : 0))],
    },
    1 + ends.length,
  );
}

const step = (to: number, over: number, under: number): ChainEdge => ({
  to,
  probability: fraction(over, under),
  gains: [1, 0, 0],
});

describe('a Markov chain', () => {
  it('with a coin that is tossed until it shows heads takes two tosses', () => {
    const [[tosses, heads]] = solve([[step(0, 1, 2), step(1, 1, 2)], []], [1]);
    expect([tosses, heads].map(formatFraction)).toEqual(['2', '1']);
  });

  it('of two states with probabilities 1/3 and 1/4 to leave', () => {
    const edges = [[step(1, 2, 3), step(2, 1, 3)], [step(0, 3, 4), step(3, 1, 4)], [], []];
    const [first, second] = solve(edges, [2, 3]);
    // x = 1 + 2y/3, y = 1 + 3x/4; and p = 1/3 + 2q/3, q = 3p/4.
    expect(first.map(formatFraction)).toEqual(['10/3', '2/3', '1/3']);
    expect(second.map(formatFraction)).toEqual(['7/2', '1/2', '1/2']);
  });

  it('with a bottom component that is not terminal has probabilities that sum to less than 1', () => {
    const [[, out]] = solve([[step(1, 1, 3), step(2, 2, 3)], [step(1, 1, 1)], []], [2]);
    expect(formatFraction(out)).toBe('2/3');
  });

  it('agrees with the limit of a long iteration', () => {
    const chain = fc.integer({ min: 2, max: 9 }).chain((inner) =>
      fc.tuple(
        ...Array.from({ length: inner }, () =>
          fc.array(fc.tuple(fc.nat(inner + 1), fc.integer({ min: 1, max: 5 })), {
            minLength: 1,
            maxLength: 4,
          }),
        ),
      ),
    );
    fc.assert(
      fc.property(chain, (rows) => {
        const inner = rows.length;
        // A path out of every state, so that the iteration converges.
        const edges = rows.map((row) => {
          const weighted = [...row, [inner, 1] as const];
          const sum = weighted.reduce((all, [, weight]) => all + weight, 0);
          return weighted.map(([to, weight]) => step(to, weight, sum));
        });
        const exact = solve([...edges, [], []], [inner, inner + 1]);
        let values = Array.from({ length: inner + 2 }, (_, k) => [
          0,
          k === inner ? 1 : 0,
          k === inner + 1 ? 1 : 0,
        ]);
        for (let turn = 0; turn < 3000; turn++) {
          values = values.map((value, state) => {
            if (state >= inner) return value;
            return [0, 1, 2].map((k) =>
              edges[state].reduce(
                (all, { probability, to }) =>
                  all + toNumber(probability) * (values[to][k] + (k === 0 ? 1 : 0)),
                0,
              ),
            );
          });
        }
        for (let state = 0; state < inner; state++) {
          exact[state].forEach((figure, k) => {
            expect(toNumber(figure)).toBeCloseTo(values[state][k], 6);
          });
        }
      }),
      { numRuns: 30 },
    );
  });
});

describe('a fraction', () => {
  it('is in lowest terms with a positive denominator', () => {
    expect([fraction(6, -4), fraction(0, 7), fraction(10, 5)].map(formatFraction)).toEqual([
      '-3/2',
      '0',
      '2',
    ]);
    expect(() => fraction(1, 0)).toThrow(RangeError);
  });

  it('is converted to the nearest number for any length', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1 }),
        fc.bigInt({ min: 1n, max: 10n ** 300n }),
        (a, b, more) => {
          expect(toNumber(fraction(BigInt(a) * more, BigInt(b) * more))).toBeCloseTo(a / b, 10);
          expect(toNumber({ numerator: BigInt(a) * more, denominator: BigInt(b) * more })).toBeCloseTo(
            a / b,
            5,
          );
        },
      ),
    );
    expect(toNumber(fraction(1n, 10n ** 400n))).toBe(0);
  });
});
