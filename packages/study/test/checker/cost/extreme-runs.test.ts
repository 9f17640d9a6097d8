import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import {
  changRoberts,
  dolevKlaweRodeh,
  hirschbergSinclair,
  peterson,
  registry,
} from '../../../src/algorithms/index.ts';
import { CostSearch } from '../../../src/checker/cost/extreme-run.ts';
import {
  type CheckOptions,
  type CostMeasure,
  check,
  costIn,
  type ExtremeRun,
  replay,
} from '../../../src/checker/index.ts';
import { systemFor } from '../../../src/checker/network/instances.ts';
import { searchAll } from '../../../src/checker/search/search.ts';
import { runSlices } from '../../../src/checker/search/slices.ts';
import { StateStore } from '../../../src/checker/search/state-store.ts';
import { resolveSetup } from '../../../src/kernel/driver.ts';
import {
  type AnyAlgorithm,
  counter,
  defineAlgorithm,
  floorLog2,
  message,
} from '../../../src/kernel/index.ts';
import { simulate } from '../../../src/simulator/index.ts';
import { randomAlgorithm } from '../network/random-algorithm.ts';
import { costsOfEveryRun } from './every-run.ts';

const CASES = effort({ quick: 40, full: 100 });

function worst(algorithm: AnyAlgorithm, measure: CostMeasure, options: CheckOptions): ExtremeRun {
  const result = check(algorithm, { ...options, worst: measure });
  expect(result.complete).toBe(true);
  return result.worst as ExtremeRun;
}

function best(algorithm: AnyAlgorithm, measure: 'election' | 'messages', options: CheckOptions): ExtremeRun {
  const result = check(algorithm, { ...options, best: measure });
  expect(result.complete).toBe(true);
  return result.best as ExtremeRun;
}

describe('over all orders and schedules', () => {
  it.each(effort({ quick: [1, 2, 3, 4, 5], full: [1, 2, 3, 4, 5, 6] }))(
    'Chang–Roberts sends n(n+1)/2 at worst, and n to announce: n = %i',
    (n) => {
      const run = worst(changRoberts, 'election', { nodes: n, orders: 'all' });
      expect(run.value).toBe((n * (n + 1)) / 2);
      expect(run.cost.messages).toMatchObject({ election: (n * (n + 1)) / 2, announcement: n });
      expect(run.ids).toEqual(Array.from({ length: n }, (_, at) => n - at));
    },
  );

  it.each([1, 2, 3, 4, 5])('Chang–Roberts sends 2n−1 at best if all start first: n = %i', (n) => {
    expect(best(changRoberts, 'election', { nodes: n, orders: 'all', starts: 'first' }).value).toBe(
      2 * n - 1,
    );
  });

  it('Chang–Roberts sends n messages at best if one node starts before all others', () => {
    const run = best(changRoberts, 'election', { nodes: 5, orders: 'all' });
    expect(run.value).toBe(5);
    expect(run.steps[0]).toBe('start 0');
  });

  it.each(effort({ quick: [4], full: [4, 8] }))(
    "Peterson keeps to its bound, and its best is the source's 3n−1: n = %i",
    (n) => {
      const options: CheckOptions = { nodes: n, orders: 'all', starts: 'first' };
      const {
        best: least,
        complete,
        worst: most,
      } = check(peterson, { ...options, worst: 'election', best: 'election' });
      expect(complete).toBe(true);
      expect(most?.value).toBeLessThanOrEqual(2 * n * (floorLog2(n) + 1));
      expect(most?.value).toBe(n === 8 ? 46 : 16);
      expect(least?.value).toBe(3 * n - 1);
    },
  );

  it('the longest chain of Chang–Roberts goes around the ring twice', () => {
    for (const n of [1, 2, 3, 4]) {
      expect(worst(changRoberts, 'time', { nodes: n, orders: 'all', initiators: 'subsets' }).value).toBe(
        2 * n,
      );
    }
  });
});

