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
import type { ClockReading } from '../../../src/lease/core/clock-reading.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';
import type { Input, Output } from '../../../src/lease/core/lease-event.ts';
import { type Make, RIGHT } from './mutant.ts';
import { type Plan, planOf } from './plan.ts';
import type { SimulatedProcess } from './simulated/simulated-process.ts';
import { World } from './world.ts';

const SEEDS = 150;
const ASK_MS = 1_000;
const ROUNDING_MS = 3;

function quietWorld(seed: number, change: Partial<Plan> = {}, make: Make = RIGHT): World {
  const plan: Plan = { ...planOf(seed, { faults: [] }), candidates: 2 + (seed % 4), ...change };
  const world = new World(plan, make);
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
      const spreadMs = Math.min(1_000, Math.floor(ttlMs / 50));
      const askMs = storePushes ? Math.min(5_000, Math.max(ASK_MS, Math.ceil(ttlMs / 3))) : ASK_MS;
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

describe('no notification arrives, although the store is believed to push', () => {
  /** In how many worlds the successor does not lead next. */
  function failedHandovers(make: Make): number {
    let failed = 0;
    for (let seed = 0; seed < SEEDS; seed++) {
      const ttlMs = [3_000, 15_000, 60_000][seed % 3];
      const world = quietWorld(seed, { ttlMs, storePushes: true, isLossy: true }, make);
      const { leader } = world;
      const successor = world.machines.find(({ live }) => live !== leader)!;
      leader!.step({ type: 'release', reason: 'transferred', successor: successor.options.id, again: true });
      const sinceMs = world.nowMs;
      while (world.electedMs <= sinceMs) world.runUntil(world.nowMs + 100);
      if (world.leader !== successor.live) failed++;
    }
    return failed;
  }

  /** As it was: one renewal period, or a second and the request timeout. */
  class ReservesBriefly extends LeaseCore {
    override step(input: Input, now: ClockReading): readonly Output[] {
      const { renewEveryMs, requestTimeoutMs, ttlMs } = this.options.timing;
      const reserveMs = Math.max(renewEveryMs, Math.min(ASK_MS, ttlMs) + requestTimeoutMs);
      return super
        .step(input, now)
        .map((output) =>
          output.type === 'release' ? { ...output, request: { ...output.request, reserveMs } } : output,
        );
    }
  }

  it('and still the successor leads next: its reservation outlasts its polling interval', () => {
    expect(failedHandovers(RIGHT)).toBe(0);
  });

  it('and a reservation that is shorter than the polling interval is found', () => {
    expect(failedHandovers({ ...RIGHT, core: (options) => new ReservesBriefly(options) })).toBeGreaterThan(0);
  });
});

describe('a candidate that waits', () => {
  it.each([
    ['one request a second, without notifications', false, 1_000],
    ['a request every 5 s or less often, with notifications', true, 5_000],
  ])('sends %s, whatever the ttl', (_, storePushes, everyMs) => {
    for (const ttlMs of [15_000, 60_000, 3_600_000]) {
      const world = quietWorld(1, { ttlMs, storePushes, candidates: 2, usualDelay: 0 });
      const before = world.tally.of('acquire');
      world.runUntil(world.nowMs + 120_000);
      const sent = world.tally.of('acquire') - before;
      expect(sent).toBeLessThanOrEqual(120_000 / everyMs + 1);
      expect(sent).toBeGreaterThanOrEqual(120_000 / (everyMs === 1_000 ? 2_000 : everyMs) - 1);
    }
  });
});
