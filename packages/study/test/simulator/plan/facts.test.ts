/** The facts about a run that the laws of an algorithm may use. */
import { describe, expect, test } from 'vitest';
import { message } from '../../../src/kernel/index.ts';
import { Run, type SimulateOptions } from '../../../src/simulator/index.ts';
import { type TestAlgorithm, testAlgorithm } from '../test-algorithm.ts';

/** Each node that starts sends to its first neighbour. */
const parts: TestAlgorithm = {
  messages: { hello: message() },
  onStart: (_state, ctx) => ctx.degree > 0 && ctx.send(0, 'hello'),
};

function factsOf(options: SimulateOptions, more: TestAlgorithm = {}) {
  const run = new Run(testAlgorithm({ ...parts, ...more }), options);
  while (!run.advance());
  return run.facts();
}

describe('the facts of a run', () => {
  test('contain the crashes and recoveries with their times', () => {
    const crash = [
      { position: 3, time: 0 },
      { position: 1, time: 2.5 },
    ];
    const recover = [{ position: 3, time: 4 }];
    const { crashes, recoveries, dead } = factsOf({ nodes: 4, crash, recover });
    expect({ crashes, recoveries, dead }).toEqual({ crashes: crash, recoveries: recover, dead: [3] });
    expect(factsOf({ nodes: 4 })).toMatchObject({ crashes: [], recoveries: [], dead: [] });
  });

  test('contain the start times of the initiators, and exclude a node that a message reached first', () => {
    expect(factsOf({ nodes: 4 }).wakeTimes).toBeNull();
    const initiators = [3, { position: 2, time: 5 }, { position: 0, time: 0.25 }];
    const late = factsOf({ nodes: 4, topology: 'line', initiators });
    expect([Array.from(late.initiators), Array.from(late.wakeTimes ?? [])]).toEqual([
      [0, 3],
      [0.25, 0],
    ]);
    const eager = factsOf({ nodes: 4, topology: 'line', initiators }, { startOnMessage: true });
    expect([Array.from(eager.initiators), Array.from(eager.wakeTimes ?? [])]).toEqual([
      [0, 2, 3],
      [0.25, 1, 0],
    ]);
  });

  test('contain the first start of a node that starts twice', () => {
    const initiators = [0, { position: 0, time: 7 }, { position: 1, time: 3 }];
    const options = { nodes: 3, topology: 'complete', initiators, crash: 'none' } as const;
    const { wakeTimes } = factsOf(options, { trigger: 'coordinator dead' });
    expect(Array.from(wakeTimes ?? [])).toEqual([0, 3]);
  });

  test('say whether a round trip takes at most the timeout', () => {
    expect(factsOf({ nodes: 4 }).boundedDelay).toBe(true);
    expect(factsOf({ nodes: 4, schedule: 'random' }).boundedDelay).toBe(false);
    expect(factsOf({ nodes: 4, schedule: { pick: () => 0 } }).boundedDelay).toBe(false);
  });

  test('contain the diameter, if it can be computed in time', () => {
    expect(factsOf({ nodes: 6, topology: 'line' }).D).toBe(5);
    expect(factsOf({ topology: 'grid:3x4' }).D).toBe(5);
    expect(factsOf({ nodes: 9, topology: 'complete' }).D).toBe(1);
    expect(factsOf({ nodes: 8, topology: 'hypercube' }).D).toBe(3);
    expect(factsOf({ nodes: 100_000, topology: 'line' }).D).toBe(99_999);
    expect(factsOf({ nodes: 20_000, topology: 'random:40000' }).D).toBeNull();
  });
});