describe('a most expensive run', () => {
  const small: readonly [string, CheckOptions][] = [
    ['chang-roberts', { ids: [2, 4, 1, 3] }],
    ['chang-roberts', { ids: [3, 1, 2], set: { filter: true } }],
    ['chang-roberts', { ids: [2, 4, 1, 3], fifo: true, starts: 'first' }],
    ['peterson', { ids: [2, 3, 1], initiators: 'subsets' }],
    ['hirschberg-sinclair', { ids: [2, 3, 1] }],
    ['dolev-klawe-rodeh', { ids: [2, 3, 1], starts: 'together' }],
    ['echo-election', { nodes: 3, topology: 'line' }],
    ['flood-max', { nodes: 3, topology: 'line' }],
    ['tree-election', { nodes: 3, topology: 'line', initiators: 'subsets' }],
    ['randomized-chang-roberts', { ids: [2, 3, 1] }],
    ['bully', { nodes: 3 }],
    ['bully', { nodes: 3, starts: 'free', initiators: 'subsets' }],
    ['ring-list', { nodes: 3 }],
  ];
  const algorithmOf = (name: string): AnyAlgorithm => {
    const found = registry.find((one) => one.name === name);
    if (found === undefined) throw new Error(`no ${name}`);
    return found;
  };

  const faulty: readonly [string, CheckOptions][] = [
    ['bully', { nodes: 3, order: 'ascending', crashes: 1 }],
    ['bully', { nodes: 3, losses: 1 }],
    ['ring-max', { ids: [2, 3, 1], losses: 1 }],
  ];
  const large: readonly [string, CheckOptions][] = effort({
    quick: [],
    full: [['ring-list', { ids: [2, 3, 1], crashes: 1 }]],
  });

  it.each([...small, ...faulty, ...large])(
    'costs the same with and without reduction: %s %j',
    (name, options) => {
      const algorithm = algorithmOf(name);
      for (const measure of ['messages', 'election', 'bits', 'time'] as const) {
        const reduced = worst(algorithm, measure, options);
        const full = worst(algorithm, measure, { ...options, reduce: 'none' });
        expect([measure, reduced.value]).toEqual([measure, full.value]);
        expect(reduced.value).toBe(costIn(reduced.cost, measure));
        if (measure === 'time') continue;
        const bests = [options, { ...options, reduce: 'none' as const }].map(
          (each) => check(algorithm, { ...each, best: measure }).best?.value,
        );
        expect(bests[0]).toBe(bests[1]);
        expect(bests[0]).toBeLessThanOrEqual(reduced.value as number);
      }
    },
  );

  it.each([...small, ...faulty, ...large])('is replayed to a terminal state: %s %j', (name, options) => {
    const algorithm = algorithmOf(name);
    const { cost, ids, initiators, starts, fifo, steps } = worst(algorithm, 'messages', options);
    const { topology } = options;
    const again = replay(algorithm, { ids, topology, set: options.set, initiators, starts, fifo, steps });
    expect(again.ended).toBe(true);
    expect(again.violation).toBeNull();
    expect(again.cost.messages.total).toBe(cost.messages.total);
  });

  it.each(small.filter(([, { initiators }]) => initiators === undefined))(
    'costs no less than simulated runs: %s %j',
    (name, options) => {
      const algorithm = algorithmOf(name);
      const isAsync = algorithm.assumes.timing === 'asynchronous';
      const most = { messages: 0, bits: 0, time: 0 };
      for (let seed = 1; seed <= effort({ quick: 10, full: 40 }); seed++) {
        const { ids, nodes, topology, set } = options;
        const run = simulate(algorithm, {
          ids,
          nodes,
          topology,
          set,
          seed,
          schedule: isAsync && seed % 2 === 0 ? 'random' : 'lockstep',
        });
        most.messages = Math.max(most.messages, run.messages.total);
        most.bits = Math.max(most.bits, run.bits);
        most.time = Math.max(most.time, run.time.causal);
      }
      for (const measure of ['messages', 'bits', 'time'] as const) {
        expect(worst(algorithm, measure, { ...options, orders: 'all' }).value).toBeGreaterThanOrEqual(
          most[measure],
        );
      }
    },
  );
});

