/** Randomized algorithms: random draws from the seed, anonymous nodes, and algorithms that may err. */
import { describe, expect, test } from 'vitest';
import { summarize } from '../../src/cli/report/summary.ts';
import { counter, flag, message } from '../../src/kernel/index.ts';
import { Run, simulate } from '../../src/simulator/index.ts';
import { type Ctx, testAlgorithm, traceOf } from './test-algorithm.ts';

/**
 * Two nodes toss a coin each and send the result. Heads leads against tails; on a tie they toss again, or err.
 */
const coins = (errs: boolean) =>
  testAlgorithm({
    assumes: { network: 'ring', ids: 'anonymous', fifo: true, ...(errs && { mayErr: true }) },
    state: { own: counter(2), sure: flag() },
    messages: { toss: message(['side', counter(2)]) },
    onStart: toss,
    on: {
      toss: (state, _port, { side }, ctx: Ctx) => {
        if (errs || side !== state.own) ctx.decide(state.own === 2 ? 'leader' : 'follower');
        else toss(state, ctx);
      },
    },
  });

function toss(state: { own: number }, ctx: Ctx): void {
  state.own = ctx.random(2);
  ctx.send(1, 'toss', state.own);
}

const SEEDS = Array.from({ length: 400 }, (_, seed) => seed);

describe('random draws', () => {
  test('are determined by the seed: the same seed gives the same run, another seed another run', () => {
    for (const schedule of ['lockstep', 'random'] as const) {
      const traces = SEEDS.slice(0, 20).map((seed) =>
        traceOf(coins(false), { nodes: 2, schedule, seed }).join('\n'),
      );
      SEEDS.slice(0, 20).forEach((seed) => {
        expect(traceOf(coins(false), { nodes: 2, schedule, seed }).join('\n')).toBe(traces[seed]);
      });
      expect(new Set(traces).size).toBeGreaterThan(5);
    }
  });

  test('are fair', () => {
    const first = SEEDS.filter((seed) => simulate(coins(false), { nodes: 2, seed }).leader?.position === 0);
    // 400 tosses: five standard deviations are 50.
    expect(Math.abs(first.length - 200)).toBeLessThan(50);
  });
});

describe('an anonymous election', () => {
  test('is valid if one node leads and the others know that they do not; no node has an id', () => {
    for (const seed of SEEDS.slice(0, 50)) {
      const outcome = simulate(coins(false), { nodes: 2, seed });
      expect(outcome.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
      expect(outcome.leader?.id).toBeNull();
    }
  });

  test('has no id in its context', () => {
    const curious = testAlgorithm({
      assumes: { ids: 'anonymous' },
      onStart: (_state, ctx) => {
        ctx.decide(ctx.id === 1 ? 'leader' : 'follower');
      },
    });
    expect(() => simulate(curious, { nodes: 2 })).toThrow('does not assume that a node knows ids');
  });

  test('with two leaders or none is an error, unless the algorithm may err', () => {
    const proud = (role: string) =>
      testAlgorithm({ assumes: { ids: 'anonymous' }, onStart: (_state, ctx) => ctx.decide(role) });
    expect(() => simulate(proud('leader'), { nodes: 2 })).toThrow('uniqueness');
    expect(() => simulate(proud('follower'), { nodes: 2 })).toThrow('nobody leads');
  });
});

describe('an algorithm that may err', () => {
  const outcomes = SEEDS.map((seed) => simulate(coins(true), { nodes: 2, seed }));

  test('returns validity as a result: correct half of the time, no leader or two in a quarter each', () => {
    const count = (wanted: number) =>
      outcomes.filter(({ valid, leader }) => {
        const leaders = valid.uniqueness ? 1 : leader === null && valid.agreement ? 0 : 2;
        return leaders === wanted;
      }).length;
    expect(count(1)).toBeGreaterThan(150);
    expect(count(1)).toBeLessThan(250);
    expect(count(0)).toBeGreaterThan(55);
    expect(count(2)).toBeGreaterThan(55);
    expect(count(0) + count(1) + count(2)).toBe(SEEDS.length);
  });

  test('is reported to have erred, if it has', () => {
    const seed = outcomes.findIndex(({ valid }) => !valid.uniqueness);
    const run = new Run(coins(true), { nodes: 2, seed });
    while (!run.advance());
    const screen = { width: 90, paint: (_tone: unknown, text: string) => text } as never;
    expect(summarize(run, run.outcome(), screen).join('\n')).toContain('not a valid election: uniqueness');
  });

  test('still throws on an invalid action of a handler', () => {
    const rash = testAlgorithm({
      assumes: { ids: 'anonymous', mayErr: true },
      onStart: (_state, ctx) => ctx.send(99, 'x'),
    });
    expect(() => simulate(rash, { nodes: 2 })).toThrow('failed at');
  });
});
