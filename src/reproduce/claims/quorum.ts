/** Elections by majority: Raft. */
import { raft } from '../../algorithms/quorum/raft.ts';
import { formatFigure } from '../../kernel/law-text.ts';
import { type Row, study } from '../claim.ts';
import { lawStudy } from '../law-study.ts';
import { searchStudy, twinStudy } from '../search.ts';

const RAFT = 'D. Ongaro, J. Ousterhout: In search of an understandable consensus algorithm, 2014';
/** Votes only: the other parameters only make elections rarer. */
const BARE = { spread: 0, prevote: false, checkQuorum: false, lease: false };

export const raftRow: Row = {
  name: 'raft',
  title: raft.title,
  studies: [
    lawStudy(raft, {
      source: `${RAFT}; the figures follow from its rules`,
      grid: function* (experiment) {
        for (const nodes of experiment.quick ? [1, 2, 3, 5, 8] : [1, 2, 3, 5, 8, 16, 32]) {
          for (const set of [{ spread: 0 }, { spread: 0, prevote: false }, {}]) {
            yield { nodes, seed: experiment.seedOf(nodes), initiators: [nodes - 1], set };
          }
        }
      },
      means: function* (experiment) {
        for (let index = 0; index < experiment.some(150, 1000); index++) {
          yield { nodes: 5, seed: experiment.seedOf(index), initiators: [0], set: { spread: 8 } };
        }
      },
      tolerance: {
        text: 'timeouts are drawn in whole units: a deviation of half a unit is allowed',
        within: () => 0.5,
      },
    }),
    searchStudy(
      {
        id: 'raft/every-schedule',
        source: RAFT,
        says: 'at most one leader per term, in every schedule of three nodes',
      },
      raft,
      { ids: [1, 2, 3], set: BARE, bound: { term: 1, round: 1 } },
    ),
    twinStudy(
      { id: 'raft/durable', source: RAFT, says: 'votes must be written to disk before they are sent' },
      'raft-forgetful',
    ),
    twinStudy(
      { id: 'raft/majority', source: RAFT, says: 'half of the votes are not sufficient' },
      'raft-half',
    ),
    study(
      {
        id: 'raft/faults',
        source: RAFT,
        says: 'at most one leader per term under any loss, partition, crash and recovery',
        method: 'share of runs',
      },
      (experiment) => {
        const runs = experiment.some(60, 600);
        const random = experiment.random('raft');
        for (let index = 0; index < runs; index++) {
          const down = random.below(5);
          const time = random.below(60);
          // Throws if two nodes lead one term, or if no node leads after the faults end.
          experiment.outcome(raft, {
            nodes: 5,
            seed: experiment.seedOf(index),
            schedule: 'random',
            loss: 0.2,
            lossUntil: 100,
            crash: [{ position: down, time }],
            recover: [{ position: down, time: time + 1 + random.below(30) }],
            partition: [
              {
                groups: [
                  [0, 1],
                  [2, 3, 4],
                ],
                from: 30,
                until: 70,
              },
            ],
            set: { timeout: 6 },
            until: 600,
          });
        }
        return {
          verdict: 'confirmed',
          measured: `holds in all ${formatFigure(runs)} elections of five nodes, and one node leads at the end`,
        };
      },
    ),
  ],
};
