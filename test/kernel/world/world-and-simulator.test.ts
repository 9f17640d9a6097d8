/** Every event of a simulated run is a step that the world allows, and leaves the node in the same state. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import type { AnyAlgorithm, TimingModel } from '../../../src/kernel/index.ts';
import type { Messages } from '../../../src/kernel/message.ts';
import { formatMessage, type TraceEvent } from '../../../src/kernel/trace.ts';
import type { InFlightMessage } from '../../../src/kernel/world/configuration.ts';
import type { WorldOptions } from '../../../src/kernel/world/rules.ts';
import type { Step } from '../../../src/kernel/world/step.ts';
import { World } from '../../../src/kernel/world/world.ts';
import { type Adversary, Run, type SimulateOptions } from '../../../src/simulator/index.ts';
import { randomAlgorithm } from './random-algorithm.ts';

const ANY = Number.POSITIVE_INFINITY;
/** In units: when the sender of a message to a dead node is told. */
const TIMEOUT = 2;
const ANY_FAULTS = { crashes: ANY, recoveries: ANY, losses: ANY, duplications: ANY };

/** Takes in the world what happens in a simulation. */
class Follower {
  readonly world: World;
  steps = 0;
  private time = 0;
  private readonly run: Run;
  private pending: Step | null = null;
  private last: TraceEvent | null = null;
  /** The outcomes of the handler's draws. */
  private draws: number[] = [];
  /** The simulator decides when a message is sent whether it is lost or doubled, the world when it could arrive. */
  private readonly lost = new Set<InFlightMessage>();
  private readonly doubled = new Set<InFlightMessage>();
  private sent: InFlightMessage[] = [];
  private readonly sentAt = new Map<InFlightMessage, number>();

  constructor(algorithm: AnyAlgorithm, options: SimulateOptions, rules: WorldOptions) {
    const observe = (event: TraceEvent): void => this.follow(event);
    this.run = new Run(algorithm, { ...options, observe, states: true, despite: ['termination', 'fifo'] });
    const { context } = this.run.simulation.machine;
    const { draw } = context;
    context.draw = (sides) => {
      const drawn = draw(sides);
      this.draws.push(drawn);
      return drawn;
    };
    this.watchDoubles();
    this.world = new World(this.run.plan, { ...rules, faults: ANY_FAULTS });
  }

  /** False if a handler threw: the simulation stops there. */
  follows(): boolean {
    try {
      while (!this.run.advance(1));
    } catch (error) {
      if ((error as { property?: string }).property === 'handler') return false;
      throw error;
    }
    return true;
  }

  private watchDoubles(): void {
    const { linkFaults } = this.run.simulation as unknown as { linkFaults: { links: Doubling | null } };
    const { links } = linkFaults;
    if (links === null) return;
    const duplicates = links.duplicates.bind(links);
    links.duplicates = () => {
      const isDouble = duplicates();
      if (isDouble) this.doubled.add(this.sent[0]);
      return isDouble;
    };
  }

  private follow(event: TraceEvent): void {
    const { last } = this;
    this.last = event;
    if (event.type === 'state') this.settle(event);
    else if (event.type === 'send') this.sendNext(event, last);
    else if (event.type === 'lost' && event.reason === 'link lossy') this.lost.add(this.sent[0]);
    else if (event.type !== 'decide') this.cause(event, last);
  }

  /** What a node does comes after its state, and before the next event. */
  private cause(event: TraceEvent, last: TraceEvent | null): void {
    this.passTime(event.time, event.type === 'timer' || event.type === 'undelivered');
    this.dropNotices(event.time);
    const { node } = event;
    if (event.type === 'lost' || event.type === 'deliver') {
      const isDead = event.type === 'lost' && event.reason === 'receiver dead';
      const type = event.type === 'deliver' || isDead ? 'deliver' : 'lose';
      this.moveNext({ type, from: event.from, to: node, message: formatMessage(event.message) });
      // A start without a state of its own was the message's.
      if (event.type === 'deliver' && last?.type === 'start') expect(last.node).toBe(node);
    } else if (event.type === 'undelivered') {
      this.pending = { type: 'notice', from: node, to: event.from, message: formatMessage(event.message) };
    } else if (event.type === 'timer') this.pending = { type: 'timer', node, timer: event.timer };
    else this.pending = { type: event.type as 'start' | 'crash' | 'recover', node };
    if (event.type === 'lost') this.take();
  }

