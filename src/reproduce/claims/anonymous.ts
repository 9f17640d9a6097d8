/** Nodes without ids: Itai–Rodeh in its four forms, and why nobody can do without lots. */

import { expectedRounds } from '../../algorithms/anonymous/expected-rounds.ts';
import { attempts } from '../../algorithms/anonymous/impossible/attempts.ts';
import { itaiRodeh } from '../../algorithms/anonymous/itai-rodeh.ts';
import { itaiRodehBounded } from '../../algorithms/anonymous/itai-rodeh-bounded.ts';
import { itaiRodehEcho } from '../../algorithms/anonymous/itai-rodeh-echo.ts';
import { itaiRodehUnknown } from '../../algorithms/anonymous/itai-rodeh-unknown.ts';
import { formatFigure } from '../../kernel/law-words.ts';
import type { SimulateOptions } from '../../simulator/options.ts';
import { symmetricRun } from '../../simulator/symmetric-run.ts';
import type { Moments } from '../../sweep/moments.ts';
import type { Bench } from '../bench.ts';
import { beyond, type Row, type Study, study, verdictOf } from '../claim.ts';
import { allOneSome, elections, randomOrders, sizesFor } from '../grounds.ts';
import { lawStudy, percent } from '../law-study.ts';
import { intervalOf, mayBe, mayBeAtMost, sampleOf, showMean } from '../sample.ts';
import { searchStudy, twinStudy } from '../search.ts';
import { KARNAPKE, KHARAGPUR } from '../sources.ts';

const SCHEDULES = ['lockstep', 'random', 'random:nofifo'] as const;

/** The round in which the leader won. */
function roundsOf(bench: Bench, n: number, runs: number, options: SimulateOptions = {}): Moments {
  const rounds: number[] = [];
  for (const each of randomOrders(bench, [n], runs, options)) {
    const run = bench.run(itaiRodeh, each);
    const position = run.outcome().leader?.position ?? 0;
    rounds.push(Number(run.simulation.machine.fieldsOf(position).round));
  }
  return sampleOf(rounds);
}

const byChain = (n: number): number => expectedRounds(n, n) ?? Number.NaN;
const boundOf = (n: number): number => (Math.E * n) / (n - 1);

const roundsStudy: Study = {
  claims: [
    {
      id: 'itai-rodeh/rounds',
      source: KARNAPKE,
      says: 'for n = c = 2 the mean is 2 rounds, by a Markov chain, which can be set up for every n',
      method: 'mean of runs',
    },
    {
      id: 'itai-rodeh/rounds-bound',
      source: KARNAPKE,
      says: 'for c = n there are fewer than e·n/(n−1) rounds on average',
      method: 'mean of runs',
    },
  ],
  measure(bench) {
    const sizes = bench.quick ? [2, 3, 4, 8, 16] : [2, 3, 4, 8, 16, 32, 64];
    const rows = sizes.map((n) => ({ n, rounds: roundsOf(bench, n, bench.some(1000, 6000)) }));
    const [two] = rows;
    return [
      {
        verdict: verdictOf(rows.every(({ n, rounds }) => mayBe(rounds, byChain(n)))),
        measured: `${showMean(two.rounds)} for n = 2; for larger n as the chain has it`,
        table: {
          columns: ['n = c', 'by the chain', 'mean of runs', '95 % interval', 'e·n/(n−1)'],
          rows: rows.map(({ n, rounds }) => [
            String(n),
            byChain(n).toFixed(4),
            rounds.mean.toFixed(4),
            intervalOf(rounds)
              .map((end) => end.toFixed(3))
              .join(' … '),
            boundOf(n).toFixed(3),
          ]),
        },
        plot: {
          title: 'Itai–Rodeh: rounds on average, for c = n',
          subtitle: 'measured on FIFO links in lockstep, and by the chain',
          xTitle: 'nodes',
          yTitle: 'mean rounds',
          series: [
            {
              name: 'measured',
              points: rows.map(({ n, rounds }) => ({ x: n, y: rounds.mean, band: intervalOf(rounds) })),
            },
          ],
          curves: [
            {
              name: 'the chain',
              dash: 'solid',
              series: 0,
              points: sizes.map((n) => ({ x: n, y: byChain(n) })),
            },
            {
              name: 'e·n/(n−1)',
              dash: 'dotted',
              series: null,
              points: sizes.map((n) => ({ x: n, y: boundOf(n) })),
            },
          ],
          notes: ['bands: 95 % confidence'],
        },
      },
      {
        verdict: verdictOf(
          rows.every(({ n, rounds }) => mayBeAtMost(rounds, boundOf(n)) && byChain(n) < boundOf(n)),
        ),
        measured: `${rows.map(({ n, rounds }) => `${rounds.mean.toFixed(2)} of ${boundOf(n).toFixed(2)} at n = ${n}`).join(', ')}`,
      },
    ];
  },
};

