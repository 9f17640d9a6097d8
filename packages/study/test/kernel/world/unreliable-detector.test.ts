import { describe, expect, test } from 'vitest';
import { bully } from '../../../src/algorithms/complete/bully.ts';
import { raft } from '../../../src/algorithms/quorum/raft.ts';
import { resolveSetup } from '../../../src/kernel/setup.ts';
import { World } from '../../../src/kernel/world/world.ts';

/** Three processes of which none has crashed; the largest has started and leads. */
function led(unreliable: boolean): World {
  const setup = resolveSetup(bully, { ids: [1, 2, 3] });
  const world = new World(setup, { timing: 'asynchronous', starts: 'free', dead: [], unreliable });
  world.apply({ type: 'start', node: 2 });
  for (const to of [0, 1]) world.apply({ type: 'deliver', from: 2, to, message: 'coordinator term=3' });
  return world;
}

const texts = (world: World): string[] =>
  world
    .enabled()
    .map((step) =>
      'node' in step
        ? `${step.type} ${step.node}`
        : 'from' in step
          ? `${step.type} ${step.from} > ${step.to}`
          : step.type,
    );

describe('a failure detector that may be wrong', () => {
  test('lets any live node start again, although its leader lives', () => {
    expect(texts(led(true))).toEqual(expect.arrayContaining(['start 0', 'start 1', 'start 2']));
    expect(texts(led(false))).toEqual([]);
  });

  test('tells a sender once that a message was not delivered, although it was', () => {
    const world = led(true);
    const notice = { type: 'notice', from: 2, to: 0, message: 'coordinator term=3' } as const;
    expect(world.matching(notice)).toHaveLength(1);
    world.apply(notice);
    expect(world.matching(notice)).toEqual([]);
    expect(led(false).matching(notice)).toEqual([]);
  });

  test('keeps a message in flight that its sender was told about', () => {
    const world = led(true);
    world.apply({ type: 'start', node: 0 });
    const call = { from: 0, to: 1, message: 'election term=4' } as const;
    world.apply({ type: 'notice', ...call });
    expect(world.matching({ type: 'deliver', ...call })).toHaveLength(1);
  });

  test('needs nothing more to be quiescent: what it may say, it need not', () => {
    const world = led(true);
    expect(world.rules.isQuiescent(world.configuration)).toBe(true);
  });

  test('starts no algorithm again that begins at the start of the system', () => {
    const world = new World(resolveSetup(raft, { ids: [1, 2, 3] }), { unreliable: true, draw: () => 1 });
    world.apply({ type: 'start', node: 0 });
    expect(texts(world)).not.toContain('start 0');
  });
});
