/** Arbitrary networks and trees: flood-max, echo election, GHS, tree election. */

import { formatFigure } from '@hustings/base';
import { echoElection, floodMax, floodMaxRounds, ghs, treeElection } from '@hustings/study/algorithms';
import { study, verdictOf } from '../claim.ts';
import { lawRow } from '../law-row.ts';
import { follows, ours, stated } from '../origin.ts';
import {
  ANY_SCHEDULE,
  type Axes,
  allOneSome,
  elections,
  FIFO,
  networks,
  numbered,
  type ParameterGrid,
} from '../parameter-grid.ts';
import { everyRunStudy, refutedBy, someRunsStudy } from '../run-study.ts';
import { costStudy, searchStudy, twinStudy } from '../search.ts';
import { KARNAPKE, KHARAGPUR, ROURKELA } from '../sources.ts';

const sizes = (experiment: { readonly quick: boolean }): number[] =>
  experiment.quick ? [2, 3, 5, 8, 16, 32] : [2, 3, 4, 5, 8, 13, 16, 32, 64];

/** All kinds of network with all, one and some initiators. */
const onNetworks =
  (axes: Omit<Axes, 'sizes'>): ParameterGrid =>
  (experiment) =>
    elections(experiment, {
      sizes: sizes(experiment),
      initiators: allOneSome,
      topologies: networks,
      ...axes,
    });

export const floodMaxRow = lawRow(
  floodMax,
  {
    grid: onNetworks({ orders: ['random', 'ascending'], schedules: FIFO }),
  },
  [
    everyRunStudy(floodMax, {
      id: 'flood-max/control',
      origin: ours('Dijkstra, Scholten 1980'),
      says: 'there are as many signals as floods',
      method: 'exact count',
      grid: onNetworks({ orders: ['random'], schedules: FIFO }),
      wrong({ messages: { byType } }) {
        const { flood, signal } = byType;
        return flood === signal ? undefined : `${flood} floods, ${signal} signals`;
      },
      confirmed: (runs) => `holds in ${formatFigure(runs)} elections on six kinds of network`,
    }),
    everyRunStudy(floodMax, {
      id: 'flood-max/highest-initiator',
      origin: stated([KARNAPKE, 'slide 7, line 100']),
      says: 'a node that has received a message can no longer initiate: the highest initiator wins',
      method: 'share of runs',
      grid: onNetworks({ orders: ['random'], schedules: FIFO }),
      wrong: ({ leader }, { run }) => {
        const { ids, initiators } = run.facts();
        const largest = Math.max(...Array.from(initiators, (at) => ids[at]));
        return leader?.id === largest ? undefined : `${leader?.id} leads, not ${largest}`;
      },
      confirmed: (runs) => `holds in ${formatFigure(runs)} elections on six kinds of network`,
    }),
    someRunsStudy(floodMax, {
      id: 'flood-max/no-fifo',
      origin: ours(),
      says: 'it needs FIFO links: with overtaking some runs do not elect exactly one leader',
      method: 'share of runs',
      grid: (experiment) =>
        numbered(experiment, experiment.some(1500, 10_000), () => ({
          nodes: 6,
          schedule: 'random:nofifo',
          despite: ['fifo'],
        })),
      tests: [
        ({ valid: { uniqueness, agreement, termination } }) => !(uniqueness && agreement && termination),
      ],
      measured: (runs, failed) => `${failed} of ${formatFigure(runs)} elections of 6 nodes fail`,
    }),
    twinStudy({
      id: 'flood-max/order',
      origin: ours(),
      says: 'with two nodes a single overtaking is sufficient',
      twin: 'flood-max-unordered',
    }),
  ],
);

