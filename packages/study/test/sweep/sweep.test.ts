import { describe, expect, it } from 'vitest';
import {
  changRoberts,
  echoElection,
  floodMaxRounds,
  itaiRodeh,
  itaiRodehUnknown,
  leLann,
  peterson,
  registry,
  sun,
  treeElection,
} from '../../src/algorithms/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/algorithm.ts';
import { InputError } from '../../src/kernel/errors.ts';
import { harmonic } from '../../src/kernel/law.ts';
import { measured, simulate } from '../../src/simulator/simulate.ts';
import {
  chunksOf,
  planSweep,
  resultOf,
  runChunk,
  type SweepOptions,
  type SweepResult,
  SweepTally,
  sweep,
} from '../../src/sweep/index.ts';
import { optionsOf } from '../../src/sweep/sweep-plan.ts';

const pointsOf = ({ series }: SweepResult) => series.flatMap(({ points }) => points);

describe('several values of a parameter', () => {
  const set = { extremum: ['max', 'min'], filter: [false, true] };

  it('give a series for each combination, for the algorithms that have the parameters', () => {
    const { series } = sweep([changRoberts, peterson], { nodes: [4], runs: 3, set });
    expect(series.map(({ algorithm, set: own }) => [algorithm, own])).toEqual([
      ['chang-roberts', { extremum: 'max', filter: false }],
      ['chang-roberts', { extremum: 'max', filter: true }],
      ['chang-roberts', { extremum: 'min', filter: false }],
      ['chang-roberts', { extremum: 'min', filter: true }],
      ['peterson', {}],
    ]);
  });

  it('give the figures of a sweep with that value alone', () => {
    const [, min] = sweep([changRoberts], { nodes: [8], runs: 20, set: { extremum: ['max', 'min'] } }).series;
    const [alone] = sweep([changRoberts], { nodes: [8], runs: 20, set: { extremum: 'min' } }).series;
    expect(min).toEqual(alone);
  });

  it.each<[string, SweepOptions['set'], RegExp]>([
    ['an empty list', { extremum: [] }, /values of extremum must not be empty/],
    ['a value twice', { extremum: ['max', 'max'] }, /values of extremum must differ, and max is given twice/],
    ['a wrong value', { extremum: ['max', 'middle'] }, /extremum of chang-roberts must be .*, not 'middle'/],
  ])('are refused: %s', (_, given, message) => {
    expect(() => planSweep([changRoberts], { set: given })).toThrow(message);
  });
});