  /** Takes the step after which a node is said to be in a state. */
  private settle({ node, state }: Extract<TraceEvent, { type: 'state' }>): void {
    if (this.pending !== null) this.take();
    expect(this.world.machine.fieldsOf(node)).toEqual(state);
  }

  private take(): void {
    const step = this.pending as Step;
    const before = new Set(this.world.configuration.messages);
    this.pending = null;
    this.world.apply({ ...step, draws: this.draws });
    this.draws = [];
    this.steps++;
    this.sent = this.world.configuration.messages.filter((message) => !before.has(message));
  }

  private sendNext(event: Extract<TraceEvent, { type: 'send' }>, last: TraceEvent | null): void {
    // The one before is done with when the next is sent.
    if (last?.type === 'send' || last?.type === 'lost') this.sent.shift();
    this.sentAt.set(this.sent[0], event.time);
    expect(this.sent[0]).toMatchObject({
      from: event.node,
      to: event.to,
      text: formatMessage(event.message),
    });
  }

  private moveNext(step: Extract<Step, { type: 'deliver' | 'lose' | 'duplicate' | 'notice' }>): void {
    const { world } = this;
    this.loseFirst((message) => message.from === step.from && message.to === step.to);
    const message = world.rules.messagesOf(world.configuration, step)[0];
    if (message !== undefined && this.doubled.delete(message)) {
      const before = new Set(world.configuration.messages);
      world.apply({ ...step, type: 'duplicate', port: message.port });
      const copy = world.configuration.messages.find((one) => !before.has(one)) as InFlightMessage;
      this.sentAt.set(copy, this.sentAt.get(message) as number);
    }
    this.pending = step;
  }

  /** Loses what is lost and could arrive now. */
  private loseFirst(isMeant: (message: InFlightMessage) => boolean): void {
    const { world } = this;
    for (const message of this.lost) {
      if (!isMeant(message)) continue;
      const { from, port, text, to } = message;
      const step = { type: 'lose', from, to, port, message: text } as const;
      if (world.rules.messagesOf(world.configuration, step)[0] !== message) continue;
      world.apply(step);
      this.lost.delete(message);
    }
  }

  /** The simulator says nothing of a notice whose sender is dead. */
  private dropNotices(time: number): void {
    const { world } = this;
    for (const one of world.configuration.undelivered) {
      const { from, port, text, to } = one;
      const isOver = (this.sentAt.get(one) as number) + TIMEOUT < time;
      const step = { type: 'notice', from, to, port, message: text } as const;
      if (isOver && world.rules.isDead(world.configuration, from)) world.apply(step);
    }
  }

  private passTime(time: number, isTimersTurn: boolean): void {
    const { world } = this;
    if (world.rules.timing !== 'bounded-delay') return;
    for (; this.time < time; this.time++) {
      this.loseFirst(() => true);
      // While nothing is pending, no time passes in the world.
      this.dropNotices(this.time + 1);
      if (world.matching({ type: 'tick' }).length > 0) world.apply({ type: 'tick' });
      else expect(world.rules.isPending(world.configuration)).toBe(false);
    }
    if (isTimersTurn) this.loseFirst(() => true);
  }
}

interface Doubling {
  duplicates(): boolean;
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
        const follower = new Follower({ ...algorithm, trigger: 'start' }, { ...options, schedule }, rules);
        follower.follows();
        steps += follower.steps;
      },
    ),
    { numRuns: 300, seed: 5 },
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
      { numRuns: 200, seed: 7 },
    );
    expect(rounds).toBeGreaterThan(300);
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