export const floodMaxRoundsRow = lawRow(
  floodMaxRounds,
  { grid: (experiment) => elections(experiment, { sizes: sizes(experiment), topologies: networks }) },
  [
    study({
      id: 'flood-max-rounds/diameter',
      origin: stated([ROURKELA, 'line 39']),
      says: 'the diameter D is a lower bound for the time of an election',
      method: 'share of runs',
      measure(experiment) {
        let [runs, reached] = [0, 0];
        for (const algorithm of [floodMaxRounds, floodMax, echoElection, ghs, treeElection]) {
          const topologies =
            algorithm === treeElection ? ['star', 'line', 'tree', 'random-tree'] : networks(16);
          for (const topology of topologies) {
            for (let index = 0; index < experiment.some(3, 20); index++) {
              const run = experiment.run(algorithm, { nodes: 16, topology, seed: experiment.seedOf(index) });
              const { agreedAt } = run.outcome().time;
              const { D } = run.facts();
              runs++;
              if (D === null || Number(agreedAt) < D) return refutedBy(run, `${agreedAt}, below D = ${D}`);
              if (agreedAt === D) reached++;
            }
          }
        }
        return {
          verdict: 'illustrated',
          measured: `no election of five algorithms is over before D in ${formatFigure(runs)} runs on networks of 16 nodes; ${formatFigure(reached)} take exactly D`,
          why: 'a statement about all algorithms; the source says it of radio networks, here messages take one unit for each link',
        };
      },
    }),
  ],
);

export const echoElectionRow = lawRow(
  echoElection,
  {
    origins: {
      'announcement messages = n−1': follows([KARNAPKE, 'slide 8, line 128']),
      'announcement messages = 2m': follows([KARNAPKE, 'slide 8, line 127']),
    },
    grid: onNetworks({
      orders: ['random', 'ascending'],
      schedules: ANY_SCHEDULE,
      sets: () => [{ announce: 'tree' }, { announce: 'echo' }],
    }),
  },
  [
    searchStudy(echoElection, {
      id: 'echo-election/every-schedule',
      origin: stated([KARNAPKE, 'slide 8, lines 122–124, 131']),
      says: 'only the strongest wave survives, in every schedule: one leader, known to all nodes',
      search: { ids: [1, 2, 3], topology: 'ring', initiators: 'subsets' },
    }),
    costStudy(echoElection, {
      id: 'echo-election/worst-schedule',
      origin: ours(),
      says: 'no schedule costs more than k·2m messages: 18 for three initiators on a triangle',
      nodes: [3, 3],
      figure: () => 18,
      isReached: false,
      search: { topology: 'ring', orders: 'all', worst: 'election' },
    }),
    twinStudy({
      id: 'echo-election/extinction',
      origin: follows([KARNAPKE, 'slide 8, line 122']),
      says: 'only weaker messages are dropped, not equal ones',
      twin: 'echo-extinct',
    }),
  ],
);

export const ghsRow = lawRow(ghs, { grid: onNetworks({ orders: ['random'], schedules: FIFO }) });

