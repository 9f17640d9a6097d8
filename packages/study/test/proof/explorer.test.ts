import { describe, expect, test } from 'vitest';
import { registry } from '../../src/algorithms/registry.ts';
import { changRoberts } from '../../src/algorithms/ring/chang-roberts.ts';
import { dolevKlaweRodeh } from '../../src/algorithms/ring/dolev-klawe-rodeh.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { positionSets, ringOrders } from '../algorithms/orders.ts';
import { Explorer, type Starts } from './explorer.ts';

/** The order of the Promela model: ((N+2−p) mod N)+1 at position p. */
function modelIds(n: number): number[] {
  return Array.from({ length: n }, (_, p) => ((n + 2 - p) % n) + 1);
}

describe("the model of Dolev, Klawe and Rodeh's election that comes with the checker Spin, eight nodes", () => {
  test('has 2,593 states when all have started', () => {
    const { states, ends, fault } = new Explorer(dolevKlaweRodeh, modelIds(8)).explore('together');
    expect({ states, ends, fault }).toEqual({ states: 2593, ends: 1, fault: null });
  });

  test('has 7,121 states and 31,287 transitions when each start is a step', () => {
    expect(new Explorer(dolevKlaweRodeh, modelIds(8)).explore('first')).toEqual({
      states: 7121,
      transitions: 31287,
      ends: 1,
      fault: null,
    });
  });
});

/** The explorer has neither clock nor die, and lets nobody crash. */
const DRAWS_LOTS = ['randomized-chang-roberts'];
const onRings = registry.filter(
  ({ assumes, name, trigger, overlay, timers }) =>
    assumes.network.endsWith('ring') &&
    assumes.timing === 'asynchronous' &&
    assumes.ids === 'unique' &&
    trigger === undefined &&
    overlay === undefined &&
    timers === undefined &&
    !DRAWS_LOTS.includes(name),
);

describe.each(onRings.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  test('never has two leaders, and ends with one that all name: every order to n = 4, every initiator set', () => {
    for (let n = 1; n <= 4; n++) {
      for (const ids of ringOrders(n)) {
        for (const initiators of positionSets(n)) expectSound(algorithm, ids, initiators);
      }
    }
  });
});

const onOneWayRings = onRings.filter(({ assumes }) => assumes.network === 'one-way ring');

test.each(onOneWayRings.map((algorithm) => [algorithm.name, algorithm] as const))(
  '%s: the same for every order of 5 nodes that all start together',
  (_, algorithm) => {
    for (const ids of ringOrders(5)) expectSound(algorithm, ids, undefined, 'together');
  },
);

function expectSound(
  algorithm: AnyAlgorithm,
  ids: number[],
  initiators?: number[],
  starts: Starts = 'first',
): void {
  const { fault, ends } = new Explorer(algorithm, ids, initiators).explore(starts);
  if (fault !== null || ends === 0) throw new Error(`ids ${ids}, initiators ${initiators}: ${fault}`);
}

/** The same algorithm with another beginning. */
function startingWith(onStart: AnyAlgorithm['onStart']): AnyAlgorithm {
  const algorithm: AnyAlgorithm = changRoberts;
  return { ...algorithm, onStart };
}

describe('what is wrong is found', () => {
  test('two leaders, with the way there', () => {
    const greedy = startingWith((_state, ctx): undefined => {
      ctx.decide('leader');
    });
    expect(new Explorer(greedy, [1, 2]).explore('first').fault).toBe('two leaders after start 0, start 1,');
  });

  test('an election that ends undecided', () => {
    const silent = startingWith(() => undefined);
    expect(new Explorer(silent, [1, 2]).explore('together').fault).toBe('no node has decided after');
  });
});
