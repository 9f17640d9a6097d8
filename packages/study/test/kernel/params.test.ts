import { describe, expect, test } from 'vitest';
import { rangeOf, resolveParams } from '../../src/kernel/driver.ts';
import { InputError, integer, oneOf, onOff } from '../../src/kernel/index.ts';

const params = {
  rounds: integer('how many', { min: 1, max: 9, byDefault: (n) => Math.min(9, n) }),
  loud: onOff('whether'),
  colour: oneOf('which', ['red', 'green']),
};

const resolve = (given: Record<string, unknown>, n = 4) => resolveParams('paint', params, n, given);

describe('parameters', () => {
  test('have defaults, which may depend on n', () => {
    expect(resolve({})).toEqual({ rounds: 4, loud: false, colour: 'red' });
    expect(resolve({}, 100).rounds).toBe(9);
  });

  test('may be given as values, or as text on the command line', () => {
    const wanted = { rounds: 7, loud: true, colour: 'green' };
    expect(resolve(wanted)).toEqual(wanted);
    expect(resolve({ rounds: '7', loud: 'true', colour: 'green' })).toEqual(wanted);
    expect(resolve({ loud: 'false' }).loud).toBe(false);
  });

  test.each([
    [{ rounds: 0 }, "rounds of paint must be a whole number from 1 to 9, not '0'"],
    [{ rounds: 10 }, "rounds of paint must be a whole number from 1 to 9, not '10'"],
    [{ rounds: 1.5 }, "rounds of paint must be a whole number from 1 to 9, not '1.5'"],
    [{ rounds: '3x' }, "rounds of paint must be a whole number from 1 to 9, not '3x'"],
    [{ rounds: '' }, "rounds of paint must be a whole number from 1 to 9, not ''"],
    [{ rounds: Number.NaN }, "rounds of paint must be a whole number from 1 to 9, not 'NaN'"],
    [{ rounds: true }, "rounds of paint must be a whole number from 1 to 9, not 'true'"],
    [{ loud: 'yes' }, "loud of paint must be true or false, not 'yes'"],
    [{ loud: 1 }, "loud of paint must be true or false, not '1'"],
    [{ colour: 'blue' }, "colour of paint must be one of red, green, not 'blue'"],
    [{ size: 3 }, "paint has no parameter 'size': it has rounds, loud, colour"],
    [{ toString: 3 }, "paint has no parameter 'toString': it has rounds, loud, colour"],
  ])('refuse %j', (given, text) => {
    expect(() => resolve(given)).toThrow(new InputError(text));
  });

  test('may have a range that depends on n, and the error says for which n', () => {
    const half = { N: integer('least size', { min: (n) => n / 2, max: (n) => n, byDefault: (n) => n }) };
    const resolveHalf = (N: number) => resolveParams('paint', half, 8, { N }).N;
    expect([4, 8].map(resolveHalf)).toEqual([4, 8]);
    for (const N of [3, 9]) {
      const text = `N of paint must be a whole number from 4 to 8 for 8 nodes, not '${N}'`;
      expect(() => resolveHalf(N)).toThrow(new InputError(text));
    }
  });

  test('an algorithm without parameters says so', () => {
    expect(() => resolveParams('bare', {}, 3, { size: 1 })).toThrow(
      "bare has no parameter 'size': it has none",
    );
  });

  test('have a description of the accepted values', () => {
    expect(Object.values(params).map((param) => rangeOf(param, 4))).toEqual([
      'a whole number from 1 to 9',
      'true or false',
      'one of red, green',
    ]);
  });
});