describe('a sweep', () => {
  it('builds the overlay of each size once, although its chunks alternate between sizes', () => {
    const built: number[] = [];
    const { overlay, ...others }: AnyAlgorithm = sun;
    const build = overlay as NonNullable<typeof overlay>;
    const counted: AnyAlgorithm = {
      ...others,
      overlay: (n, params) => {
        built.push(n);
        return build(n, params);
      },
    };
    sweep([counted], { nodes: [64, 128], runs: 600, initiators: { random: 1 } });
    expect(built).toEqual([64, 128]);
  });

  it('counts every run once, with the measurements that the same runs have alone', () => {
    const options: SweepOptions = { nodes: [3, 100], runs: 300, measure: 'election' };
    const plan = planSweep([changRoberts], options);
    const { series } = sweep([changRoberts], options);
    plan.cells.forEach((cell, index) => {
      const alone = Array.from({ length: 300 }, (_, run) =>
        Number(measured(simulate(changRoberts, optionsOf(plan, cell, run)), 'election')),
      );
      const mean = alone.reduce((sum, each) => sum + each, 0) / alone.length;
      const point = series[0].points[index];
      expect(point).toMatchObject({ runs: 300, min: Math.min(...alone), max: Math.max(...alone) });
      expect(point.mean).toBeCloseTo(mean, 9);
    });
  });

  it('has a different seed for every run', () => {
    const plan = planSweep([changRoberts, peterson], { nodes: [8, 16], runs: 500 });
    const seeds = plan.cells.flatMap((cell) =>
      Array.from({ length: 500 }, (_, run) => optionsOf(plan, cell, run).seed),
    );
    expect(new Set(seeds).size).toBe(2000);
  });

  it('gives identical results whichever worker runs the chunks, in any order', () => {
    const options: SweepOptions = {
      nodes: [5, 30],
      runs: 600,
      seed: 9,
      order: ['random', 'descending'],
    };
    const plan = planSweep([changRoberts, itaiRodeh], options);
    const backwards = new SweepTally(plan);
    for (const chunk of [...chunksOf(plan)].reverse()) backwards.add(chunk, runChunk(plan, chunk));
    expect(JSON.stringify(resultOf(backwards))).toBe(
      JSON.stringify(sweep([changRoberts, itaiRodeh], options)),
    );
  });

  it('has another mean with another seed', () => {
    const mean = (seed: number) => pointsOf(sweep([changRoberts], { nodes: [32], runs: 20, seed }))[0].mean;
    expect(mean(1)).not.toBe(mean(2));
  });

  it('reports partial results, and that they are partial', () => {
    const plan = planSweep([changRoberts], { nodes: [64], runs: 1000 });
    const tally = new SweepTally(plan);
    const chunks = [...chunksOf(plan)];
    tally.add(chunks[2], runChunk(plan, chunks[2]));
    expect(resultOf(tally)).toMatchObject({
      complete: false,
      series: [{ points: [{ runs: 256, complete: false }] }],
    });
    for (const chunk of chunks.filter(({ index }) => index !== 2)) tally.add(chunk, runChunk(plan, chunk));
    expect(resultOf(tally)).toMatchObject({ complete: true, series: [{ points: [{ runs: 1000 }] }] });
  });

  it('covers every size early', () => {
    const plan = planSweep([changRoberts, peterson], { nodes: [4, 64, 1024], runs: 1000 });
    const first = [...chunksOf(plan)].slice(0, plan.cells.length);
    expect(first.map(({ cell }) => cell)).toEqual(plan.cells.map(({ index }) => index));
  });

  it('runs every algorithm', () => {
    const result = sweep(registry, { nodes: [8], runs: 3 });
    expect(result.complete).toBe(true);
    for (const point of pointsOf(result)) expect(point.mean).toBeGreaterThan(0);
  });

  it('reports how often an election failed, if the algorithm may err', () => {
    const [point] = pointsOf(sweep([itaiRodehUnknown], { nodes: [6], runs: 200, set: { c: 2 } }));
    expect(point.failed).toBeGreaterThan(0);
    expect(point.failed).toBeLessThan(100);
  });

  it('reports the options that apply to all runs', () => {
    const options: SweepOptions = { nodes: [5], runs: 1, initiators: { random: 2 }, topology: 'ring' };
    expect(sweep([changRoberts], options).setting).toEqual({ initiators: 'random:2', topology: 'ring' });
  });

  it('measures times, bits and chains too', () => {
    const mean = (measure: SweepOptions['measure']) =>
      pointsOf(sweep([changRoberts], { nodes: [10], runs: 5, measure, order: ['ascending'] }))[0].mean;
    // 2n−1 tokens and n announcements of 1 + 4 bits; the leader decides at n, the last node n−1 later.
    expect([mean('messages'), mean('bits'), mean('electedAt'), mean('announcementReturnedAt')]).toEqual([
      29, 145, 10, 20,
    ]);
    expect([mean('agreedAt'), mean('causal')]).toEqual([19, 20]);
  });
});

