/** Random draws with very many outcomes: a search says so, and stops where it can be interrupted. */
import { describe, expect, it } from 'vitest';
import {
  type Checkpoint,
  check,
  checkInSlices,
  planCheck,
  probabilities,
} from '../../../src/checker/index.ts';
import {
  type AnyAlgorithm,
  CapacityError,
  counter,
  defineAlgorithm,
  message,
} from '../../../src/kernel/index.ts';

interface Draws {
  random(sides: number): number;
}

const about = { title: 'Drawing', source: 'a test', cost: '-', params: {}, laws: [] };

/** Every node draws when it starts, and keeps one number. */
function drawing(draw: (ctx: Draws) => number): AnyAlgorithm {
  return defineAlgorithm({
    ...about,
    name: 'drawing',
    assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: true },
    state: { x: counter(1000) },
    messages: { m: message() },
    onStart(state, ctx) {
      state.x = draw(ctx);
    },
    on: { m() {} },
  });
}

const coins = drawing((ctx) => {
  let sum = 0;
  for (let k = 0; k < 40; k++) sum += ctx.random(2);
  return sum;
});
const billion = drawing((ctx) => ctx.random(1_000_000_000) % 2);
const die = drawing((ctx) => ctx.random(8));

describe('a step with too many outcomes of its draws stops a search', () => {
  it.each([
    ['40 coins', coins],
    ['one of a billion', billion],
  ])('%s', (_, algorithm) => {
    for (const starts of ['free', 'together'] as const) {
      expect(check(algorithm, { ids: [1, 2], starts })).toMatchObject({
        complete: false,
        stopped: 'draws',
        violations: [],
      });
    }
    expect(() => probabilities(algorithm, { ids: [1, 2] })).toThrow(CapacityError);
    expect(() => probabilities(algorithm, { ids: [1, 2] })).toThrow('more than 65536 outcomes');
  });

  it.each([
    [50, null],
    [1000, 'draws'],
  ] as const)('or a round of a synchronous network, in which all nodes draw: %d', (sides, stopped) => {
    const together: AnyAlgorithm = defineAlgorithm({
      ...about,
      name: 'together',
      assumes: { network: 'ring', timing: 'synchronous', ids: 'unique', fifo: true },
      state: { x: counter(1000) },
      messages: { m: message() },
      onStart(_state, ctx) {
        ctx.send(0, 'm');
      },
      on: {
        m(state, _port, _message, ctx) {
          state.x = ctx.random(sides);
          ctx.decide(ctx.id === 1 ? 'leader' : 'follower', 1);
        },
      },
    });
    const result = check(together, { ids: [1, 2], stateLimit: 10_000 });
    expect(result).toMatchObject({ stopped, complete: stopped === null, violations: [] });
    expect(result.states).toBeLessThan(3000);
  });

  it('and one with many is searched', () => {
    const many = drawing((ctx) => (ctx.random(200) + ctx.random(300)) % 2);
    expect(check(many, { ids: [1, 2] })).toMatchObject({ stopped: null });
  });
});

describe('nodes that draw when they start together have a product of initial states', () => {
  const together = { nodes: 8, starts: 'together' } as const;

  it('of which a search meets no more than its limit allows', () => {
    const checkpoints: Checkpoint[] = [];
    const result = check(die, { ...together, stateLimit: 10_000, onStopped: (one) => checkpoints.push(one) });
    expect(result).toMatchObject({ complete: false, stopped: 'states', completeDepth: null, transitions: 0 });
    expect(result.states).toBeLessThan(11_000);
    // A search that continued from there would not meet the other initial states.
    expect(checkpoints).toEqual([]);
  });

  it('among which it is interrupted', () => {
    let asked = 0;
    const result = check(die, { ...together, isInterrupted: () => ++asked > 3 });
    expect(result).toMatchObject({ complete: false, stopped: 'interrupt', completeDepth: null });
    expect(result.states).toBeLessThan(2000);
  });

  it('between which the caller may do something else', () => {
    const slices = checkInSlices(planCheck(die, together));
    for (let slice = 0; slice < 20; slice++) expect(slices.next().done).toBe(false);
  });

  it('which are all searched if they are few', () => {
    const result = check(die, { nodes: 2, starts: 'together', reduce: 'none' });
    expect(result.violations[0]).toMatchObject({ property: 'termination', steps: [] });
  });
});
