import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  changRoberts,
  itaiRodeh,
  itaiRodehBounded,
  itaiRodehEcho,
  itaiRodehUnknown,
  randomizedChangRoberts,
  registry,
} from '../../../src/algorithms/index.ts';
import { probabilities } from '../../../src/checker/index.ts';
import { toNumber } from '../../../src/checker/probability/fraction.ts';
import { FIGURES, LockstepChain } from '../../../src/checker/probability/lockstep-chain.ts';
import { solveChain } from '../../../src/checker/probability/markov-chain.ts';
import { resolveSetup } from '../../../src/kernel/driver.ts';
import {
  type AnyAlgorithm,
  counter,
  defineAlgorithm,
  type Fields,
  harmonic,
  message,
} from '../../../src/kernel/index.ts';
import { Run, simulate } from '../../../src/simulator/index.ts';
import { meanRounds } from '../../algorithms/anonymous/itai-rodeh/itai-rodeh.reference.ts';

const fractionOf = ({ over, under }: { over: bigint; under: bigint }): string =>
  under === 1n ? `${over}` : `${over}/${under}`;

describe('Itai–Rodeh on a ring of known size', () => {
  it.each([
    [2, '2'],
    [3, '27/16'],
    [4, '8/5'],
  ])('n = c = %i takes %s rounds on average', (n, rounds) => {
    const { anySchedule, exact, mean, success } = probabilities(itaiRodeh, { nodes: n });
    expect({ exact, anySchedule, success: success.fraction, rounds: mean?.rounds?.fraction }).toEqual({
      exact: true,
      anySchedule: true,
      success: '1',
      rounds,
    });
  });

  it.each([
    [2, 3],
    [2, 7],
    [3, 2],
    [3, 4],
  ])('n = %i, c = %i agrees with the sum over the nodes that remain', (n, c) => {
    expect(probabilities(itaiRodeh, { nodes: n, set: { c } }).mean?.rounds?.fraction).toBe(
      fractionOf(meanRounds(n, c)),
    );
  });

  it('two of three initiators take as many rounds as two nodes', () => {
    const { mean } = probabilities(itaiRodeh, { nodes: 3, set: { c: 2 }, initiators: [0, 2] });
    expect(mean?.rounds?.fraction).toBe('2');
  });

  it('one initiator takes one round, n messages and n to announce', () => {
    const { mean } = probabilities(itaiRodeh, { nodes: 4, initiators: [1] });
    expect([mean?.rounds, mean?.election, mean?.announcement].map((figure) => figure?.fraction)).toEqual([
      '1',
      '4',
      '4',
    ]);
  });
});

describe('declared rounds', () => {
  /** The same with rounds and ids that always differ. */
  function plain(algorithm: AnyAlgorithm): AnyAlgorithm {
    const strip = ([name, field]: [string, Fields[string]]) => [
      name,
      { ...field, relative: false, unread: {} },
    ];
    const messages = Object.entries(
      algorithm.messages as Record<string, { fields: [string, Fields[string]][] }>,
    );
    return {
      ...algorithm,
      state: Object.fromEntries(Object.entries(algorithm.state as Fields).map(strip)),
      messages: Object.fromEntries(
        messages.map(([type, one]) => [type, { ...one, fields: one.fields.map(strip) }]),
      ),
    };
  }

  it.each([
    ['itai-rodeh', { nodes: 2 }, 2000],
    ['itai-rodeh', { nodes: 3, set: { c: 3 } }, 4000],
    ['itai-rodeh-bounded', { nodes: 3, set: { c: 2 } }, 4000],
    ['itai-rodeh-echo', { nodes: 2, topology: 'line' }, 2000],
    ['itai-rodeh-echo', { nodes: 3, topology: 'line', set: { c: 4 } }, 12000],
  ])('make the states of %s %j finite, and change no probability', (name, options, limit) => {
    const algorithm = registry.find((one) => one.name === name) as AnyAlgorithm;
    const exact = probabilities(algorithm, options);
    expect(exact.exact).toBe(true);
    const setup = resolveSetup(plain(algorithm), options);
    const everybody = Array.from({ length: setup.nodes }, (_, at) => at);
    const chain = new LockstepChain(setup, everybody, limit);
    expect(chain.isComplete).toBe(false);
    const [figures] = solveChain(chain, FIGURES.length);
    const [success, failure, unknown, , election, , , draws] = figures.map(toNumber);
    expect(unknown).toBeLessThan(0.05);
    expect(success + unknown).toBeCloseTo(exact.success.decimal, 10);
    expect(failure).toBe(exact.failure.decimal);
    // What is cut off has a small chance, and from there on the election takes about as long again.
    for (const [part, whole] of [
      [election, exact.mean?.election.decimal],
      [draws, exact.mean?.draws.decimal],
    ] as const) {
      expect(part).toBeLessThanOrEqual(whole as number);
      expect(part).toBeGreaterThanOrEqual((whole as number) * (1 - 4 * unknown));
    }
  });
});