export const treeElectionRow = lawRow(
  treeElection,
  {
    origins: {
      'election messages = 2n+k−2': follows([KARNAPKE, 'slide 45, lines 665–671']),
      '⟨explosion⟩ messages = n−2+k': stated([KARNAPKE, 'slide 45, lines 663–668']),
      '⟨contraction⟩ messages = n': stated([KARNAPKE, 'slide 45, lines 669–674']),
      'announcement messages = n−2': stated([KARNAPKE, 'slide 45, lines 675–680']),
    },
    grid: (experiment) =>
      elections(experiment, {
        sizes: [...sizes(experiment), ...(experiment.quick ? [] : [1000])],
        initiators: allOneSome,
        schedules: ANY_SCHEDULE,
        topologies: () => ['star', 'line', 'tree', 'random-tree'],
      }),
  },
  [
    everyRunStudy(treeElection, {
      id: 'tree-election/total',
      origin: stated([KARNAPKE, 'slide 45, lines 681–682']),
      says: '3n + k − 4 messages in total, in every schedule: far fewer than on a ring',
      method: 'exact count',
      grid: (experiment) =>
        numbered(experiment, experiment.some(30, 60), (index) => ({
          nodes: experiment.some(1000, 20_000),
          initiators: { random: 1 + 7 * index },
          schedule: ANY_SCHEDULE[index % 3],
        })),
      wrong({ n, initiators, messages: { total } }) {
        const claimed = 3 * n + initiators.count - 4;
        return total === claimed ? undefined : `${total}, not ${claimed}`;
      },
      confirmed: (runs, experiment) =>
        `holds in ${runs} random trees of ${formatFigure(experiment.some(1000, 20_000))} nodes, under every kind of schedule`,
    }),
    study({
      id: 'tree-election/ring-bounds',
      origin: stated([KHARAGPUR, 'lines 68–69']),
      says: 'lower bounds and impossibility results for rings also hold for arbitrary topologies: what cannot be done on a ring cannot be done there',
      method: 'exact count',
      measure(experiment) {
        const rows = [16, 64, 256, 1024, 4096].map((nodes) => {
          const run = experiment.run(treeElection, { nodes, topology: 'star', seed: experiment.seedOf(0) });
          const { total } = run.outcome().messages;
          return { n: nodes, run, total, share: total / (nodes * Math.log2(nodes)) };
        });
        const [first, , , shown, last] = rows;
        const isLinear = rows.every(
          ({ n, total, share }, at) => total <= 4 * n && (at === 0 || share < rows[at - 1].share),
        );
        return {
          verdict: verdictOf(!isLinear),
          measured: `stars, all nodes initiate: ${formatFigure(shown.total)} messages at n = 1024, fewer than 4n in all; ${first.share.toFixed(2)}·n·log2 n at n = ${first.n} falls to ${last.share.toFixed(2)}·n·log2 n at n = ${formatFigure(last.n)}`,
          why: 'interpreted as: for each topology. Asynchronous rings need Ω(n·log n) messages by the same slides, trees 3n+k−4. An algorithm that is to work on all networks does have the bound, because a ring is one of them',
          replay: shown.run.plan.replay,
        };
      },
    }),
    study({
      id: 'tree-election/different-maxima',
      origin: stated([KARNAPKE, 'slide 43, line 644']),
      says: 'the contraction ends on a single edge over which both ends send, each a different maximum; then both know the largest id',
      method: 'share of runs',
      measure(experiment) {
        const runs = experiment.some(150, 1500);
        const grid = numbered(experiment, runs, (index) => ({
          nodes: 2 + (index % 30),
          topology: ['star', 'line', 'tree', 'random-tree'][index % 4],
          initiators: { random: 1 + (index % 2) },
          schedule: ANY_SCHEDULE[index % 3],
        }));
        for (const options of grid) {
          const sent = new Map<string, number>();
          const run = experiment.run(treeElection, {
            ...options,
            observe: (event) => {
              if (event.type !== 'send' || event.message.type !== 'contraction') return;
              sent.set(`${event.node} ${event.to}`, Number(event.message.maximum));
            },
          });
          const meetings = [...sent].filter(([edge]) => sent.has(edge.split(' ').toReversed().join(' ')));
          const [one, other] = meetings.map(([, best]) => best);
          if (meetings.length !== 2 || one === other || Math.max(one, other) !== run.plan.nodes) {
            return refutedBy(run, `${meetings.length / 2} edges; the maxima are ${one} and ${other}`);
          }
        }
        return {
          verdict: 'confirmed',
          measured: `one edge with two different maxima, the larger of them the largest id of all, in ${formatFigure(runs)} trees`,
        };
      },
    }),
    twinStudy({
      id: 'tree-election/one-edge',
      origin: stated([KARNAPKE, 'slide 42, line 636']),
      says: 'a node contracts when exactly one neighbour is left',
      twin: 'tree-early',
    }),
  ],
);
