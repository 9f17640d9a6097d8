/** horizon: runs of algorithms that never terminate. */
import { describe, expect, test } from 'vitest';
import { summarize } from '../../src/cli/report/summary.ts';
import { integer, message, upkeep } from '../../src/kernel/index.ts';
import { Run, simulate } from '../../src/simulator/index.ts';
import { type Ctx, type TestAlgorithm, testAlgorithm } from './test-algorithm.ts';

/** The largest id leads from the start, and sends beats without end. */
const parts: TestAlgorithm = {
  assumes: { network: 'complete', timing: 'bounded-delay', knows: ['n'] },
  params: { beats: integer('beats', { min: 1, max: 100, byDefault: 5 }) },
  messages: { vote: message(), beat: upkeep() },
  timers: ['pulse'],
  onStart: (_state, ctx) => {
    ctx.decide(ctx.id === ctx.n ? 'leader' : 'follower', ctx.n, 1);
    if (ctx.id === ctx.n) ctx.setTimer('pulse', 1);
  },
  onTimer: (_state, _timer, ctx: Ctx) => {
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'beat');
    ctx.setTimer('pulse', 1);
  },
};

const restless = {
  ...testAlgorithm(parts),
  horizon: (_n: number, params: Record<string, unknown>) => Number(params.beats),
};

describe('an algorithm that never terminates', () => {
  test('is observed until its horizon', () => {
    const outcome = simulate(restless, { nodes: 4 });
    expect(outcome.valid).toEqual({ termination: true, uniqueness: true, agreement: true });
    expect(outcome.messages.upkeep).toBe(5 * 3);
    expect(simulate(restless, { nodes: 4, set: { beats: 9 } }).messages.upkeep).toBe(9 * 3);
  });

  test('is observed longer or shorter if the run sets another horizon', () => {
    expect(simulate(restless, { nodes: 4, until: 2 }).messages.upkeep).toBe(2 * 3);
  });

  test('counts as smooth like one that terminates, unless the run is cut', () => {
    expect(new Run(restless, { nodes: 4 }).facts().faultless).toBe(true);
    expect(new Run(restless, { nodes: 4, until: 2 }).facts().faultless).toBe(false);
  });

  test('is reported as observed, not as cut', () => {
    const screen = { width: 90, paint: (_tone: unknown, text: string) => text } as never;
    for (const [until, text] of [
      [undefined, 'the run was observed until time 5'],
      [2, 'the run was cut at time 2'],
    ] as const) {
      const run = new Run(restless, { nodes: 4, until });
      while (!run.advance());
      expect(summarize(run, run.outcome(), screen)).toContain(text);
    }
  });

  test('is checked for validity at the horizon like all others', () => {
    const leaderless = { ...restless, onStart: () => undefined };
    expect(() => simulate(leaderless, { nodes: 4 })).toThrow('has not decided');
    const idle = testAlgorithm({ ...parts, onStart: (_state, ctx) => ctx.setTimer('pulse', 1) });
    expect(() => simulate({ ...idle, horizon: () => 3 }, { nodes: 4 })).toThrow(
      'node 0 has not decided at time 3, the horizon of the algorithm',
    );
  });

  test('must have a horizon that is a valid time', () => {
    expect(() => simulate({ ...restless, horizon: () => -1 }, { nodes: 4 })).toThrow(
      'horizon of trial must be a time from 0 to 1000000000 units, not -1',
    );
  });
});
