import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import { registry } from '../../src/algorithms/registry.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { Run, type SimulateOptions, simulate } from '../../src/simulator/index.ts';

const RUNS = effort({ quick: 50, full: 400 });

const named = registry.map((algorithm) => [algorithm.name, algorithm] as const);

/** Any run that every algorithm allows. A run that is cut need not be valid. */
const anyOptions: fc.Arbitrary<SimulateOptions> = fc
  .record({
    nodes: fc.integer({ min: 1, max: 40 }),
    cut: fc.option(fc.double({ min: 0, max: 90, noNaN: true })),
  })
  .chain(({ nodes, cut }) =>
    fc.record({
      nodes: fc.constant(nodes),
      order: fc.constantFrom('ascending', 'descending', 'random'),
      seed: fc.nat(),
      initiators: fc.oneof(
        fc.constant('all' as const),
        fc.subarray([...Array(nodes).keys()], { minLength: 1 }),
      ),
      ...(cut !== null && { until: fc.constant(cut), despite: fc.constant(['termination']) }),
    }),
  );

function takesRounds(algorithm: AnyAlgorithm, options: SimulateOptions): boolean {
  return Reflect.get(new Run(algorithm, options).simulation, 'fastLoop') !== null;
}

describe.each(named)('%s', (_, algorithm) => {
  // Only nodes that detect the crash of the coordinator initiate, and the coordinator itself does not.
  // The general loop checks invariants, which small networks have checked by default.
  const alive = {
    ...(algorithm.trigger === 'coordinator dead' && { crash: 'none' as const }),
    invariants: 'none' as const,
  };

  test('has the same outcome in the fast loop as in the general loop, which is used with an observer', () => {
    const inRounds = algorithm.assumes.timing === 'synchronous';
    const schedules = inRounds ? (['lockstep'] as const) : (['lockstep', 'random'] as const);
    fc.assert(
      fc.property(anyOptions, fc.constantFrom(...schedules), (drawn, schedule) => {
        const given = inRounds ? { ...drawn, initiators: 'all' as const } : drawn;
        const timeout = 'timeout' in algorithm.params && schedule === 'random' ? { timeout: 6 } : {};
        const options = { ...given, ...alive, schedule, set: timeout };
        expect(simulate(algorithm, { ...options, observe: () => {} })).toEqual(simulate(algorithm, options));
      }),
      { numRuns: RUNS, seed: 1 },
    );
  });

  test('uses the fast loop unless it has timers or an observer', () => {
    const lockstep = { nodes: 8, ...alive };
    expect(takesRounds(algorithm, lockstep)).toBe(algorithm.timers === undefined);
    expect(takesRounds(algorithm, { ...lockstep, observe: () => {} })).toBe(false);
  });

  test('has the same outcome however small the steps in which it is advanced', () => {
    for (const observe of [undefined, () => {}]) {
      const options = { nodes: 17, seed: 3, ...alive, observe };
      const run = new Run(algorithm, options);
      while (!run.advance(1));
      expect(run.outcome()).toEqual(simulate(algorithm, options));
    }
  });
});