export const itaiRodehRow: Row = {
  name: 'itai-rodeh',
  title: itaiRodeh.title,
  studies: [
    lawStudy(itaiRodeh, {
      source: KARNAPKE,
      ground: (bench) =>
        elections(bench, {
          sizes: sizesFor(bench),
          orders: ['random'],
          initiators: allOneSome,
          schedules: SCHEDULES,
        }),
      means: (bench) => randomOrders(bench, bench.quick ? [8, 32] : [8, 32, 128], bench.some(300, 1500)),
    }),
    roundsStudy,
    study(
      {
        id: 'itai-rodeh/one-leader',
        source: KARNAPKE,
        says: 'a Las Vegas algorithm: the result is always right, exactly one leader, whatever was drawn',
        method: 'share of runs',
      },
      (bench) => {
        const runs = bench.some(1000, 10_000);
        const random = bench.random('one-leader');
        for (let index = 0; index < runs; index++) {
          const nodes = 1 + random.below(16);
          const options = {
            nodes,
            seed: bench.seedOf(index),
            schedule: SCHEDULES[index % 3],
            set: { c: 2 + random.below(nodes + 1) },
          };
          // Two leaders or none would be an error.
          bench.outcome(itaiRodeh, options);
        }
        return {
          verdict: 'confirmed',
          measured: `one leader in all of ${formatFigure(runs)} rings of up to 16 nodes, under all kinds of delay`,
        };
      },
    ),
    searchStudy(
      {
        id: 'itai-rodeh/every-schedule',
        source: KARNAPKE,
        says: 'never two leaders, and from every state the end can be reached',
      },
      itaiRodeh,
      { nodes: 3, set: { c: 2 }, bound: { round: 3 }, fifo: true },
    ),
    study(
      {
        id: 'itai-rodeh/overtaking',
        source: 'noticed here',
        says: 'where messages overtake there are fewer rounds than the chain has: 1.64 for n = 2',
        method: 'mean of runs',
      },
      (bench) => {
        const rounds = roundsOf(bench, 2, bench.some(3000, 20_000), { schedule: 'random:nofifo' });
        return {
          verdict: verdictOf(mayBe(rounds, 1.64, 0.01)),
          measured: `${showMean(rounds)} in place of 2`,
        };
      },
    ),
    twinStudy(
      {
        id: 'itai-rodeh/hops',
        source: KARNAPKE,
        says: 'the hop count is needed: a token with my id need not be mine',
      },
      'itai-rodeh-uncounted',
    ),
  ],
};

export const itaiRodehBoundedRow: Row = {
  name: 'itai-rodeh-bounded',
  title: itaiRodehBounded.title,
  studies: [
    lawStudy(itaiRodehBounded, {
      source: KARNAPKE,
      ground: (bench) =>
        elections(bench, {
          sizes: sizesFor(bench),
          orders: ['random'],
          initiators: allOneSome,
          schedules: SCHEDULES,
        }),
    }),
    study(
      {
        id: 'itai-rodeh-bounded/enough',
        source: KARNAPKE,
        says: 'it is enough to know that the size lies between N and 2N−1',
        method: 'share of runs',
      },
      (bench) => {
        const runs = bench.some(1000, 10_000);
        for (let index = 0; index < runs; index++) {
          const nodes = 2 + (index % 11);
          const least = Math.floor(nodes / 2) + 1;
          const N = least + (index % (nodes - least + 1));
          bench.outcome(itaiRodehBounded, {
            nodes,
            seed: bench.seedOf(index),
            schedule: SCHEDULES[index % 3],
            set: { c: 2 + (index % 3), N },
          });
        }
        return {
          verdict: 'confirmed',
          measured: `one leader in all of ${formatFigure(runs)} rings, for every N that allows their size`,
        };
      },
    ),
    twinStudy(
      {
        id: 'itai-rodeh-bounded/not-more',
        source: KARNAPKE,
        says: 'and not that it lies between N and 2N: two may lead',
      },
      'itai-rodeh-halved',
    ),
  ],
};

