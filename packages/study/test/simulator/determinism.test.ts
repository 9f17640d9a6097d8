import { describe, expect, test } from 'vitest';
import { registry } from '../../src/algorithms/registry.ts';
import { changRoberts } from '../../src/algorithms/ring/chang-roberts.ts';
import { formatEvent, Run, type SimulateOptions, simulate } from '../../src/simulator/index.ts';
import { traceOf } from './test-algorithm.ts';

const named = registry.map((algorithm) => [algorithm.name, algorithm] as const);

describe.each(named)('%s', (_, algorithm) => {
  const timeout = 'timeout' in algorithm.params ? { timeout: 6 } : {};
  const inRounds = algorithm.assumes.timing === 'synchronous';
  const schedule = inRounds ? 'lockstep' : 'random';
  const random: SimulateOptions = { nodes: 12, schedule, set: timeout };

  test('has one trace for one seed, byte for byte', () => {
    for (const seed of [0, 1, 2 ** 40]) {
      const options = { ...random, seed };
      expect(traceOf(algorithm, options).join('\n')).toBe(traceOf(algorithm, options).join('\n'));
    }
  });

  // Synchronous runs draw nothing: they depend only on the ids.
  test.skipIf(inRounds)('has another trace for another seed, even with the same ids', () => {
    const ids = [5, 3, 8, 1, 9, 2];
    const traces = [1, 2, 3, 4].map((seed) =>
      traceOf(algorithm, { ...random, nodes: 6, ids, seed }).join('\n'),
    );
    expect(new Set(traces).size).toBe(4);
  });

  test('has the same run whatever other runs come in between, with and without observers', () => {
    const alone = traceOf(algorithm, random);
    const lines: string[] = [];
    const run = new Run(algorithm, { ...random, observe: (event) => lines.push(formatEvent(event)) });
    const others = registry.map((other) => new Run(other, { nodes: 5, crash: 'none' }));
    const unobserved = new Run(algorithm, random);
    for (let over = false; !over; ) {
      over = run.advance(1);
      unobserved.advance(2);
      for (const other of others) other.advance(3);
    }
    while (!unobserved.advance());
    expect(lines).toEqual(alone);
    expect(run.outcome()).toEqual(simulate(algorithm, random));
    expect(unobserved.outcome()).toEqual(run.outcome());
  });
});

test('the order of the ids does not depend on the schedule, nor the initiators on the faults', () => {
  const plans = (['lockstep', 'random', 'random:nofifo'] as const).map((schedule) => {
    const options = { nodes: 20, seed: 9, initiators: { random: 4 }, schedule, loss: 0.1, despite: ['loss'] };
    const { plan } = new Run(changRoberts, options);
    return [[...plan.ids], [...plan.initiators]];
  });
  expect(plans[1]).toEqual(plans[0]);
  expect(plans[2]).toEqual(plans[0]);
});
