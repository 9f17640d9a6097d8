/** In every state that a random walk reaches, the world and the checker offer the same steps, and reach the same states. */
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { registry } from '../../../src/algorithms/index.ts';
import type { CheckOptions } from '../../../src/checker/index.ts';
import { systemFor } from '../../../src/checker/network/instances.ts';
import type { NetworkSystem } from '../../../src/checker/network/network-system.ts';
import { handlerViolation } from '../../../src/checker/network/node-transitions.ts';
import type { AnyAlgorithm, TimingModel } from '../../../src/kernel/index.ts';
import { deadAtFirst, resolveSetup } from '../../../src/kernel/setup.ts';
import {
  formatStep,
  isMessageStep,
  parseStep,
  type Step,
  type StepOutcome,
} from '../../../src/kernel/world/step.ts';
import { StepExecution } from '../../../src/kernel/world/step-execution.ts';
import { World } from '../../../src/kernel/world/world.ts';
import { textOfState, textOfWorld } from './packed-state.ts';
import { randomAlgorithm } from './random-algorithm.ts';

type Options = CheckOptions & { readonly ids: readonly number[]; readonly initiators: readonly number[] };

interface Case {
  readonly algorithm: AnyAlgorithm;
  readonly options: Options;
  /** Which of the steps is taken, one after the other. */
  readonly path: readonly number[];
}

type Mutate = (world: World) => void;

interface Walked {
  readonly states: number;
  /** The first state in which they differ. */
  readonly difference: { readonly checker: readonly string[]; readonly world: readonly string[] } | null;
}

/** Walks both along one path. `mutate` makes the world wrong on purpose. */
function walk({ algorithm, options, path }: Case, mutate: Mutate = () => {}): Walked {
  const setup = resolveSetup(algorithm, options);
  const isTimed = algorithm.assumes.timing !== 'asynchronous' || algorithm.timers === undefined;
  const dead = deadAtFirst(algorithm, setup.ids);
  const instance = { setup, ids: options.ids, initiators: options.initiators, dead };
  const system = systemFor({ ...instance, reductionLimits: { isTooLarge: false } }, options, false);
  const { crashes = 0, losses = 0, recoveries = 0 } = options;
  const { delay, fifo, initiators, starts, suspect } = options;
  const faults = { crashes, recoveries, losses };
  const world = new World(setup, { initiators, starts, fifo, delay, suspect, faults });
  mutate(world);
  let checked = Array.from(system.initials(), ({ state }) => ({ text: textOfState(system, state), state }));
  let stepped = openings(world, system);
  let states = 0;
  for (const choice of [0, ...path]) {
    const [checker, texts] = [checked, stepped].map((all) => {
      const sorted = all.map(({ text }) => text).sort();
      // Draws of lengths that an asynchronous search does not tell apart.
      return isTimed ? sorted : [...new Set(sorted)];
    });
    if (JSON.stringify(checker) !== JSON.stringify(texts)) {
      return { states, difference: { checker, world: texts } };
    }
    // A search does not go on from where a handler threw.
    const open = texts.filter((text) => !/ node \d+: /.test(text));
    if (open.length === 0) break;
    states++;
    const taken = open[choice % open.length];
    const { state } = checked.find(({ text }) => text === taken) as (typeof checked)[number];
    const { configuration } = stepped.find(({ text }) => text === taken) as (typeof stepped)[number];
    world.load(configuration);
    checked = successorsOf(system, state);
    stepped = world
      .enabled()
      .flatMap((step) => world.branch(step, (outcome) => reached(world, system, step, outcome)));
  }
  return { states, difference: null };
}

function openings(world: World, system: NetworkSystem) {
  let all = [world.save()];
  for (let node = world.rules.opening(all[0]); node !== null; node = world.rules.opening(all[0])) {
    const step = { type: 'start', node } as const;
    all = all.flatMap((configuration) => {
      world.load(configuration);
      return world.branch(step, () => world.save());
    });
  }
  return all.map((configuration) => {
    world.load(configuration);
    return { text: textOfWorld(world, system), configuration };
  });
}

function successorsOf(system: NetworkSystem, state: Uint16Array) {
  const next = new Uint16Array(system.width);
  const all: { text: string; state: Uint16Array }[] = [];
  const before = Uint16Array.from(state);
  system.expand(before, next, (step, violation) => {
    const text = `${system.describe(before, step)} → ${textOfState(system, next)} ${violation?.text ?? ''}`;
    all.push({ text, state: Uint16Array.from(next) });
  });
  return all;
}

function reached(world: World, system: NetworkSystem, step: Step, outcome: StepOutcome) {
  const violation = handlerViolation(outcome.failure?.node ?? outcome.breach?.at ?? 0, outcome);
  const { draws: _, ...bare } = step;
  const named = isMessageStep(bare as Step) ? { ...bare, port: undefined, age: undefined } : bare;
  const text = `${formatStep(named as Step)} → ${textOfWorld(world, system)} ${violation?.text ?? ''}`;
  return { text, configuration: world.save() };
}

const path = fc.array(fc.nat(), { minLength: 5, maxLength: 40 });
const few = fc.integer({ min: 0, max: 2 });

