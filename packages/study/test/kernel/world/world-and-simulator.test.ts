/** Every event of a simulated run is a step that the world allows, and leaves the node in the same state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { RunFollower } from '../../../../lab/src/model/run/run-follower.ts';
import { traceOf } from '../../../../lab/src/model/run/simulated-trace.ts';
import { registry } from '../../../src/algorithms/index.ts';
import type { AnyAlgorithm, TimingModel } from '../../../src/kernel/index.ts';
import type { Messages } from '../../../src/kernel/message.ts';
import type { WorldOptions } from '../../../src/kernel/world/rules.ts';
import { World } from '../../../src/kernel/world/world.ts';
import { type Adversary, Run, type SimulateOptions } from '../../../src/simulator/index.ts';
import { randomAlgorithm } from './random-algorithm.ts';

const ANY = Number.POSITIVE_INFINITY;
const ANY_FAULTS = { crashes: ANY, recoveries: ANY, losses: ANY, duplications: ANY };

/** Takes in the world what happens in a simulation, and compares the states of the nodes; how many steps it were. */
function follow(algorithm: AnyAlgorithm, options: SimulateOptions, rules: WorldOptions): number {
  const trace = traceOf(algorithm, { ...options, despite: ['termination', 'fifo'] });
  const world = new World(trace.run.plan, { ...rules, faults: ANY_FAULTS });
  let steps = 0;
  const follower = new RunFollower(world, trace, (step) => {
    steps++;
    return world.apply(step);
  });
  while (follower.next());
  return steps;
}

const down = fc.record({ position: fc.constantFrom(1, 2), time: fc.nat(6), back: fc.constantFrom(0, 1, 3) });
const faults = fc
  .record({
    seed: fc.nat(1000),
    ids: fc.constantFrom([3, 1, 2], [2, 4, 3, 1]),
    downs: fc.uniqueArray(down, { maxLength: 2, selector: ({ position }) => position }),
    loss: fc.constantFrom(0, 0.2),
    duplicate: fc.constantFrom(0, 0.2),
    partition: fc.constantFrom([], [{ groups: [[0], [1, 2]], from: 1, until: 3 }]),
  })
  .map(({ downs, ...options }) => ({
    ...options,
    crash: downs.map(({ position, time }) => ({ position, time })),
    recover: downs.flatMap(({ position, time, back }) => (back > 0 ? [{ position, time: time + back }] : [])),
  }));

function followAll(
  timing: TimingModel,
  schedule: NonNullable<SimulateOptions['schedule']>,
  rules: WorldOptions,
): number {
  let steps = 0;
  fc.assert(
    fc.property(
      fc.boolean().chain((isTold) => randomAlgorithm({ timing, isTold })),
      faults,
      (algorithm, options) => {
        steps += follow({ ...algorithm, trigger: 'start' }, { ...options, schedule }, rules);
      },
    ),
    { numRuns: effort({ quick: 100, full: 300 }), seed: 5 },
  );
  return steps;
}

describe('the world and the simulator, event by event', () => {
  it.each([
    ['random delays on FIFO links', 'random', true],
    ['random delays on links without order', 'random:nofifo', false],
  ] as const)('%s: the world takes every step, with faults', (_, schedule, fifo) => {
    expect(followAll('asynchronous', schedule, { timing: 'asynchronous', fifo })).toBeGreaterThan(1500);
  });

  it.each([true, false])('an adversary, FIFO links %s: the world takes every step, with faults', (fifo) => {
    const pick: Adversary = (choices, step) => (step * 7919) % choices.length;
    const steps = followAll('asynchronous', { pick, fifo }, { timing: 'asynchronous', fifo });
    expect(steps).toBeGreaterThan(1500);
  });

  it('lockstep: the world with a delay of one unit takes every step, with faults', () => {
    const steps = followAll('bounded-delay', 'lockstep', { starts: 'free', delay: 1, fifo: true });
    expect(steps).toBeGreaterThan(1500);
  });
});

