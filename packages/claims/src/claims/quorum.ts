/** Elections by majority: Raft. */

import { formatFigure } from '@hustings/base';
import { raft } from '@hustings/study/algorithms';
import { lawRow } from '../law-row.ts';
import { ours } from '../origin.ts';
import { numbered } from '../parameter-grid.ts';
import { everyRunStudy } from '../run-study.ts';
import { searchStudy, twinStudy } from '../search.ts';

const RAFT = 'D. Ongaro, J. Ousterhout: In search of an understandable consensus algorithm, 2014';
/** Votes only: the other parameters only make elections rarer. */
const BARE = { spread: 0, prevote: false, checkQuorum: false, lease: false };
const TWO_PARTS = {
  groups: [
    [0, 1],
    [2, 3, 4],
  ],
  from: 30,
  until: 70,
};

export const raftRow = lawRow(
  raft,
  {
    grid: function* (experiment) {
      for (const nodes of experiment.quick ? [1, 2, 3, 5, 8] : [1, 2, 3, 5, 8, 16, 32]) {
        for (const set of [{ spread: 0 }, { spread: 0, prevote: false }, {}]) {
          yield { nodes, seed: experiment.seedOf(nodes), initiators: [nodes - 1], set };
        }
      }
    },
    means: (experiment) =>
      numbered(experiment, experiment.some(150, 1000), () => ({
        nodes: 5,
        initiators: [0],
        set: { spread: 8 },
      })),
    tolerance: {
      text: 'timeouts are drawn in whole units: a deviation of half a unit is allowed',
      within: () => 0.5,
    },
  },
  [
    searchStudy(raft, {
      id: 'raft/every-schedule',
      origin: ours(RAFT),
      says: 'at most one leader per term, in every schedule of three nodes',
      search: { ids: [1, 2, 3], set: BARE, bound: { term: 1, round: 1 } },
    }),
    twinStudy({
      id: 'raft/durable',
      origin: ours(RAFT),
      says: 'votes must be written to disk before they are sent',
      twin: 'raft-forgetful',
    }),
    twinStudy({
      id: 'raft/majority',
      origin: ours(RAFT),
      says: 'half of the votes are not sufficient',
      twin: 'raft-half',
    }),
    everyRunStudy(raft, {
      id: 'raft/faults',
      origin: ours(RAFT),
      says: 'at most one leader per term under any loss, partition, crash and recovery',
      method: 'share of runs',
      // A run fails if two nodes lead one term, or if no node leads after the faults end.
      grid(experiment) {
        const random = experiment.random('raft');
        return numbered(experiment, experiment.some(60, 600), () => {
          const position = random.below(5);
          const time = random.below(60);
          return {
            nodes: 5,
            schedule: 'random',
            loss: 0.2,
            lossUntil: 100,
            crash: [{ position, time }],
            recover: [{ position, time: time + 1 + random.below(30) }],
            partition: [TWO_PARTS],
            set: { timeout: 6 },
            until: 600,
          };
        });
      },
      confirmed: (runs) =>
        `holds in all ${formatFigure(runs)} elections of five nodes, and one node leads at the end`,
    }),
  ],
);
