/** Verdicts depend on the measurement: planted wrong laws, algorithms and counts must be refuted. */
import { describe, expect, test } from 'vitest';
import { twins } from '../../study/src/algorithms/broken/twins.ts';
import { changRoberts } from '../../study/src/algorithms/index.ts';
import { check } from '../../study/src/checker/check.ts';
import type { AnyAlgorithm } from '../../study/src/kernel/algorithm.ts';
import { harmonic, type Law } from '../../study/src/kernel/law.ts';
import type { Outcome, Run, SimulateOptions } from '../../study/src/simulator/index.ts';
import { Experiment } from '../src/experiment.ts';
import { lawStudy } from '../src/law-study.ts';
import { ours } from '../src/origin.ts';
import { elections, type ParameterGrid, randomOrders } from '../src/parameter-grid.ts';
import { refutedByFailure, studies } from '../src/reproduction.ts';
import { costStudy } from '../src/search.ts';
import { census } from '../src/studies/census.ts';
import { asynchronous, searchClass, singlesOut, synchronous } from '../src/studies/symmetric-automata.ts';

const quick = { seed: 1, quick: true };
const erased: AnyAlgorithm = changRoberts;
const withLaw = (law: Law): AnyAlgorithm => ({ ...erased, laws: [law] });

test('the curve of a mean that is divided by n has the formula divided by n as its name', () => {
  const law: Law = { measure: 'election', kind: 'mean', formula: 'n·H_n', value: ({ n }) => n * harmonic(n) };
  const means: ParameterGrid = (experiment) => randomOrders(experiment, [4, 8], 3);
  const [{ plot }] = lawStudy(withLaw(law), { grid: () => [], means }).measure(new Experiment(quick));
  expect(plot?.yTitle).toBe('mean election messages, divided by n');
  const points = [4, 8].map((n) => ({ x: n, y: harmonic(n) }));
  expect(plot?.curves).toMatchObject([{ name: 'mean (n·H_n) / n', points }]);
});

/** An experiment whose elections count one message too many and end one unit too late. */
class MiscountingExperiment extends Experiment {
  override run(...args: Parameters<Experiment['run']>): Run {
    const run = super.run(...args);
    const { messages, time, ...rest } = run.outcome();
    const late = (at: number | null): number | null => (at === null ? null : at + 1);
    const wrong: Outcome = {
      ...rest,
      messages: { ...messages, election: messages.election + 1, total: messages.total + 1 },
      time: {
        ...time,
        electedAt: late(time.electedAt),
        announcementReturnedAt: late(time.announcementReturnedAt),
      },
    };
    run.outcome = () => wrong;
    return run;
  }
}

/** An experiment that runs another algorithm, or with other parameters, than the study asks for. */
class ChangedExperiment extends Experiment {
  readonly change: (algorithm: AnyAlgorithm, options: SimulateOptions) => [AnyAlgorithm, SimulateOptions];

  constructor(change: ChangedExperiment['change']) {
    super(quick);
    this.change = change;
  }

  override run(algorithm: AnyAlgorithm, options: SimulateOptions = {}): Run {
    return super.run(...this.change(algorithm, options));
  }
}

const twinNamed = (name: string): AnyAlgorithm =>
  twins.find((each) => each.name === name)?.algorithm as AnyAlgorithm;

