import { describe, expect, it } from 'vitest';
import { changRoberts, itaiRodehUnknown } from '../../src/algorithms/index.ts';
import { check } from '../../src/checker/index.ts';
import { lawTable } from '../../src/cli/report/law-table.ts';
import { reportSweep } from '../../src/cli/report/sweep-report.ts';
import {
  type AnyAlgorithm,
  announcement,
  counter,
  defineAlgorithm,
  exact,
  id,
  largest,
  mean,
  message,
  total,
} from '../../src/kernel/index.ts';
import { Run, simulate } from '../../src/simulator/index.ts';
import { rateInterval } from '../../src/sweep/confidence.ts';
import { sweep } from '../../src/sweep/index.ts';
import { curveDocument } from '../../src/sweep/report/sweep-plot.ts';

/** Chang–Roberts that counts its comparisons, and measures how far a token travels. */
const counting = defineAlgorithm({
  name: 'counting',
  title: 'Counting',
  source: 'a test',
  cost: 'n',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: {},
  messages: {
    token: message(['id', id()], ['hops', counter(({ n }) => n)]),
    elected: announcement(['id', id()]),
  },
  measures: { comparisons: total('comparisons of ids'), farthest: largest('links that a token travels') },
  onStart(_state, ctx) {
    ctx.send(1, 'token', ctx.id, 1);
  },
  on: {
    token(_state, _port, { id, hops }, ctx) {
      ctx.measure('comparisons');
      ctx.measure('farthest', hops);
      if (id > ctx.id) ctx.send(1, 'token', id, hops + 1);
      if (id !== ctx.id) return;
      ctx.decide('leader');
      ctx.send(1, 'elected', id);
    },
    elected(_state, _port, { id }, ctx) {
      if (id === ctx.id) return;
      ctx.decide('follower', id);
      ctx.forward(1);
    },
  },
  laws: [
    exact({ own: 'farthest' }, 'n', ({ n }) => n),
    exact({ own: 'comparisons' }, '2n−1', 'ids ascend', ({ n, order }) =>
      order === 'ascending' ? 2 * n - 1 : undefined,
    ),
  ],
});

const screen = { paint: (_: string, text: string) => text, width: 100 } as never;

describe('measures of an algorithm’s own', () => {
  it('are part of the result of a run, in every schedule', () => {
    for (const schedule of ['lockstep', 'random'] as const) {
      const { measures, messages } = simulate(counting, { nodes: 20, schedule });
      expect(measures).toEqual({ comparisons: messages.election, farthest: 20 });
    }
  });

  it('start at zero in each run', () => {
    const [first, second] = [1, 2].map(() => simulate(counting, { nodes: 5 }).measures);
    expect(first).toEqual(second);
  });

  it('have laws, which are compared with the run', () => {
    const run = new Run(counting, { nodes: 6, order: 'ascending' });
    while (!run.advance());
    const lines = lawTable(run.outcome(), run.laws(), screen);
    expect(lines).toContainEqual(expect.stringMatching(/^comparisons +11 +2n−1 = 11 +✓$/));
    expect(lines).toContainEqual(expect.stringMatching(/^farthest +6 +n = 6 +✓$/));
  });

  it('are swept and plotted beside their laws', () => {
    const result = sweep([counting], { nodes: [4, 8], runs: 20, measure: 'farthest' });
    expect(result.series[0].points.map(({ mean, laws }) => [mean, laws[0].broken])).toEqual([
      [4, 0],
      [8, 0],
    ]);
    expect(reportSweep(result, screen)).toContainEqual(expect.stringMatching(/^8 +20 +8 .* n = 8 +✓$/));
    expect(curveDocument(result)).toContain('farthest');
  });

  it('add no states to the checker', () => {
    const silent = { ...(counting as AnyAlgorithm), measures: undefined, laws: [] };
    const { token } = counting.on;
    const without = {
      ...silent,
      on: {
        ...counting.on,
        token: (state: never, port: number, sent: never, ctx: object) =>
          token(state, port, sent, Object.assign(Object.create(ctx), { measure: () => undefined }) as never),
      },
    };
    const [one, other] = [counting, without].map((each) =>
      check(each as AnyAlgorithm, { nodes: 4, orders: 'all', starts: 'first' }),
    );
    expect(one.complete).toBe(true);
    expect(one.states).toBe(other.states);
  });

  it.each([
    [
      'an undeclared one',
      { measures: { farthest: largest('x') }, laws: [] },
      /measure 'comparisons' must be declared/,
    ],
    ['a name that is taken', { measures: { bits: total('x') } }, /measure 'bits' has a name that is taken/],
    [
      'a declaration that is none',
      { measures: { phases: 0 } },
      /measures\.phases must be a measure, as in total/,
    ],
    ['a law about an undeclared one', { measures: {} }, /law n is about 'farthest': it has no own measures/],
  ])('refuse %s', (_, changes, message) => {
    expect(() => simulate({ ...(counting as AnyAlgorithm), ...changes } as never, { nodes: 3 })).toThrow(
      message,
    );
  });

  it('must be declared by every algorithm of a sweep', () => {
    expect(() => sweep([counting, changRoberts], { measure: 'farthest' })).toThrow(
      /and chang-roberts does not/,
    );
    expect(() => sweep([counting], { measure: 'farther' })).toThrow(
      /one of .*, comparisons, farthest, not 'farther'/,
    );
  });
});

describe('the rate of failed elections', () => {
  it('is swept over n, with an interval that is never empty', () => {
    const laws = [mean('errorRate', '1/4 for two nodes', ({ n }) => (n === 2 ? 1 / 4 : undefined))];
    const algorithm = { ...(itaiRodehUnknown as AnyAlgorithm), laws };
    const result = sweep([algorithm], { nodes: [2, 8], runs: 200, measure: 'errorRate' });
    const [two, eight] = result.series[0].points;
    expect(two.mean).toBeCloseTo(two.failed / 200, 12);
    expect(two.failed).toBeGreaterThan(20);
    expect(two.interval?.[0]).toBeLessThan(0.25);
    expect(two.interval?.[1]).toBeGreaterThan(0.25);
    expect(reportSweep(result, screen)).toContainEqual(expect.stringMatching(/^2 +200 .*✓$/));
    expect(eight.interval?.[1]).toBeGreaterThan(0);
  });

  it('has the interval of Wilson', () => {
    // Newcombe 1998, table I: 81 of 263, and 0 of 20.
    expect(rateInterval(81, 263)?.map((end) => end.toFixed(4))).toEqual(['0.2553', '0.3662']);
    expect(rateInterval(0, 20)?.map((end) => end.toFixed(4))).toEqual(['0.0000', '0.1611']);
  });
});