/** All nodes after so many units of a simulation in lockstep, and what each has drawn. */
function simulated(algorithm: AnyAlgorithm, options: SimulateOptions, until: number) {
  const run = new Run(algorithm, { ...options, until, despite: ['termination'], invariants: 'none' });
  const { context, decisions } = run.simulation.machine;
  const { draw } = context;
  const draws = new Map<number, number[]>();
  context.draw = (sides) => {
    const drawn = draw(sides);
    draws.set(context.at, [...(draws.get(context.at) ?? []), drawn]);
    return drawn;
  };
  while (!run.advance(1));
  const isFast = (run.simulation as unknown as { fastLoop: object | null }).fastLoop !== null;
  return { run, draws, isFast, decisions };
}

/** Compares all nodes after every round; how many rounds it were. */
function compareRounds(algorithm: AnyAlgorithm, options: SimulateOptions, isFast: boolean): number {
  const { plan } = simulated(algorithm, options, 0).run;
  const drawn = new Map<number, number>();
  let draws: ReadonlyMap<number, readonly number[]> = new Map();
  const world: World = new World(plan, {
    timing: 'synchronous',
    starts: 'together',
    initiators: [...plan.initiators],
    faults: ANY_FAULTS,
    draw: () => {
      const { at } = world.machine.context;
      const count = drawn.get(at) ?? 0;
      drawn.set(at, count + 1);
      return draws.get(at)?.[count] as number;
    },
  });
  let rounds = 0;
  for (; rounds < 40; rounds++) {
    const { decisions, run, ...unit } = simulated(algorithm, options, rounds);
    const { machine } = run.simulation;
    draws = unit.draws;
    expect(unit.isFast).toBe(isFast);
    if (rounds === 0) for (const node of plan.initiators) world.apply({ type: 'start', node });
    else {
      for (const { position, time } of plan.faults.crashes) {
        if (time === rounds) world.apply({ type: 'crash', node: position });
      }
      if (world.matching({ type: 'round' }).length > 0) world.apply({ type: 'round' });
    }
    const nodes = [...plan.ids.keys()];
    expect(nodes.map((at) => world.machine.fieldsOf(at))).toEqual(nodes.map((at) => machine.fieldsOf(at)));
    expect(nodes.map((at) => world.machine.decisions.save(at))).toEqual(
      nodes.map((at) => decisions.save(at)),
    );
    if (!run.simulation.cut) break;
  }
  return rounds;
}

describe('the world and the simulator, round by round', () => {
  it('agree on all nodes after every round of a synchronous run, with crashes', () => {
    let rounds = 0;
    fc.assert(
      fc.property(randomAlgorithm({ timing: 'synchronous', isTold: false }), faults, (algorithm, options) => {
        const { ids, seed } = options;
        // What a node sends when it recovers, between two rounds here, arrives a round later in the simulator.
        const crash = options.crash.map(({ position, time }) => ({ position, time: time + 1 }));
        try {
          rounds += compareRounds(algorithm, { ids, seed, crash, observe: () => {} }, false);
        } catch (error) {
          // The simulation stops where a handler throws.
          if ((error as { property?: string }).property !== 'handler') throw error;
        }
      }),
      { numRuns: effort({ quick: 100, full: 200 }), seed: 7 },
    );
    expect(rounds).toBeGreaterThan(effort({ quick: 100, full: 300 }));
  });

  const plain = registry.filter(
    ({ messages, overlay, timers, trigger = 'start' }) =>
      timers === undefined &&
      overlay === undefined &&
      trigger === 'start' &&
      !Object.values(messages as Messages).some(({ fields }) =>
        fields.some(([, { kind }]) => kind === 'list'),
      ),
  );

  it.each(plain.map((algorithm) => [algorithm.name, algorithm] as const))(
    '%s: the fast loop agrees after every round',
    (_name, algorithm) => {
      expect(compareRounds(algorithm, { nodes: 6, seed: 3 }, true)).toBeGreaterThan(2);
    },
  );
});
