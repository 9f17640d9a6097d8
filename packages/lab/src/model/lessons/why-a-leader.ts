import type { RunModel } from '../run/run-model.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { finished, leaderNumber, leaders, leaderText, totalMessages } from './figures.ts';
import type { Lesson, LessonNumber } from './lesson.ts';

const setup: LabSetup = { algorithm: 'chang-roberts', ids: [2, 5, 1, 4, 3] };

function decided(model: RunModel): number {
  return model.snapshot().nodes.filter(({ decision }) => decision !== null).length;
}

function decidedNumber(model: RunModel): LessonNumber {
  return { value: decided(model), text: 'nodes that have decided' };
}

export const whyALeader: Lesson = {
  name: 'why-a-leader',
  title: 'Why a leader',
  shortTitle: 'Why a leader',
  figures: () => ({ messages: totalMessages(finished(setup)) }),
  steps: [
    {
      text: [
        'A cluster of 5 machines has a job that must run on exactly one of them. If each machine decides alone, the job runs several times or not at all. The machines must agree on one: the leader.',
        'A node knows its own id and the messages that it receives. No node sees the whole picture on the right. It must find out by messages whether it leads.',
      ],
      line: 'One node leads, and all nodes know which.',
      notes:
        'Ask for jobs of this kind: a scheduler, a primary database, a lock. Ask what happens if two machines run them.',
      setup,
      numbers: (model) => [leaderNumber(model), decidedNumber(model)],
    },
    {
      text: [
        'An election has two properties. Uniqueness: there are never two leaders. Termination: every node decides, and every follower knows its leader.',
        'Play the election. It takes {messages} messages until a leader is elected. Then the leader announces itself to all nodes.',
      ],
      line: 'Uniqueness: never two leaders. Termination: every node decides.',
      notes:
        'Play it once without a word. Then step back to the moment of the decision, and play the announcement alone.',
      setup,
      numbers: (model) => [leaderNumber(model), decidedNumber(model)],
    },
    {
      text: [
        'The decision and the knowledge of the decision are two moments. Between them a leader exists, and some nodes do not know it. No algorithm can remove this gap: a message takes time.',
      ],
      line: 'A leader exists before all nodes know it.',
      notes:
        'This gap returns in the last lesson: an old leader does not know yet that another node has taken over.',
      setup,
      numbers: (model) => [leaderNumber(model), decidedNumber(model)],
      task: {
        question: 'Stop the run at a moment when one node leads and another node does not know it.',
        goal: (model) => leaders(model).length === 1 && decided(model) < model.plan.nodes,
        feedback: (model) =>
          `${leaderText(model)} ${decided(model)} of ${model.plan.nodes} nodes have decided.`,
        solution: [{ type: 'seek', position: 18 }],
        wrong: [{ type: 'seek', position: 3 }],
      },
    },
  ],
};
