/**
 * P5: without other faults, the next leader comes within a bound that follows from the timing alone. `delayMs` is the
 * longest that a message takes one way, `spreadMs` what candidates add so as not to come all at once.
 *
 *   a crash, store with a clock      ttl + spread + 4 delays: the last renewal may still have been on its way; what a
 *                                    waiting candidate was told is one delay old; then a claim and its answer
 *   a crash, store without a clock   the same, and what a challenger waits beyond the ttl, and until it saw the record
 *   a crash that is proved           4 delays: an answer still awaited, a claim and its answer
 *   a release, store that pushes     6 delays after the work ended: release, notification, an answer still awaited, a claim
 *   a release, store that does not   a second, the time between two claims, and 4 delays
 */
import { describe, expect, it } from 'vitest';
import { type Plan, planOf } from './plan.ts';
import type { SimulatedProcess } from './simulated/simulated-process.ts';
import { World } from './world.ts';

const SEEDS = 150;
const ASK_MS = 1_000;
const ROUNDING_MS = 3;

function quietWorld(seed: number): World {
  const plan: Plan = { ...planOf(seed, { faults: [] }), candidates: 2 + (seed % 4) };
  const world = new World(plan);
  world.open();
  world.runUntil(6 * plan.ttlMs + (seed % 97) * Math.ceil(plan.ttlMs / 97));
  expect(world.leader, `a leader in world ${seed}`).toBeDefined();
  return world;
}

/** From now until another leads. */
function takeOverMs(world: World, old: SimulatedProcess): number {
  const sinceMs = world.nowMs;
  while (world.leader === undefined || world.leader === old) {
    world.runUntil(world.nowMs + Math.ceil(world.ttlMs / 50));
    expect(world.nowMs).toBeLessThan(sinceMs + 20 * world.ttlMs + 20 * ASK_MS);
  }
  return world.electedMs - sinceMs;
}

function everySeed(check: (world: World, leader: SimulatedProcess) => void): void {
  for (let seed = 0; seed < SEEDS; seed++) {
    const world = quietWorld(seed);
    check(world, world.leader!);
  }
}

describe('the next leader comes within the stated bound', () => {
  it('after a crash', () => {
    const late: string[] = [];
    everySeed((world, leader) => {
      const { ttlMs, storeHasClock, storePushes, seed } = world.setting;
      const spreadMs = Math.floor(ttlMs / 50);
      const askMs = storePushes ? Math.max(ASK_MS, Math.ceil(ttlMs / 3)) : ASK_MS;
      const standMs = storeHasClock
        ? 0
        : Math.ceil(ttlMs / 15) + Math.min(askMs, ttlMs + Math.ceil(ttlMs / 15));
      const boundMs = ttlMs + standMs + spreadMs + 4 * world.usualDelayMs + ROUNDING_MS;
      leader.crash();
      const tookMs = takeOverMs(world, leader);
      if (tookMs > boundMs) late.push(`world ${seed}: ${tookMs} ms, bound ${boundMs}`);
    });
    expect(late).toEqual([]);
  });

  it('after a crash that is proved, as soon as somebody looks', () => {
    const late: string[] = [];
    everySeed((world, leader) => {
      const { ttlMs, storeHasClock, seed } = world.setting;
      const { nonce } = leader.core;
      leader.crash();
      for (const { live } of world.machines) live?.step({ type: 'gone', nonce });
      const tookMs = takeOverMs(world, leader);
      const boundMs = 4 * world.usualDelayMs + ROUNDING_MS;
      if (tookMs > boundMs) late.push(`world ${seed}: ${tookMs} ms of ${ttlMs}, clock ${storeHasClock}`);
    });
    expect(late).toEqual([]);
  });

  it('after a release', () => {
    const late: string[] = [];
    everySeed((world, leader) => {
      const { ttlMs, storePushes, seed } = world.setting;
      leader.step({ type: 'release', reason: 'released', successor: null, again: false });
      while (leader.isWorking) world.runUntil(world.nowMs + 1);
      const tookMs = takeOverMs(world, leader);
      const spreadMs = Math.floor(ttlMs / 50);
      const boundMs = storePushes
        ? 6 * world.usualDelayMs + ROUNDING_MS
        : Math.min(ASK_MS, ttlMs + Math.ceil(ttlMs / 15) + spreadMs) + 4 * world.usualDelayMs + ROUNDING_MS;
      if (tookMs > boundMs) late.push(`world ${seed}: ${tookMs} ms, bound ${boundMs}`);
    });
    expect(late).toEqual([]);
  });

  it('and it is the successor, if the lease is handed over to one that waits', () => {
    everySeed((world, leader) => {
      const successor = world.machines.find(({ live }) => live !== leader)!;
      leader.step({ type: 'release', reason: 'transferred', successor: successor.options.id, again: false });
      takeOverMs(world, leader);
      expect(world.leader).toBe(successor.live);
    });
  });
});