describe('compared with simulated runs', () => {
  const cases: readonly [AnyAlgorithm, object][] = [
    [itaiRodeh, { nodes: 3 }],
    [itaiRodehBounded, { nodes: 3 }],
    [itaiRodehEcho, { nodes: 3, topology: 'complete' }],
    [randomizedChangRoberts, { ids: [3, 1, 4, 2] }],
  ];

  it.each(cases)('the mean of $name is within five standard errors', (algorithm, options) => {
    const { mean } = probabilities(algorithm, options);
    const RUNS = 600;
    const counts = Array.from(
      { length: RUNS },
      (_, k) => simulate(algorithm, { ...options, seed: k + 1 }).messages.total,
    );
    const average = counts.reduce((a, b) => a + b) / RUNS;
    const spread = counts.reduce((sum, count) => sum + (count - average) ** 2, 0) / (RUNS - 1);
    expect(Math.abs(average - (mean?.messages.decimal as number))).toBeLessThan(5 * Math.sqrt(spread / RUNS));
  });

  it('a Monte Carlo election fails with the same probability', () => {
    const { exact, failure, success, unknown } = probabilities(itaiRodehUnknown, {
      nodes: 2,
      stateLimit: 3000,
    });
    expect(exact).toBe(false);
    expect(failure.fraction).toBe('1/4');
    expect(success.decimal + unknown.decimal).toBeCloseTo(0.75, 12);
    let errors = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const run = new Run(itaiRodehUnknown, { nodes: 2, seed });
      while (!run.advance());
      if (!run.outcome().valid.uniqueness) errors++;
    }
    expect(Math.abs(errors / 400 - 0.25)).toBeLessThan(0.11);
  });
});

describe('without random draws', () => {
  it.each([1, 2, 3, 4])('Chang–Roberts sends n·H_n on average over all orders: n = %i', (n) => {
    const { exact, mean, success } = probabilities(changRoberts, { nodes: n, orders: 'all' });
    expect({ exact, success: success.fraction }).toEqual({ exact: true, success: '1' });
    expect(mean?.rounds).toBeNull();
    expect(mean?.election.decimal).toBeCloseTo(n * harmonic(n), 12);
  });

  it('a run that never ends has no mean', () => {
    const circling = defineAlgorithm({
      name: 'circling',
      title: 'Circling',
      source: 'none',
      cost: 'none',
      assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
      params: {},
      state: {},
      messages: { ball: message(['sides', counter(2)]) },
      laws: [],
      onStart(_state, ctx) {
        ctx.send(1, 'ball', ctx.random(4) === 1 ? 1 : 2);
      },
      on: {
        ball(_state, _port, { sides }, ctx) {
          if (sides === 2) ctx.forward(1);
        },
      },
    });
    const { nonTermination, exact, failure, mean } = probabilities(circling, {
      ids: [1, 2],
      initiators: [0],
    });
    expect({ nonTermination: nonTermination.fraction, failure: failure.fraction, exact, mean }).toEqual({
      nonTermination: '3/4',
      failure: '1/4',
      exact: true,
      mean: null,
    });
  });

  it('the error of a failing handler names the algorithm and the node', () => {
    const failing: AnyAlgorithm = {
      ...(itaiRodeh as AnyAlgorithm),
      onStart() {
        throw new Error('no draws');
      },
    };
    expect(() => probabilities(failing, { nodes: 2 })).toThrow(
      expect.objectContaining({ property: 'handler', replay: 'hustings check itai-rodeh --nodes 2' }),
    );
  });

  it('stops near the limit of states, also if a draw has many outcomes', () => {
    const { exact, states } = probabilities(itaiRodeh, { nodes: 30, stateLimit: 1000 });
    expect(exact).toBe(false);
    expect(states).toBeLessThanOrEqual(1000 + 30);
    expect(probabilities(itaiRodeh, { nodes: 3, stateLimit: 304 })).toMatchObject({
      exact: true,
      states: 304,
    });
  });

  it('algorithms with clocks or crashes are refused', () => {
    const bully = registry.find(({ name }) => name === 'bully') as AnyAlgorithm;
    expect(() => probabilities(bully, { nodes: 3 })).toThrow(/without timers .* not bully/);
    expect(() => probabilities(itaiRodeh, { nodes: 3, initiators: [3] })).toThrow(
      /initiator must be .*, not 3/,
    );
    expect(() => probabilities(itaiRodeh, { nodes: 3, stateLimit: 0 })).toThrow(
      /stateLimit must be a whole number/,
    );
  });
});

describe('seeds', () => {
  it('do not matter', () => {
    fc.assert(
      fc.property(fc.nat(1000), (seed) => {
        expect(probabilities(itaiRodeh, { nodes: 2, seed })).toEqual(probabilities(itaiRodeh, { nodes: 2 }));
      }),
      { numRuns: 5 },
    );
  });
});