describe('compared with all runs, one by one', () => {
  it('a search finds the same worst, best and longest runs on random algorithms', () => {
    let compared = 0;
    fc.assert(
      fc.property(
        randomAlgorithm(),
        fc.constantFrom([2, 1], [2, 3, 1]),
        fc.constantFrom([0], [0, 1]),
        fc.boolean(),
        fc.boolean(),
        (algorithm, ids, initiators, fifo, reduce) => {
          const costs = costsOfEveryRun(algorithm, ids, initiators, fifo, 1000);
          fc.pre(costs !== null && !isAmbiguous(algorithm, ids));
          compared++;
          const found = (extreme: 'worst' | 'best', measure: CostMeasure) =>
            costFound(algorithm, ids, initiators, fifo, reduce, extreme, measure);
          expect({
            maxMessages: found('worst', 'messages'),
            minMessages: found('best', 'messages'),
            longest: found('worst', 'time'),
          }).toEqual({
            maxMessages: costs?.maxMessages,
            minMessages: costs?.minMessages,
            longest: costs?.longest,
          });
        },
      ),
      { numRuns: CASES, seed: 6 },
    );
    expect(compared).toBe(CASES);
  });
});

/** On a ring of two, both ports of a node lead to the other: a step cannot say which of them is meant. */
function isAmbiguous({ assumes }: AnyAlgorithm, ids: readonly number[]): boolean {
  return assumes.network === 'ring' && ids.length === 2;
}

/** Whatever is wrong with the ends. */
function costFound(
  algorithm: AnyAlgorithm,
  ids: readonly number[],
  initiators: readonly number[],
  fifo: boolean,
  reduce: boolean,
  extreme: 'worst' | 'best',
  measure: CostMeasure,
): ExtremeRun['value'] | undefined {
  const setup = resolveSetup(algorithm, { ids });
  const instance = { setup, ids, initiators, dead: [], reductionLimits: { isTooLarge: false } };
  const system = systemFor(instance, { fifo }, reduce);
  const limits = { states: 1e6, bytes: 1e9 };
  const book = new CostSearch(extreme, measure, { fifo });
  const seen = new StateStore(system.width, system.order);
  runSlices(book.add(instance, system, runSlices(searchAll(system, seen, limits)), limits));
  return book.run?.value;
}

describe('unbounded', () => {
  const game = {
    title: 'A game',
    source: 'none',
    cost: 'none',
    assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: true },
    params: {},
    messages: { ball: message(['n', counter(1)]) },
    laws: [],
  } as const;
  const pingPong = defineAlgorithm({
    ...game,
    name: 'ping-pong',
    state: {},
    onStart(_state, ctx) {
      ctx.send(1, 'ball', 1);
    },
    on: {
      ball(_state, port, _message, ctx) {
        ctx.send(port, 'ball', 1);
      },
    },
  });
  const service = defineAlgorithm({
    ...game,
    name: 'service',
    state: { heard: counter(1) },
    timers: ['bell'],
    onStart(_state, ctx) {
      ctx.setTimer('bell', 1);
    },
    onTimer(_state, _timer, ctx) {
      ctx.send(1, 'ball', 1);
    },
    on: {
      ball(state, port, _message, ctx) {
        state.heard = 1;
        if (ctx.initiator) ctx.setTimer('bell', 1);
        else ctx.send(port, 'ball', 1);
      },
    },
  });

  it.each(['messages', 'election', 'bits', 'time'] as const)(
    'is what a game of ping-pong costs in %s',
    (measure) => {
      const { violations, worst: run } = check(pingPong, { ids: [1, 2, 3], initiators: [0], worst: measure });
      expect(violations).toMatchObject([{ property: 'termination' }]);
      expect(run?.value).toBe('unbounded');
      const cycleLength = run?.cycleLength ?? 0;
      expect(cycleLength).toBeGreaterThan(0);
      const steps = run?.steps ?? [];
      // The cycle can be repeated without end.
      const again = [...steps, ...steps.slice(-cycleLength), ...steps.slice(-cycleLength)];
      const played = replay(pingPong, { ids: [1, 2, 3], initiators: [0], steps: again });
      expect(costIn(played.cost, measure)).toBeGreaterThan(costIn(run?.cost as never, measure));
    },
  );

  it('is a cycle that may include timers', () => {
    const { worst: run } = check(service, { ids: [1, 2, 3], initiators: [0], worst: 'messages' });
    expect(run).toMatchObject({ value: 'unbounded', cycleLength: 3 });
  });

  it('is not the chain of a node that sends without end to one that never answers', () => {
    const deaf = defineAlgorithm({
      ...game,
      name: 'deaf',
      state: {},
      timers: ['bell'],
      onStart(_state, ctx) {
        ctx.setTimer('bell', 1);
      },
      onTimer(_state, _timer, ctx) {
        ctx.setTimer('bell', 1);
        if (ctx.id === 1) ctx.send(1, 'ball', 1);
      },
      on: { ball() {} },
    });
    // Nothing bounds what is under way, so that the search is cut; what it has seen is no most.
    const { stopped, worst: run } = check(deaf, {
      ids: [1, 2, 3],
      initiators: [0],
      worst: 'time',
      stateLimit: 1000,
    });
    expect({ stopped, run }).toEqual({ stopped: 'states', run: null });
  });
});