function randomCase(timing: TimingModel): fc.Arbitrary<Case> {
  const common = {
    ids: fc.constantFrom([2, 1], [3, 1, 2], [1, 2, 3], [2, 4, 3, 1]),
    crashes: few,
    losses: few,
    fifo: fc.boolean(),
  };
  const options: fc.Arbitrary<CheckOptions & { ids: readonly number[] }> =
    timing === 'synchronous'
      ? fc.record({ ...common, fifo: fc.constant(true), recoveries: few })
      : fc.record({
          ...common,
          recoveries: few,
          starts: fc.constantFrom('free' as const, 'first' as const, 'together' as const),
          ...(timing === 'bounded-delay' && {
            delay: fc.constantFrom(1, 2, 3),
            suspect: fc.boolean(),
            despite: fc.constant(['timing']),
          }),
        });
  const isTold = timing === 'synchronous' ? fc.constant(false) : fc.boolean();
  return isTold.chain((told) =>
    fc
      .tuple(randomAlgorithm({ timing, isTold: told }), options, fc.boolean(), path)
      .map(([algorithm, chosen, isAll, steps]) => {
        const all = chosen.ids.map((_, at) => at);
        const initiators = isAll || timing === 'synchronous' ? all : [0];
        return { algorithm, options: { ...chosen, initiators }, path: steps };
      }),
  );
}

const TIMINGS = ['asynchronous', 'bounded-delay', 'synchronous'] as const;

describe.each(TIMINGS)('%s: the world and the checker', (timing) => {
  it('offer the same steps in every state, and reach the same states', () => {
    let states = 0;
    fc.assert(
      fc.property(randomCase(timing), (one) => {
        const walked = walk(one);
        expect(walked.difference?.world).toEqual(walked.difference?.checker);
        states += walked.states;
      }),
      { numRuns: effort({ quick: 60, full: 200 }), seed: 11 },
    );
    // Walks that end at once show nothing.
    expect(states).toBeGreaterThan(effort({ quick: 200, full: 1000 }));
  });
});

/** Makes a method of every step's execution do nothing. */
function disable(method: string): void {
  vi.spyOn(StepExecution.prototype as unknown as Record<string, () => void>, method).mockReturnValue();
}

/** Replaces a method, or a field, of an object. */
function replace(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value });
}

const MUTANTS: readonly (readonly [name: string, timing: TimingModel, mutate: Mutate])[] = [
  ['lets messages overtake on FIFO links', 'asynchronous', ({ rules }) => replace(rules, 'fifo', false)],
  [
    'lets time pass over a message that is overdue',
    'bounded-delay',
    ({ rules }) => replace(rules, 'isOverdue', () => false),
  ],
  ['fires no timer after a round', 'synchronous', () => disable('fire')],
  ['loses nothing', 'synchronous', () => disable('spend')],
  [
    'keeps the timers of a node that crashes',
    'bounded-delay',
    (world) => {
      const { apply } = world;
      replace(world, 'apply', function (this: World, step: Step, draw?: (sides: number) => number) {
        const { nodes } = this.configuration;
        const outcome = apply.call(this, step, draw);
        const now = this.configuration;
        if (step.type !== 'crash') return outcome;
        const { timers } = nodes[step.node];
        this.load({ ...now, nodes: now.nodes.with(step.node, { ...now.nodes[step.node], timers }) });
        return outcome;
      });
    },
  ],
];

describe('a world that is wrong', () => {
  afterEach(() => void vi.restoreAllMocks());

  it.each(MUTANTS)('is caught: it %s', (_name, timing, mutate) => {
    const { failed } = fc.check(
      fc.property(randomCase(timing), (one) => walk(one, mutate).difference === null),
      { numRuns: 200, seed: 11, endOnFailure: true },
    );
    expect(failed).toBe(true);
  });
});

describe('the algorithms of the registry', () => {
  const cases = registry
    .filter(({ assumes, overlay }) => overlay === undefined && assumes.ids === 'unique')
    .map((algorithm) => [algorithm.name, algorithm] as const);

  it.each(cases)('%s: steps and states agree along a walk', (_name, algorithm) => {
    const faults = algorithm.assumes.faults?.includes('crash') ? { crashes: 1 } : {};
    // Otherwise Raft draws one of a thousand lengths.
    const set = 'spread' in algorithm.params ? { spread: 0 } : {};
    const options = { ids: [2, 3, 1], initiators: [0, 1, 2], set, ...faults };
    for (let first = 0; first < 3; first++) {
      const path = Array.from({ length: 30 }, (_, k) => (first * 7919 + k * 104_729) % 97);
      const { difference } = walk({ algorithm, options, path });
      expect(difference?.world).toEqual(difference?.checker);
    }
  });
});

describe('a step', () => {
  it('is the same after it was written as text and read again', () => {
    let steps = 0;
    fc.assert(
      fc.property(fc.constantFrom(...TIMINGS).chain(randomCase), (one) => {
        const setup = resolveSetup(one.algorithm, one.options);
        const faults = { crashes: 2, recoveries: 2, losses: 2, duplications: 2 };
        const { delay, fifo, initiators, starts, suspect } = one.options;
        let draws = 0;
        const draw = (sides: number): number => 1 + (draws++ % sides);
        const world = new World(setup, { initiators, starts, fifo, delay, suspect, faults, draw });
        for (const choice of one.path) {
          const enabled = world.enabled();
          if (enabled.length === 0) return;
          for (const step of enabled) expect(parseStep(formatStep(step))).toEqual(step);
          const { step } = world.apply(enabled[choice % enabled.length]);
          expect(parseStep(formatStep(step))).toEqual(step);
          steps++;
        }
      }),
      { numRuns: 60, seed: 3 },
    );
    expect(steps).toBeGreaterThan(500);
  });

  it.each(['', 'start', 'start x', 'tick 1', 'deliver 0 1 token', 'timer 0', 'start 0 (port 1)'])(
    "is refused if it is '%s'",
    (text) => {
      expect(() => parseStep(text)).toThrow(expect.objectContaining({ code: 'HUSTINGS_INPUT' }));
    },
  );
});