/** How often in so many runs the last estimate is wrong, and how often there is not one leader. */
function errorsOf(
  bench: Bench,
  c: number,
  runs: number,
  schedule: 'lockstep' | 'random:nofifo',
): { estimate: number; leader: number; sound: boolean } {
  const n = 6;
  const wrong = { estimate: 0, leader: 0, sound: true };
  for (const options of randomOrders(bench, [n], runs, { schedule, set: { c } })) {
    const run = bench.run(itaiRodehUnknown, options);
    const estimates = Array.from({ length: n }, (_, at) =>
      Number(run.simulation.machine.fieldsOf(at).estimate),
    );
    if (estimates.some((each) => each !== estimates[0] || each > n)) wrong.sound = false;
    if (estimates[0] !== n) wrong.estimate++;
    if (run.outcome().leader === null) wrong.leader++;
  }
  return { estimate: wrong.estimate / runs, leader: wrong.leader / runs, sound: wrong.sound };
}

const unknownSize: Study = {
  claims: [
    {
      id: 'itai-rodeh-unknown/errors',
      source: KARNAPKE,
      says: 'with large c the size is probably estimated right; if not, several win, and nobody notices',
      method: 'share of runs',
    },
    {
      id: 'itai-rodeh-unknown/estimate',
      source: 'Itai, Rodeh 1981',
      says: 'the estimate never exceeds n, and all nodes agree on it',
      method: 'share of runs',
    },
  ],
  measure(bench) {
    const runs = bench.some(1000, 4000);
    const sides = [2, 3, 4, 6, 8];
    const rows = sides.map((c) => ({
      c,
      overtaking: errorsOf(bench, c, runs, 'random:nofifo'),
      inOrder: errorsOf(bench, c, runs, 'lockstep'),
    }));
    const falls = rows.every(
      ({ overtaking }, k) => k === 0 || overtaking.estimate <= rows[k - 1].overtaking.estimate + 0.01,
    );
    const [two, , four] = rows;
    return [
      {
        verdict: verdictOf(falls && two.overtaking.leader > 0),
        measured: `n = 6, the estimate is wrong in ${percent(two.overtaking.estimate)} of runs for c = 2, ${percent(four.overtaking.estimate)} for c = 4; more or less than one leads in ${percent(two.overtaking.leader)} and ${percent(four.overtaking.leader)}`,
        why: 'more than half of n is enough for one leader, so that elections go wrong less often than estimates',
        table: {
          columns: [
            'c',
            'estimate wrong, messages overtake',
            'not one leader',
            'estimate wrong, in order',
            'not one leader, in order',
          ],
          rows: rows.map(({ c, overtaking, inOrder }) => [
            String(c),
            ...[overtaking, inOrder].flatMap(({ estimate, leader }) => [percent(estimate), percent(leader)]),
          ]),
        },
        plot: {
          title: 'Size unknown: how often it goes wrong',
          subtitle: 'n = 6, per cent of runs, by the number of sides of the die',
          xTitle: 'c',
          yTitle: 'per cent of runs',
          series: [
            {
              name: 'estimate wrong',
              points: rows.map(({ c, overtaking }) => ({ x: c, y: 100 * overtaking.estimate })),
            },
            {
              name: 'not one leader',
              points: rows.map(({ c, overtaking }) => ({ x: c, y: 100 * overtaking.leader })),
            },
          ],
          curves: [],
          notes: ['random delays, messages overtake'],
        },
      },
      {
        verdict: verdictOf(rows.every(({ overtaking, inOrder }) => overtaking.sound && inOrder.sound)),
        measured: `so in all of ${formatFigure(2 * runs * sides.length)} runs`,
        why: 'no node can know that its estimate is the last: none is ever final',
      },
    ];
  },
};

