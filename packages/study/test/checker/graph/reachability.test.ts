/** What can still happen from a configuration, against the whole search. */
import { describe, expect, it } from 'vitest';
import { changRoberts, peterson, twins } from '../../../src/algorithms/index.ts';
import { reachabilityFrom } from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';
import { resolveSetup } from '../../../src/kernel/setup.ts';
import { formatStep } from '../../../src/kernel/world/step.ts';
import { World } from '../../../src/kernel/world/world.ts';

function worldOf(algorithm: AnyAlgorithm, ids: readonly number[], fifo?: boolean): World {
  return new World(resolveSetup(algorithm, { ids }), { fifo });
}

describe('the violations that a configuration can reach', () => {
  it('is safe at the beginning of a right algorithm, and leaves the world as it was', () => {
    const world = worldOf(changRoberts, [2, 3, 1]);
    const before = world.save();
    expect(reachabilityFrom(world, 10_000)).toMatchObject({ type: 'safe' });
    expect(world.save()).toBe(before);
  });

  it('is unknown if there are more states than it may explore', () => {
    expect(reachabilityFrom(worldOf(peterson, [3, 1, 2]), 10)).toMatchObject({ type: 'unknown' });
  });

  it('finds a violation with steps that lead to it, where a wrong twin allows one', () => {
    const twin = twins.find(({ name }) => name === 'peterson-without-max');
    if (twin === undefined) throw new Error('there is no twin of Peterson');
    const world = worldOf(twin.algorithm, [1, 2]);
    const reachability = reachabilityFrom(world, 10_000);
    if (reachability.type !== 'violation') throw new Error(`the reachability is ${reachability.type}`);
    for (const step of reachability.steps) {
      expect(world.enabled().map(formatStep)).toContain(formatStep({ ...step, draws: undefined }));
      world.apply(step);
    }
    expect(reachability.text).not.toBe('');
  });
});
