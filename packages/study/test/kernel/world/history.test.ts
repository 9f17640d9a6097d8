import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { changRoberts, raft } from '../../../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { resolveSetup } from '../../../src/kernel/setup.ts';
import type { Configuration } from '../../../src/kernel/world/configuration.ts';
import { History } from '../../../src/kernel/world/history.ts';
import { nodeViews } from '../../../src/kernel/world/node-view.ts';
import { World } from '../../../src/kernel/world/world.ts';
import { randomAlgorithm } from './random-algorithm.ts';

const FAULTS = { crashes: 3, recoveries: 3, losses: 3, duplications: 3 };

function worldOf(algorithm: AnyAlgorithm, ids = [3, 1, 2]): World {
  let draws = 0;
  const draw = (sides: number): number => 1 + (draws++ % sides);
  return new World(resolveSetup(algorithm, { ids }), { faults: FAULTS, draw });
}

/** Takes a step for each choice, as long as there is one; the configurations before and after each. */
function record(history: History, choices: readonly number[]): Configuration[] {
  const { world } = history;
  const all = [world.save()];
  for (const choice of choices) {
    const enabled = world.enabled();
    if (enabled.length === 0) break;
    history.take(enabled[choice % enabled.length]);
    all.push(world.save());
  }
  return all;
}

const timings = fc.constantFrom('asynchronous' as const, 'bounded-delay' as const, 'synchronous' as const);
const algorithms = timings.chain((timing) => randomAlgorithm({ timing, isTold: true }));

describe('a history', () => {
  it('reaches the same configuration at every position, in any order', () => {
    fc.assert(
      fc.property(
        algorithms,
        fc.array(fc.nat(), { maxLength: 80 }),
        fc.array(fc.nat(), { maxLength: 30 }),
        (algorithm, choices, jumps) => {
          const history = new History(worldOf(algorithm));
          const all = record(history, choices);
          for (const jump of jumps) {
            const position = jump % all.length;
            history.seek(position);
            expect(history.position).toBe(position);
            expect(history.world.save()).toEqual(all[position]);
          }
        },
      ),
      { numRuns: 100, seed: 2 },
    );
  });

  it('goes back to a step that was taken after an earlier return', () => {
    const history = new History(worldOf(changRoberts, [3, 1, 2]));
    record(history, [0, 0, 0]);
    history.back();
    history.forward();
    const all = record(history, [0, 0]);
    history.back();
    expect(history.world.save()).toEqual(all[1]);
  });

  it('forks: both runs keep their steps, and agree up to the fork', () => {
    const history = new History(worldOf(raft, [2, 3, 1]));
    const all = record(
      history,
      Array.from({ length: 60 }, (_, k) => k),
    );
    history.seek(40);
    const fork = history.fork();
    history.seek(60);
    fork.resume();
    const others = record(
      fork,
      Array.from({ length: 30 }, (_, k) => 3 * k + 1),
    );
    for (const position of [0, 17, 39, 40]) {
      fork.seek(position);
      expect(fork.world.save()).toEqual(all[position]);
    }
    fork.seek(70);
    expect(fork.world.save()).toEqual(others[30]);
    history.resume();
    expect(history.world.save()).toEqual(all[60]);
  });

  it('goes back one step at a time, and forward again', () => {
    const history = new History(worldOf(raft, [2, 3, 1]));
    const all = record(
      history,
      Array.from({ length: 300 }, (_, k) => (k * 7919) % 101),
    );
    expect(all.length).toBeGreaterThan(100);
    for (let position = all.length - 2; position >= 0; position--) {
      expect(history.back()).toBe(true);
      expect(history.world.save()).toEqual(all[position]);
    }
    expect(history.back()).toBe(false);
    for (const configuration of all.slice(1)) {
      expect(history.forward()).not.toBeNull();
      expect(history.world.save()).toEqual(configuration);
    }
    expect(history.forward()).toBeNull();
  });

  it('forgets the steps after the cursor when another step is taken', () => {
    const history = new History(worldOf(changRoberts));
    record(history, [0, 0, 0, 0, 0]);
    history.seek(2);
    const [, other] = history.world.enabled();
    history.take(other);
    expect(history.steps).toHaveLength(3);
    history.seek(0);
    history.seek(3);
    expect(history.steps[2]).toEqual(other);
  });

  it('keeps going after its checkpoints are thinned out', () => {
    const ring = Array.from({ length: 40 }, (_, at) => 40 - at);
    const history = new History(worldOf(changRoberts, ring));
    const all =
      record(
        history,
        Array.from({ length: 20_000 }, () => 0),
      ).length - 1;
    expect(all).toBeGreaterThan(800);
    history.seek(17);
    const early = history.world.save();
    history.seek(all);
    expect(history.world.enabled().filter(({ type }) => type === 'deliver')).toEqual([]);
    history.seek(17);
    expect(history.world.save()).toEqual(early);
  });

  it.each([-1, 6, 0.5])('refuses the position %s', (position) => {
    const history = new History(worldOf(changRoberts));
    record(history, [0, 0, 0, 0, 0]);
    expect(() => history.seek(position)).toThrow('the position must be from 0 to 5');
  });
});

describe('a configuration', () => {
  it('is plain data: a clone loads into another world, and the run goes on alike', () => {
    fc.assert(
      fc.property(
        algorithms,
        fc.array(fc.nat(), { maxLength: 30 }),
        fc.array(fc.nat(), { maxLength: 10 }),
        (algorithm, before, after) => {
          const [one, other] = [worldOf(algorithm), worldOf(algorithm)];
          record(new History(one), before);
          other.load(structuredClone(one.save()));
          for (const choice of after) {
            const enabled = one.enabled();
            expect(other.enabled()).toEqual(enabled);
            if (enabled.length === 0) return;
            const { step } = one.apply(enabled[choice % enabled.length]);
            other.apply(step);
            expect(other.save()).toEqual(one.save());
            expect(nodeViews(other)).toEqual(nodeViews(one));
          }
        },
      ),
      { numRuns: 100, seed: 4 },
    );
  });
});

describe('a world', () => {
  it('is unchanged after a step that it refuses', () => {
    const world = worldOf(changRoberts);
    const before = world.save();
    expect(() => world.apply({ type: 'tick' })).toThrow("'tick' is not enabled here");
    expect(() => world.apply({ type: 'deliver', from: 0, to: 1, message: 'token id=3' })).toThrow(
      'not enabled',
    );
    expect(world.save()).toBe(before);
    expect(world.apply({ type: 'start', node: 0 }).events.map(({ type }) => type)).toEqual(['start', 'send']);
  });

  it('is unchanged after a step whose random draws nobody decides', () => {
    const world = new World(resolveSetup(raft, { nodes: 3 }), {});
    const before = world.save();
    expect(() => world.apply({ type: 'start', node: 0 })).toThrow('draws random numbers');
    expect(world.save()).toBe(before);
    expect(world.apply({ type: 'start', node: 0, draws: [5] }).step).toMatchObject({ draws: [5] });
  });

  it('shows its nodes in words', () => {
    const world = worldOf(changRoberts);
    world.apply({ type: 'start', node: 0 });
    world.apply({ type: 'crash', node: 2 });
    expect(nodeViews(world).map(({ id, status }) => [id, status])).toEqual([
      [3, 'awake'],
      [1, 'asleep'],
      [2, 'dead'],
    ]);
  });
});
