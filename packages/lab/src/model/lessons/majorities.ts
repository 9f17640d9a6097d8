import { NONE } from '@hustings/study/kernel';
import type { RunModel } from '../run/run-model.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { countOf, finished, leaderNumber, leaders, leaderText, sentNumber } from './figures.ts';
import { type Lesson, type LessonNumber, takes } from './lesson.ts';

const whole: LabSetup = { algorithm: 'raft', ids: [1, 2, 3, 4, 5], until: 60 };
const split: LabSetup = {
  ...whole,
  partition: [
    {
      groups: [
        [0, 1],
        [2, 3, 4],
      ],
      from: 0,
      until: 1000,
    },
  ],
};
const four: LabSetup = {
  algorithm: 'raft',
  ids: [1, 2, 3, 4],
  schedule: 'random',
  set: { prevote: false },
  until: 100,
};

function termNumber(model: RunModel): LessonNumber {
  const value = Math.max(...model.snapshot().nodes.map(({ state }) => Number(state.term)));
  return { value, text: 'largest term' };
}

/** The votes of term 1, by candidate, in the nodes that are in that term. */
function votes(model: RunModel): Map<number, number> {
  const tally = new Map<number, number>();
  for (const { state } of model.snapshot().nodes) {
    if (state.term !== 1 || state.votedFor === NONE) continue;
    tally.set(Number(state.votedFor), (tally.get(Number(state.votedFor)) ?? 0) + 1);
  }
  return tally;
}

/** Every node has voted in term 1, and no candidate has a majority. */
function isSplitVote(model: RunModel): boolean {
  const tally = [...votes(model).values()];
  const { nodes } = model.plan;
  return tally.reduce((a, b) => a + b, 0) === nodes && tally.every((count) => 2 * count <= nodes);
}

export const majorities: Lesson = {
  name: 'majorities',
  title: 'Majorities: Raft, terms and split votes',
  shortTitle: 'Majorities',
  figures: () => ({ messages: countOf(finished(whole), 'election') }),
  steps: [
    {
      text: [
        'Two sides of a split network must not both elect. Raft (Ongaro, Ousterhout 2014) requires a majority: of 5 nodes, 3 must vote for the leader. Two majorities share a node, and a node votes only once. So there is at most one leader in each term.',
        'Time is divided into terms. A node that hears from no leader until its election timeout starts an election in the next term. Here the election takes {messages} messages; then the leader sends heartbeats.',
      ],
      line: 'Two majorities always share a node.',
      notes: 'Draw two sets of 3 out of 5 on the board: they overlap.',
      setup: whole,
      isOver: true,
      numbers: (model) => [leaderNumber(model), termNumber(model)],
    },
    {
      text: [
        'The same network, split: id 1 and id 2 on one side, id 3, id 4 and id 5 on the other. Only the side with 3 nodes elects a leader. The nodes of the smaller side ask for votes, and receive too few.',
      ],
      line: 'The smaller side elects nobody.',
      notes: 'Compare with the bully on the same split. The price: no side without a majority has a leader.',
      setup: split,
      isOver: true,
      numbers: (model) => [leaderNumber(model), termNumber(model)],
    },
    {
      text: [
        'A majority is not always reached. If several nodes time out before they hear from each other, each votes for itself, and the others divide their votes. Nobody wins the term: a split vote. The next term begins after the next timeout. Random timeouts make it unlikely that this happens often.',
        'Here 4 nodes have started, without pre-votes. You choose when timers fire and messages arrive.',
      ],
      line: 'A split vote costs a term, not safety.',
      notes:
        'Two candidates, two votes each. Then press Play: the schedule goes on, and a later term has a leader.',
      setup: four,
      opening: ['id 1 starts', 'id 2 starts', 'id 3 starts', 'id 4 starts'],
      controls: { steps: true },
      numbers: (model) => [leaderNumber(model), termNumber(model), sentNumber(model)],
      task: {
        question: 'Choose the next steps so that all nodes vote in term 1 and no candidate has a majority.',
        goal: (model) => isSplitVote(model) && leaders(model).length === 0,
        feedback: (model) => {
          const tally = [...votes(model)].map(([id, count]) => `id ${id} has ${count}`);
          const text =
            tally.length === 0 ? 'No node has voted in term 1' : `Votes in term 1: ${tally.join(', ')}`;
          return `${text}. ${leaderText(model)}`;
        },
        solution: takes(
          'timer election of id 1',
          'timer election of id 4',
          ['requestVote', 'reaches id 2', 'to id 1'],
          ['requestVote', 'reaches id 3', 'to id 4'],
        ),
        wrong: takes(
          'timer election of id 1',
          'timer election of id 4',
          ['requestVote', 'reaches id 2', 'to id 1'],
          ['requestVote', 'reaches id 3', 'to id 1'],
        ),
      },
    },
  ],
};
