/** Arbitrary networks and trees: flood-max, echo election, GHS, tree election. */
import { echoElection } from '../../algorithms/graph/echo-election.ts';
import { floodMax } from '../../algorithms/graph/flood-max.ts';
import { floodMaxRounds } from '../../algorithms/graph/flood-max-rounds.ts';
import { ghs } from '../../algorithms/graph/ghs.ts';
import { treeElection } from '../../algorithms/tree/tree-election.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { type Row, study, verdictOf } from '../claim.ts';
import { lawStudy } from '../law-study.ts';
import { allOneSome, elections } from '../parameter-grid.ts';
import { costStudy, searchStudy, twinStudy } from '../search.ts';
import { KARNAPKE } from '../sources.ts';

const IN_ORDER = ['lockstep', 'random'] as const;
const ANY_ORDER = ['lockstep', 'random', 'random:nofifo'] as const;
const sparse = (n: number): string => `random:${Math.min(2 * n, (n * (n - 1)) / 2)}`;
const networks = (n: number): string[] => ['ring', 'star', 'line', 'random-tree', 'complete', sparse(n)];
const trees = (): string[] => ['star', 'line', 'tree', 'random-tree'];
const sizes = (experiment: { readonly quick: boolean }): number[] =>
  experiment.quick ? [2, 3, 5, 8, 16, 32] : [2, 3, 4, 5, 8, 13, 16, 32, 64];

export const floodMaxRow: Row = {
  name: 'flood-max',
  title: floodMax.title,
  studies: [
    lawStudy(floodMax, {
      source: `${KARNAPKE}; with the termination detection of Dijkstra and Scholten`,
      grid: (experiment) =>
        elections(experiment, {
          sizes: sizes(experiment),
          orders: ['random', 'ascending'],
          initiators: allOneSome,
          schedules: IN_ORDER,
          topologies: networks,
        }),
    }),
    study(
      {
        id: 'flood-max/control',
        source: 'Dijkstra, Scholten 1980',
        says: 'there are as many signals as floods',
        method: 'exact count',
      },
      (experiment) => {
        let runs = 0;
        for (const options of elections(experiment, {
          sizes: sizes(experiment),
          orders: ['random'],
          initiators: allOneSome,
          schedules: IN_ORDER,
          topologies: networks,
        })) {
          const run = experiment.run(floodMax, options);
          const { flood, signal } = run.outcome().messages.byType;
          runs++;
          if (flood !== signal)
            return {
              verdict: 'refuted',
              measured: `${flood} floods, ${signal} signals`,
              replay: run.plan.replay,
            };
        }
        return {
          verdict: 'confirmed',
          measured: `holds in ${formatFigure(runs)} elections on six kinds of network`,
        };
      },
    ),
    study(
      {
        id: 'flood-max/no-fifo',
        source: 'observed here',
        says: 'it needs FIFO links: with overtaking some runs do not elect exactly one leader',
        method: 'share of runs',
      },
      (experiment) => {
        const runs = experiment.some(1500, 10_000);
        let wrong = 0;
        let replay: string | undefined;
        for (let index = 0; index < runs; index++) {
          const run = experiment.run(floodMax, {
            nodes: 6,
            seed: experiment.seedOf(index),
            schedule: 'random:nofifo',
            despite: ['fifo'],
          });
          const { uniqueness, agreement, termination } = run.outcome().valid;
          if (uniqueness && agreement && termination) continue;
          wrong++;
          replay ??= run.plan.replay;
        }
        return {
          verdict: verdictOf(wrong > 0),
          measured: `${wrong} of ${formatFigure(runs)} elections of 6 nodes fail`,
          ...(replay !== undefined && { replay }),
        };
      },
    ),
    twinStudy(
      {
        id: 'flood-max/order',
        source: 'observed here',
        says: 'with two nodes a single overtaking is sufficient',
      },
      'flood-max-unordered',
    ),
  ],
};

export const floodMaxRoundsRow: Row = {
  name: 'flood-max-rounds',
  title: floodMaxRounds.title,
  studies: [
    lawStudy(floodMaxRounds, {
      source: 'N. Lynch: Distributed algorithms, 1996',
      grid: (experiment) => elections(experiment, { sizes: sizes(experiment), topologies: networks }),
    }),
  ],
};

export const echoElectionRow: Row = {
  name: 'echo-election',
  title: echoElection.title,
  studies: [
    lawStudy(echoElection, {
      source: KARNAPKE,
      grid: (experiment) =>
        elections(experiment, {
          sizes: sizes(experiment),
          orders: ['random', 'ascending'],
          initiators: allOneSome,
          schedules: ANY_ORDER,
          topologies: networks,
          sets: () => [{ announce: 'tree' }, { announce: 'echo' }],
        }),
    }),
    searchStudy(
      {
        id: 'echo-election/every-schedule',
        source: KARNAPKE,
        says: 'only the strongest wave survives, in every schedule: one leader, known to all nodes',
      },
      echoElection,
      { ids: [1, 2, 3], topology: 'ring', initiators: 'subsets' },
    ),
    costStudy(
      echoElection,
      () => ({
        nodes: 3,
        topology: 'ring',
        orders: 'all',
        worst: 'election',
        figure: 18,
      }),
      {
        id: 'echo-election/worst-schedule',
        source: KARNAPKE,
        says: 'no schedule costs more than k·2m messages: 18 for three initiators on a triangle',
        isReached: false,
      },
    ),
    twinStudy(
      {
        id: 'echo-election/extinction',
        source: KARNAPKE,
        says: 'only weaker messages are dropped, not equal ones',
      },
      'echo-extinct',
    ),
  ],
};

export const ghsRow: Row = {
  name: 'ghs',
  title: ghs.title,
  studies: [
    lawStudy(ghs, {
      grid: (experiment) =>
        elections(experiment, {
          sizes: sizes(experiment),
          orders: ['random'],
          initiators: allOneSome,
          schedules: IN_ORDER,
          topologies: networks,
        }),
    }),
  ],
};

export const treeElectionRow: Row = {
  name: 'tree-election',
  title: treeElection.title,
  studies: [
    lawStudy(treeElection, {
      source: KARNAPKE,
      grid: (experiment) =>
        elections(experiment, {
          sizes: [...sizes(experiment), ...(experiment.quick ? [] : [1000])],
          initiators: allOneSome,
          schedules: ANY_ORDER,
          topologies: trees,
        }),
    }),
    study(
      {
        id: 'tree-election/total',
        source: KARNAPKE,
        says: '3n + k − 4 messages in total, in every schedule: far fewer than on a ring',
        method: 'exact count',
      },
      (experiment) => {
        const n = experiment.some(1000, 20_000);
        const runs = experiment.some(30, 60);
        for (let index = 0; index < runs; index++) {
          const run = experiment.run(treeElection, {
            nodes: n,
            seed: experiment.seedOf(index),
            initiators: { random: 1 + 7 * index },
            schedule: ANY_ORDER[index % 3],
          });
          const { initiators, messages } = run.outcome();
          const claimed = 3 * n + initiators.count - 4;
          if (messages.total !== claimed)
            return {
              verdict: 'refuted',
              measured: `${messages.total}, not ${claimed}`,
              replay: run.plan.replay,
            };
        }
        return {
          verdict: 'confirmed',
          measured: `holds in ${runs} random trees of ${formatFigure(n)} nodes, under every kind of schedule`,
        };
      },
    ),
    twinStudy(
      {
        id: 'tree-election/one-edge',
        source: KARNAPKE,
        says: 'a node contracts when exactly one neighbour is left',
      },
      'tree-early',
    ),
  ],
};
