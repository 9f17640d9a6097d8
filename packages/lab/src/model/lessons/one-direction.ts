import type { RunModel } from '../run/run-model.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { finished, lawOf, leaderNumber, leaders, leaderText, sentNumber, totalMessages } from './figures.ts';
import { type Lesson, type LessonNumber, takes } from './lesson.ts';
import { onRing } from './rings.ts';

const setup = onRing('peterson');
const withoutFifo: LabSetup = {
  algorithm: 'peterson',
  ids: [4, 3, 2, 1],
  schedule: 'random:nofifo',
  despite: ['fifo'],
};

function numbers(model: RunModel): LessonNumber[] {
  const relays = model.snapshot().nodes.filter(({ state }) => state.at === 'relay').length;
  return [
    sentNumber(model),
    { value: lawOf(model, 'election', 'bound'), text: 'at most, 2n(⌊log₂ n⌋+1)' },
    { value: relays, text: 'relay nodes' },
  ];
}

export const oneDirection: Lesson = {
  name: 'one-direction',
  title: 'One direction: Peterson',
  shortTitle: 'One direction',
  figures: () => {
    const model = finished(setup);
    return { messages: totalMessages(model), bound: lawOf(model, 'election', 'bound') };
  },
  steps: [
    {
      text: [
        'Doubling needs answers, so it needs links in both directions. Peterson (1982) needs n log n messages on a one-way ring. The idea: ids move, so that a node can compare three neighbours in one direction.',
        'An active node sends its value, and then the larger of its own value and the value that it received. So it learns whether the value of the previous active node is larger than its own and than that of the active node before. If it is, the node continues with that value. Otherwise it becomes a relay and only forwards.',
      ],
      line: 'Where a node cannot ask back, the ids move forward.',
      notes:
        'The node that ends up active is not the node with the large id. The id is carried by another node.',
      setup,
      numbers,
    },
    {
      text: [
        'Of two neighbouring active nodes at most one stays active, so each phase at least halves their number. A phase costs 2n messages. On this ring: {messages} messages, at most {bound}.',
      ],
      line: 'Each phase halves the number of active nodes.',
      notes: 'Read the relay nodes in the picture after each phase.',
      setup,
      isOver: true,
      numbers,
    },
    {
      text: [
        'The two messages of a phase have the same type. Only their order tells them apart, so Peterson assumes FIFO links. What happens if messages overtake each other?',
        'Below, the links are not FIFO, and some steps have been taken. Id 2 has become a relay, and three messages are on their way to id 1.',
      ],
      line: 'Without FIFO links, two nodes lead.',
      notes:
        'The decisive step is the first: the younger message must overtake the older one. Let the class find it; the checker on the page Check finds it too.',
      setup: withoutFifo,
      opening: [
        ...['id 1 starts', 'id 4 starts', '⟨id⟩ 1 reaches id 4', 'id 3 starts', '⟨id⟩ 4 reaches id 3'],
        ...['⟨id⟩ 4 reaches id 3', 'id 2 starts', '⟨id⟩ 3 reaches id 2', '⟨id⟩ 4 reaches id 2'],
        '⟨id⟩ 4 reaches id 2',
      ],
      controls: { steps: true },
      numbers: (model) => [leaderNumber(model), sentNumber(model)],
      task: {
        question: 'Choose the next deliveries so that two nodes lead.',
        goal: (model) => leaders(model).length > 1,
        feedback: leaderText,
        solution: takes(
          '⟨id⟩ 3 reaches id 1',
          '⟨id⟩ 2 reaches id 1',
          '⟨id⟩ 4 reaches id 1',
          '⟨id⟩ 3 reaches id 4',
          '⟨id⟩ 3 reaches id 4',
          '⟨id⟩ 4 reaches id 4',
          '⟨id⟩ 3 reaches id 3',
        ),
        wrong: takes('⟨id⟩ 2 reaches id 1', '⟨id⟩ 3 reaches id 1', '⟨id⟩ 4 reaches id 1'),
      },
    },
  ],
};
