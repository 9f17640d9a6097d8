/** Faults that begin at a random time and last for a while. Half of them hit the leader. Faults of single messages are in network.ts. */
import type { Random } from '../../../../study/src/kernel/random.ts';
import type { Fault } from './plan.ts';
import type { SimulatedMachine } from './simulated/simulated-machine.ts';
import { drawRates } from './simulated/virtual-clock.ts';
import type { World } from './world.ts';

type Begin = (world: World, target: SimulatedMachine, random: Random) => void;

const HOUR_MS = 3_600_000;

const EPISODES: { readonly [Key in Fault]?: Begin } = {
  'one-way': (world, { link }, random) => {
    const direction = random.chance(0.5) ? 'up' : 'down';
    link.cut[direction] = true;
    after(world, random, () => {
      link.cut[direction] = false;
    });
  },
  partition: (world, { link }, random) => {
    link.cut.up = true;
    link.cut.down = true;
    after(world, random, () => {
      link.cut.up = false;
      link.cut.down = false;
    });
  },
  pause: (world, { live }, random) => {
    if (live === null || live.isPaused) return;
    live.pause();
    after(world, random, () => {
      if (live.isAlive && live.isPaused) live.goOn(random.chance(0.7));
    });
  },
  suspend: (world, { live, clock }, random) => {
    if (live === null || live.isPaused) return;
    live.pause();
    clock.sleep(world.nowMs);
    after(world, random, () => {
      clock.wake(world.nowMs);
      if (live.isAlive && live.isPaused) live.goOn(random.chance(0.7));
    });
  },
  crash: (world, machine, random) => {
    const { live, clock } = machine;
    if (live === null) return;
    clock.wake(world.nowMs);
    live.crash();
    if (world.isOn('no-restart') && random.chance(0.3)) world.tally.count('no-restart');
    else after(world, random, () => world.start(machine));
  },
  'clock-step': (world, { clock, live }, random) => {
    const byMs = random.below(HOUR_MS);
    // See plan.ts: only the wall clock shows that a machine slept.
    const onlyForward = world.setting.exclusive && world.setting.faults.has('suspend');
    const isLittle = random.chance(0.5);
    const size = isLittle ? byMs % (2 * world.ttlMs) : byMs;
    clock.stepWall(onlyForward || random.chance(0.5) ? size : -size, world.nowMs);
    live?.armTimer();
  },
  'clock-rate': (world, { clock, live }, random) => {
    clock.setRates(drawRates(random, world.setting.rates), world.nowMs);
    live?.armTimer();
  },
  'store-restart': (world, _, random) => {
    if (world.store.isDown) return;
    world.store.stop();
    after(world, random, () => world.store.start());
  },
  'store-forgets': (world, _, random) => {
    if (world.store.isDown) return;
    world.store.stop();
    world.store.forget();
    after(world, random, () => world.store.start());
  },
  'store-clock-back': (world, _, random) => {
    const isLittle = random.chance(0.5);
    world.store.stepClock(-(1 + random.below(isLittle ? 3 * world.ttlMs : HOUR_MS)));
  },
  'store-clock-forward': (world, _, random) => {
    const isLittle = random.chance(0.5);
    world.store.stepClock(1 + random.below(isLittle ? 3 * world.ttlMs : HOUR_MS));
  },
  'slow-store': (world, _, random) => {
    world.store.slowUntilMs = world.nowMs + random.below(5 * world.ttlMs);
  },
  evict: (world) => {
    world.store.evict();
  },
  transfer: (world, _, random) => {
    world.store.requestTransfer(`c${random.below(world.machines.length)}`);
  },
  release: (world, { live }, random) => {
    if (live === null) return;
    const kind = random.below(3);
    const successor = kind === 2 ? `c${random.below(world.machines.length)}` : null;
    const reason = successor === null ? 'released' : 'transferred';
    const again = kind !== 0;
    live.perform(() => live.step({ type: 'release', reason, successor, again }));
    after(world, random, () => {
      live.perform(() => live.step({ type: 'campaign' }));
      if (!random.chance(0.5)) return;
      // Withdraws while the request is in flight.
      live.perform(() => live.step({ type: 'release', reason: 'released', successor: null, again: false }));
      after(world, random, () => live.perform(() => live.step({ type: 'campaign' })));
    });
  },
};

export function startFaults(world: World): void {
  for (const [name, begin] of Object.entries(EPISODES)) {
    const fault = name as Fault;
    if (world.isOn(fault)) next(world, fault, begin);
  }
}

function next(world: World, fault: Fault, begin: Begin): void {
  const random = world.random(fault);
  const meanMs = 8 * world.ttlMs;
  world.plan(world.nowMs + 1 + random.below(2 * meanMs), () => {
    if (!world.isOn(fault)) return;
    world.tally.count(fault);
    const { machines, leader } = world;
    const anybody = machines[random.below(machines.length)];
    const target = random.chance(0.5) ? (leader?.machine ?? anybody) : anybody;
    world.tell(() => `fault: ${fault} at ${target.options.id}`);
    begin(world, target, random);
    next(world, fault, begin);
  });
}

/** Every fault that began has ended when the faults end. */
function after(world: World, random: Random, end: () => void): void {
  world.plan(world.nowMs + 1 + random.below(5 * world.ttlMs), () => {
    if (world.nowMs <= world.setting.faultyMs) end();
  });
}