describe('the laws of a sweep', () => {
  it('that are exact equal the counts, at every size', () => {
    const exact = [
      ...pointsOf(
        sweep([leLann, treeElection], { nodes: [2, 3, 8, 50], runs: 20, schedule: ['lockstep', 'random'] }),
      ),
      ...pointsOf(sweep([changRoberts], { nodes: [3, 8, 50], runs: 5, order: ['ascending', 'descending'] })),
      ...pointsOf(sweep([sun], { nodes: [16, 64], runs: 5, initiators: [0], set: { u: 2 } })),
      ...pointsOf(
        sweep([echoElection], { nodes: [8, 50], runs: 5, initiators: { random: 1 }, topology: 'ring' }),
      ),
    ];
    for (const { n, laws, mean, min, max } of exact) {
      const [law] = laws.filter(({ kind }) => kind === 'exact');
      expect(law, `n = ${n}`).toMatchObject({ broken: 0, value: mean });
      expect([min, max]).toEqual([mean, mean]);
    }
  });

  it('of all messages are the sums of those of the election and the announcement', () => {
    const [point] = pointsOf(sweep([changRoberts], { nodes: [64], runs: 50 }));
    const law = point.laws.find(({ kind }) => kind === 'mean');
    expect(law).toMatchObject({ formula: 'n·H_k + n', runs: 50, value: 64 * harmonic(64) + 64, broken: 0 });
  });

  it('that are means are met, within four times the interval', () => {
    const [point] = pointsOf(sweep([changRoberts], { nodes: [64], runs: 1000, measure: 'election' }));
    const [low, high] = point.interval ?? [0, 0];
    expect(Math.abs((point.mean ?? 0) - 64 * harmonic(64))).toBeLessThan(2 * (high - low));
  });

  it('count the runs that violate them', () => {
    const honest: AnyAlgorithm = leLann;
    const liar: AnyAlgorithm = {
      ...honest,
      laws: [{ measure: 'election', kind: 'exact', formula: 'n', value: () => 7 }],
    };
    const [point] = pointsOf(sweep([liar], { nodes: [4], runs: 6, measure: 'election' }));
    expect(point.laws).toEqual([{ kind: 'exact', formula: 'n', runs: 6, value: 7, broken: 6 }]);
  });
});

describe('an invalid sweep is refused before it runs:', () => {
  const cases: readonly [string, Parameters<typeof sweep>, RegExp][] = [
    ['no algorithm', [[], {}], /algorithms must not be empty/],
    ['no size', [[changRoberts], { nodes: [] }], /nodes must not be empty/],
    ['a size twice', [[changRoberts], { nodes: [8, 8] }], /nodes must differ, and 8 is given twice/],
    ['an algorithm twice', [[changRoberts, changRoberts], {}], /chang-roberts is given twice/],
    ['no runs', [[changRoberts], { runs: 0 }], /runs must be a whole number from 1/],
    ['half a node', [[changRoberts], { nodes: [8, 1.5] }], /nodes must be a whole number/],
    ['a size that the rings do not divide', [[sun], { nodes: [16, 17], set: { u: 4 } }], /17/],
    ['a network that does not fit', [[peterson], { topology: 'star' }], /assumes a one-way ring, not star/],
    ['links that overtake', [[peterson], { schedule: ['random:nofifo'] }], /assumes FIFO links/],
    ['delays in rounds', [[floodMaxRounds], { schedule: ['random'] }], /assumes synchronous rounds/],
    [
      'an initiator beyond the least size',
      [[changRoberts], { nodes: [4, 8], initiators: [5] }],
      /initiator must be .*, not 5/,
    ],
    [
      'a parameter that nobody has',
      [[changRoberts, peterson], { set: { u: 4 } }],
      /no algorithm .* parameter 'u'/,
    ],
    ['a measure that is none', [[changRoberts], { measure: 'luck' as never }], /measure must be one of/],
  ];
  it.each(cases)('%s', (_, [algorithms, options], says) => {
    expect(() => sweep(algorithms, options)).toThrow(InputError);
    expect(() => sweep(algorithms, options)).toThrow(says);
  });
});