export const itaiRodehUnknownRow: Row = {
  name: 'itai-rodeh-unknown',
  title: itaiRodehUnknown.title,
  studies: [
    lawStudy(itaiRodehUnknown, {
      ground: (bench) =>
        elections(bench, { sizes: [1, 2, 3, 4, 6, 8, 12], orders: ['random'], schedules: SCHEDULES }),
    }),
    unknownSize,
    beyond(
      {
        id: 'itai-rodeh-unknown/none',
        source: KARNAPKE,
        says: 'no deterministic and no Las Vegas algorithm elects on anonymous rings of unknown size',
      },
      'a statement about every algorithm there can be; that this one errs is shown above',
    ),
  ],
};

const NETWORKS = (n: number): string[] => [
  'ring',
  'star',
  'line',
  'random-tree',
  'complete',
  `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`,
];

export const itaiRodehEchoRow: Row = {
  name: 'itai-rodeh-echo',
  title: itaiRodehEcho.title,
  studies: [
    lawStudy(itaiRodehEcho, {
      source: KARNAPKE,
      ground: (bench) =>
        elections(bench, {
          sizes: [2, 3, 5, 8, 16, 32],
          orders: ['random'],
          initiators: allOneSome,
          schedules: SCHEDULES,
          topologies: NETWORKS,
        }),
    }),
    study(
      {
        id: 'itai-rodeh-echo/wave',
        source: KARNAPKE,
        says: 'it works on any connected network of known size, by echo waves; the winning wave costs 2m',
        method: 'to the digit',
      },
      (bench) => {
        const runs = bench.some(200, 1500);
        for (let index = 0; index < runs; index++) {
          const nodes = 2 + (index % 20);
          const waves = new Map<string, number>();
          const run = bench.run(itaiRodehEcho, {
            nodes,
            seed: bench.seedOf(index),
            topology: NETWORKS(nodes)[index % 6],
            schedule: SCHEDULES[index % 3],
            set: { c: 2 },
            observe: (event) => {
              if (event.kind !== 'send' || event.message.type === 'elected') return;
              const wave = `${event.message.round} ${event.message.id}`;
              waves.set(wave, (waves.get(wave) ?? 0) + 1);
            },
          });
          const { round, id } = run.simulation.machine.fieldsOf(run.outcome().leader?.position ?? 0);
          const cost = waves.get(`${round} ${id}`);
          if (cost !== 2 * run.facts().m)
            return {
              verdict: 'refuted',
              measured: `${cost}, not ${2 * run.facts().m}`,
              replay: run.plan.replay,
            };
        }
        return {
          verdict: 'confirmed',
          measured: `one leader, and 2m in its wave, in ${formatFigure(runs)} elections on six kinds of network`,
        };
      },
    ),
  ],
};

export const impossibilityRow: Row = {
  name: 'impossibility',
  title: 'The impossibility',
  studies: attempts.map(({ algorithm, name, fate }) =>
    study(
      {
        id: `impossibility/${name}`,
        source: `D. Angluin 1980; ${KHARAGPUR}`,
        says: `no deterministic algorithm elects among anonymous nodes: of ‘${algorithm.title}’, if all start together, ${fate}`,
        method: 'symmetric run',
      },
      (bench) => {
        const sizes = bench.quick ? [2, 3, 8] : [2, 3, 4, 5, 8, 13, 16];
        const runs = sizes.map((nodes) => symmetricRun(algorithm, { nodes }));
        bench.runs += sizes.length;
        const last = runs[runs.length - 1];
        const isShown = runs.every(
          ({ leaders, n, end }) => end !== 'open' && leaders.every((count) => count === 0 || count === n),
        );
        return {
          verdict: verdictOf(isShown),
          measured: `at each of ${last.moments.length} moments all ${last.n} nodes are in the same state; in the end: ${last.end}`,
          why: 'an algorithm of your own is put to the same run: hustings simulate ./mine.ts',
          replay: `hustings simulate ${name} --nodes ${last.n}`,
        };
      },
    ),
  ),
};
