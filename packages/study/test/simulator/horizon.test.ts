/** horizon: runs of algorithms that never terminate. */
import { describe, expect, test } from 'vitest';
import { summarize } from '../../src/cli/report/summary.ts';
import { integer, message, upkeep } from '../../src/kernel/index.ts';
import { Run, type SimulateOptions, simulate } from '../../src/simulator/index.ts';
import { TICKS } from '../../src/simulator/schedules/schedule.ts';
import { sweep } from '../../src/sweep/index.ts';
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

  test('violates nothing if the limit of events stops it before its horizon, and says that it was stopped', () => {
    for (const options of [{}, { until: 50 }]) {
      const run = new Run(restless, { nodes: 4, stepLimit: 9, ...options });
      while (!run.advance());
      expect(run.outcome()).toMatchObject({
        stopped: 'steps',
        valid: { termination: true, uniqueness: true },
      });
      expect(run.advance()).toBe(true);
      const screen = { width: 90, paint: (_tone: unknown, text: string) => text } as never;
      expect(summarize(run, run.outcome(), screen)).toContainEqual(
        expect.stringMatching(/^stopped after \d+ events, at time \d+: raise --steps$/),
      );
    }
    expect(simulate(restless, { nodes: 4 })).not.toHaveProperty('stopped');
    expect(() => sweep([restless], { nodes: [4], runs: 1, stepLimit: 9 })).toThrow(
      'the run was stopped after 9 events, before its end',
    );
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
    expect(() => simulate(leaderless, { nodes: 4 })).toThrow('no node has decided');
    const idle = testAlgorithm({ ...parts, onStart: (_state, ctx) => ctx.setTimer('pulse', 1) });
    expect(() => simulate({ ...idle, horizon: () => 3 }, { nodes: 4 })).toThrow(
      'no node has decided at time 3, the horizon of the algorithm',
    );
  });

  describe('that draws random numbers and has no leader at its horizon', () => {
    /** Each time unit the only node leads with probability 1/50: later than the horizon, 5, in most runs. */
    const gambler = (withDraws: boolean) => ({
      ...testAlgorithm({
        ...parts,
        onStart: (_state, ctx) => ctx.setTimer('pulse', 1),
        onTimer: (_state, _timer, ctx: Ctx) => {
          if (withDraws && ctx.random(50) === 1) ctx.decide('leader', ctx.id, 1);
          ctx.setTimer('pulse', 1);
        },
      }),
      horizon: () => 5,
    });
    const ends = (options: SimulateOptions) => {
      const run = new Run(gambler(true), { nodes: 1, ...options });
      while (!run.advance());
      return { electedAt: Number(run.outcome().time.electedAt), end: run.simulation.observation.end };
    };

    test('is observed for further horizons until it has one, so that late elections are measured too', () => {
      const runs = Array.from({ length: 400 }, (_, seed) => ends({ seed }));
      for (const { electedAt, end } of runs) expect(end).toBe(5 * Math.ceil(electedAt / 5));
      const mean = runs.reduce((sum, { electedAt }) => sum + electedAt, 0) / runs.length;
      expect(Math.abs(mean - 50)).toBeLessThan(3 * Math.sqrt((50 * 49) / runs.length));
    });

    test.each(['ring', 'one-way ring'] as const)(
      'counts each message once, however often it is extended, on a %s without timers',
      (network) => {
        const walker = {
          ...testAlgorithm({
            assumes: { network, timing: 'asynchronous' },
            messages: { step: message() },
            onStart: (_state, ctx: Ctx) => ctx.send(1, 'step'),
            on: {
              step: (_state, _port, _message, ctx: Ctx) => {
                if (ctx.random(50) === 1) ctx.decide('leader', ctx.id, 1);
                ctx.send(1, 'step');
              },
            },
          }),
          horizon: () => 5,
        };
        for (let seed = 0; seed < 20; seed++) {
          const run = new Run(walker, { nodes: 1, topology: 'ring', invariants: 'none', seed });
          // One message is sent at each unit, and the last one has not arrived.
          while (!run.advance(1)) expect(run.interim().messages.total).toBe(run.simulation.now / TICKS + 1);
          expect(run.outcome().messages.total).toBe(run.simulation.observation.end + 1);
        }
      },
    );

    test('violates termination at the limit of events, and says how long it was observed', () => {
      const limited = () => simulate(gambler(true), { nodes: 1, seed: 1, stepLimit: 12 });
      expect(limited).toThrow('node 0 has not decided at time 12, after 12 events');
    });

    test('is not observed longer if the run is cut, may end without a leader, or has drawn nothing', () => {
      expect(() => ends({ until: 5, seed: 1 })).toThrow('has not decided at time 5, where the run was cut');
      expect(ends({ despite: ['termination'], seed: 1 }).end).toBe(5);
      expect(() => simulate(gambler(false), { nodes: 1 })).toThrow('at time 5, the horizon of the algorithm');
    });
  });

  test('must have a horizon that is a valid time', () => {
    expect(() => simulate({ ...restless, horizon: () => -1 }, { nodes: 4 })).toThrow(
      'horizon of trial must be a time from 0 to 1000000000 units, not -1',
    );
  });
});
