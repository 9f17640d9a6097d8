import type { LabSetup } from '../setup/lab-setup.ts';
import { countOf, finished, leaderNumber, leaders, leaderText, sentNumber } from './figures.ts';
import type { Lesson } from './lesson.ts';

const setup: LabSetup = { algorithm: 'bully', ids: [1, 2, 3, 4, 5] };

export const bullyLesson: Lesson = {
  name: 'bully',
  title: 'The bully, timeouts and a split network',
  shortTitle: 'Bully',
  figures: () => {
    const model = finished(setup);
    return {
      messages: countOf(model, 'election') + countOf(model, 'announcement'),
      electedAt: countOf(model, 'electedAt'),
      timeout: Number(model.plan.params.timeout),
    };
  },
  steps: [
    {
      text: [
        'Now nodes crash. In this network every node can send to every other, and all ids are known. Id 5 was the coordinator and has crashed. The others have detected it.',
        'The bully algorithm (Garcia-Molina 1982): a node calls all larger ids. A larger node that is alive answers, and calls the nodes above it. A node that receives no answer is the largest that is alive: it becomes the coordinator and tells all smaller ids. Here that takes {messages} messages.',
      ],
      line: 'The largest node that is alive bullies its way to the top.',
      notes: 'Step to the call of id 4. It has one larger id to call, and that one has crashed.',
      setup,
      numbers: (model) => [leaderNumber(model), sentNumber(model)],
    },
    {
      text: [
        'How does id 4 know that id 5 has crashed? It waits. A round trip takes at most T = {timeout} units, so no answer within T means that the other node has crashed. Id 4 is elected at time {electedAt}.',
        'This conclusion holds only if delays are bounded. A timeout cannot tell a crashed node from a slow link or from a link that is cut.',
      ],
      line: 'A timeout cannot tell a crash from a slow or broken link.',
      notes:
        'This is the step from an algorithm that is correct to a system that is not: the bound is an assumption.',
      setup,
      isOver: true,
      numbers: (model) => [leaderNumber(model), sentNumber(model)],
    },
    {
      text: [
        'A switch fails, and the network splits into two sides. No message passes from one side to the other. Each side takes the silence of the other for crashes.',
      ],
      line: 'A split network elects a leader on each side.',
      notes:
        'Split brain. Ask what both leaders would do to one database. The next lesson prevents it: one side must know that it is too small.',
      setup,
      isOver: true,
      controls: { split: true },
      numbers: (model) => [leaderNumber(model), sentNumber(model)],
      task: {
        question: 'Split the network so that two nodes lead.',
        goal: (model) => leaders(model).length > 1,
        feedback: leaderText,
        solution: [{ type: 'split', nodes: [0, 1] }],
        wrong: [{ type: 'split', nodes: [4] }],
      },
    },
  ],
};