describe('within a bound', () => {
  it('only runs that end within the bound count', () => {
    const itaiRodeh = registry.find(({ name }) => name === 'itai-rodeh') as AnyAlgorithm;
    const most = [1, 2, 3].map((round) => {
      const { complete, worst: run } = check(itaiRodeh, { nodes: 2, bound: { round }, worst: 'messages' });
      expect(complete).toBe(false);
      expect(run?.steps.length).toBeGreaterThan(0);
      return run?.value;
    });
    // 2 tokens of 2 hops a round, but for the last, in which one is swallowed; and 2 to announce.
    expect(most).toEqual([5, 9, 13]);
  });

  it('there may be no such run', () => {
    const itaiRodeh = registry.find(({ name }) => name === 'itai-rodeh') as AnyAlgorithm;
    const result = check(itaiRodeh, { nodes: 2, bound: { round: 0 }, worst: 'messages', best: 'messages' });
    expect({ worst: result.worst, best: result.best }).toEqual({ worst: null, best: null });
  });
});

describe('a cost that cannot be computed', () => {
  it('is refused with an error that names the option', () => {
    expect(() => check(changRoberts, { nodes: 3, worst: 'messages', fingerprints: true })).toThrow(
      /fingerprints/,
    );
    expect(() => check(changRoberts, { nodes: 3, best: 'time' as never })).toThrow(/best must be/);
    const timeSlice = registry.find(({ name }) => name === 'time-slice') as AnyAlgorithm;
    expect(() => check(timeSlice, { nodes: 3, worst: 'time' })).toThrow(
      /synchronous algorithm such as time-slice/,
    );
  });

  it('is null if the search ended with a counterexample', () => {
    const result = check(peterson, { nodes: 4, orders: 'all', fifo: false, worst: 'messages' });
    expect(result.violations).toHaveLength(1);
    expect(result.worst).toBeNull();
  });

  it('is null if it needs more states than the limits allow, and the verdict stays', () => {
    const { states } = check(changRoberts, { nodes: 4 });
    const result = check(changRoberts, { nodes: 4, worst: 'time', best: 'messages', stateLimit: states });
    expect(result).toMatchObject({ complete: true, stopped: null, worst: null });
    expect(result.best).not.toBeNull();
  });

  it('is absent from the result without the option', () => {
    expect(check(dolevKlaweRodeh, { nodes: 3 })).not.toHaveProperty('worst');
    expect(check(hirschbergSinclair, { nodes: 2, worst: 'bits' })).not.toHaveProperty('best');
  });
});