describe('a verdict', () => {
  test.each<[string, Law]>([
    ['an exact law', { measure: 'announcement', kind: 'exact', formula: 'n+1', value: ({ n }) => n + 1 }],
    ['a bound', { measure: 'election', kind: 'bound', formula: '2n−2', value: ({ n }) => 2 * n - 2 }],
    [
      'a mean that is 5 % too large',
      { measure: 'election', kind: 'mean', formula: '1.05·n·H_n', value: ({ n }) => 1.05 * n * harmonic(n) },
    ],
  ])('refutes %s that is wrong', (_, law) => {
    const { measure } = lawStudy(withLaw(law), {
      grid: (experiment) => elections(experiment, { sizes: [4, 8] }),
      means: (experiment) => randomOrders(experiment, [64], 300),
    });
    const [{ verdict, replay }] = measure(new Experiment(quick));
    expect(verdict).toBe('refuted');
    if (law.kind !== 'mean') expect(replay).toMatch(/^hustings simulate chang-roberts /);
  });

  test.each([9, 11])(
    'refutes %d as the cost of the most expensive run of four nodes, which is 10',
    (figure) => {
      const { measure } = costStudy(changRoberts, {
        id: 'chang-roberts/planted',
        origin: ours(),
        says: 'a wrong figure',
        nodes: [4, 4],
        figure: () => figure,
        isReached: true,
        search: { orders: 'all', worst: 'election' },
      });
      expect(measure(new Experiment(quick))[0].verdict).toBe('refuted');
    },
  );

  test.each([
    'lelann/late',
    'lelann/all',
    'chang-roberts/worst-order',
    'chang-roberts/worst-of-k',
    'chang-roberts/mean-to-the-digit',
    'hirschberg-sinclair/time',
    'peterson-bidirectional/bound-reached',
    'chang-roberts/late-initiator',
    'chang-roberts/best-of-k',
    'chang-roberts/best-neighbours',
    'peterson-bidirectional/sorted',
    'ring-list/all-live',
    'sun/one-level',
    'sun/paper-count',
    'paper-table/d2',
  ])('of %s follows the count', (id) => {
    const study = studies.find(({ claims }) => claims[0].id === id);
    const [right] = study?.measure(new Experiment(quick)) ?? [];
    const [wrong] = study?.measure(new MiscountingExperiment(quick)) ?? [];
    expect([right?.verdict, wrong?.verdict]).toEqual(['confirmed', 'refuted']);
    expect(wrong?.measured).not.toBe(right?.measured);
  });

  test.each<[id: string, instead: string, change: ChangedExperiment['change']]>([
    [
      'peterson-bidirectional/phase-bound',
      'nodes do not wait for both sides',
      (algorithm, options) => [algorithm, { ...options, set: { eager: true } }],
    ],
    [
      'hirschberg-sinclair/higher-phase',
      'ids are compared and phases are not',
      (algorithm, options) => [algorithm, { ...options, set: { compare: 'id' } }],
    ],
    [
      'chang-roberts/overtaken-in-vain',
      'smaller ids win',
      (algorithm, options) => [algorithm, { ...options, set: { extremum: 'min' } }],
    ],
    [
      'ring-max/only-largest',
      'messages overtake each other',
      (algorithm, options) => [algorithm, { ...options, schedule: 'random:nofifo', set: { timeout: 6 } }],
    ],
    [
      'ring-list/several',
      'no process crashes between the tokens',
      (algorithm, options) => [algorithm, { ...options, crash: 'none' }],
    ],
    [
      'divided/backoff',
      'all delays are equal',
      (algorithm, options) => [algorithm, { ...options, schedule: 'lockstep' }],
    ],
  ])('of %s is refuted if %s', (id, _, change) => {
    const study = studies.find(({ claims }) => claims[0].id === id);
    const [[right], [wrong]] = [new Experiment(quick), new ChangedExperiment(change)].map(
      (experiment) => study?.measure(experiment) ?? [],
    );
    expect([right?.verdict, wrong?.verdict]).toEqual(['confirmed', 'refuted']);
  });

  test('is refuted, with the command, if an election ends with two leaders', () => {
    const twin = twinNamed('peterson-without-max');
    const claim = { id: 'a/b', origin: ours(), says: 'it elects one leader', method: 'one run' } as const;
    const [found] = refutedByFailure([claim], () => {
      new Experiment(quick).outcome(twin, { ids: [4, 1, 3, 2] });
      return [{ verdict: 'confirmed', measured: 'one leader' }];
    });
    expect(found).toMatchObject({ verdict: 'refuted', measured: expect.stringContaining('uniqueness') });
    expect(found.replay).toMatch(/^hustings simulate .*--ids 4,1,3,2/);
  });

  test('is not given if a handler throws', () => {
    const broken: AnyAlgorithm = {
      ...erased,
      onStart: () => {
        throw new TypeError('a fault of the handler');
      },
    };
    expect(() => refutedByFailure([], () => [new Experiment(quick).outcome(broken)] as never)).toThrow(
      'a fault of the handler',
    );
  });
});

describe('the census', () => {
  const search = { nodes: 3, set: { c: 2, N: 2 }, bound: { round: 1 }, reduce: 'none' } as const;

  test('gives names and finds the size in every schedule of three nodes', () => {
    expect(check(census, search).violations).toEqual([]);
  });

  test('is caught if it gives a name twice, and if it counts one node too few', () => {
    const right: AnyAlgorithm = census;
    const withCount = (count: AnyAlgorithm['on'][string]): AnyAlgorithm => ({
      ...right,
      on: { ...right.on, count },
    });
    const repeats = withCount((state, _port, { names }, ctx) => {
      if (state.at === 'leader') return;
      state.name = names;
      ctx.send(1, 'count', Number(names) as never);
    });
    const early = withCount((state, port, message, ctx) => {
      if (state.at !== 'leader') right.on.count(state, port, message, ctx);
      else state.size = Number(message.names) - 1;
    });
    const found = [repeats, early].map((each) => check(each, search).violations[0]?.text ?? '');
    expect(found[0]).toBe('No two nodes have the same name');
    expect(found[1]).toContain('knows the number of nodes');
  });
});

describe('the search of all symmetric algorithms', () => {
  test.each([...synchronous, ...asynchronous])('finds none that elects, among $text', (each) => {
    const { algorithms, electing } = searchClass(each);
    expect(algorithms).toBe(each.sides.reduce((product, side) => product * side, 1));
    expect(electing).toBe(0);
  });

  test.each([...synchronous, ...asynchronous])(
    'finds those that single out a different node, among $text',
    (each) => {
      // Two nodes that start alike and one that does not: some algorithm keeps them apart, and it is seen.
      const table = each.sides.map(() => 0);
      expect(singlesOut([each.first, each.first, each.first + 1], table, each.round)).toBe(true);
    },
  );

  test('sees a node that differs only after some rounds', () => {
    const copies = [0, 1, 0, 1];
    const round = (states: readonly number[], table: readonly number[]): number[] =>
      states.map((own, at) => (at === 0 && own === 1 ? 0 : table[own * 2] === 0 ? 1 : own));
    expect(singlesOut([0, 0, 0], copies, round)).toBe(true);
  });
});
