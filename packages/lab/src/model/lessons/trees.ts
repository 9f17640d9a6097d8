import type { RunModel } from '../run/run-model.ts';
import { nodeName } from '../run/step-effect.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { countOf, finished, sentNumber } from './figures.ts';
import { type Lesson, type LessonNumber, takes } from './lesson.ts';

const tree: LabSetup = { algorithm: 'tree-election', topology: 'tree', ids: [4, 2, 7, 1, 6, 3, 5] };
const line: LabSetup = {
  algorithm: 'tree-election',
  topology: 'line',
  ids: [2, 5, 1, 4, 3],
  initiators: [2],
  schedule: 'random:nofifo',
};

/** The link on which two contractions meet: one was sent in each direction. */
function centre(model: RunModel): readonly [from: number, to: number] | null {
  const trace = model.trace();
  const sent = new Set<string>();
  for (const event of trace.events('units').slice(0, trace.eventsBefore(model.position))) {
    if (event.type !== 'send' || event.message.type !== 'contraction') continue;
    if (sent.has(`${event.to}-${event.node}`)) return [event.node, event.to];
    sent.add(`${event.node}-${event.to}`);
  }
  return null;
}

function numbers(model: RunModel): LessonNumber[] {
  return [sentNumber(model), { value: countOf(model, { messages: 'contraction' }), text: 'contractions' }];
}

export const trees: Lesson = {
  name: 'trees',
  title: 'Trees and waves',
  shortTitle: 'Trees',
  figures: () => {
    const model = finished(tree);
    return { messages: countOf(model, 'election') + countOf(model, 'announcement') };
  },
  steps: [
    {
      text: [
        'On a tree an election needs a number of messages that is linear in n, without phases. It is a wave in three parts. Explosion: the initiators wake all nodes. Contraction: every leaf sends its id, and an inner node that has heard from all neighbours but one sends the largest id to that one. Information: the result is announced.',
        'On this tree with 7 nodes that all initiate, the three parts take {messages} messages, in every schedule.',
      ],
      line: 'A wave goes out, comes back, and brings the largest id.',
      notes: 'Point at a leaf: it needs no message to begin with the contraction.',
      setup: tree,
      numbers,
    },
    {
      text: [
        'The contraction moves from the leaves inwards, and on exactly one link two contractions meet. Both ends of this link then know the largest id. The link is the centre of the wave. It need not be the centre of the tree: the schedule decides where it is.',
        'Here id 1 in the middle of a line has started, and the explosion is over. The leaves have sent their contractions.',
      ],
      line: 'Two contractions meet on one link. The schedule decides on which.',
      notes:
        'Hold back one message. In an asynchronous network a message may take any finite time, and the election still succeeds.',
      setup: line,
      opening: [
        ...['id 1 starts', 'explosion reaches id 5', 'explosion reaches id 4'],
        ...['explosion reaches id 2', 'explosion reaches id 3'],
      ],
      controls: { steps: true },
      numbers,
      task: {
        question: 'Choose the next deliveries so that the contractions meet between id 2 and id 5.',
        goal: (model) => centre(model)?.includes(0) === true,
        feedback: (model) => {
          const found = centre(model);
          if (found === null) return 'No two contractions have met yet.';
          const [a, b] = found.map((at) => nodeName(model.world, at));
          return `The contractions meet between ${a} and ${b}.`;
        },
        solution: takes(
          'contraction 3 reaches id 4',
          'contraction 4 reaches id 1',
          'contraction 4 reaches id 5',
        ),
        wrong: takes('contraction 2 reaches id 5', 'contraction 3 reaches id 4'),
      },
    },
  ],
};
