import { capitalized } from '@hustings/base';
import type { RunModel } from '../run/run-model.ts';
import type { ShownNode } from '../run/run-snapshot.ts';
import { finished, lawOf, namesOf, sentNumber, totalMessages } from './figures.ts';
import type { Lesson, LessonNumber } from './lesson.ts';
import { DESCENDING_IDS, onRing } from './rings.ts';

const setup = onRing('hirschberg-sinclair', DESCENDING_IDS);

/** The nodes that have entered a phase by the cursor. */
function reached(model: RunModel, phase: number): ShownNode[] {
  return model.snapshot().nodes.filter(({ state }) => Number(state.phase) >= phase);
}

function numbers(model: RunModel): LessonNumber[] {
  return [
    sentNumber(model),
    { value: reached(model, 1).length, text: 'entered phase 1' },
    { value: lawOf(model, 'election', 'bound'), text: 'messages at most, 8n + 8n⌈log₂ n⌉' },
  ];
}

export const doubling: Lesson = {
  name: 'doubling',
  title: 'Doubling: Hirschberg–Sinclair',
  shortTitle: 'Doubling',
  figures: () => {
    const model = finished(setup);
    return {
      messages: totalMessages(model),
      bound: lawOf(model, 'election', 'bound'),
      changRoberts: totalMessages(finished(onRing('chang-roberts', DESCENDING_IDS))),
    };
  },
  steps: [
    {
      text: [
        'Can an election avoid n² messages for every order of the ids? Hirschberg and Sinclair (1980) use links in both directions. A candidate first asks only its two neighbours, then the nodes within distance 2, then within distance 4. Each phase doubles the distance.',
        'A probe that meets a larger id is discarded. A probe that reaches its distance is answered. A candidate with answers from both sides enters the next phase.',
      ],
      line: 'Ask near nodes first, and double the distance.',
      notes: 'Step through phase 0 by single steps: probe, reply, and the probes that end.',
      setup,
      numbers,
    },
    {
      text: [
        'A candidate in phase i is the largest within 2^(i−1) nodes on both sides. So candidates of a late phase are far from each other, and there are few of them. Long probes are rare.',
        'The bound is 8n + 8n⌈log₂ n⌉, here {bound} messages. For 8 nodes that is more than the worst case of Chang–Roberts, {changRoberts}: n log n wins only on large rings. This order of the ids costs {messages}.',
      ],
      line: 'Few candidates survive, and long probes are rare.',
      notes: 'Open Compare with both algorithms and descending ids to show where the curves cross.',
      setup,
      isOver: true,
      numbers,
    },
    {
      text: [
        'Of two neighbours only one can survive phase 0. So at most half of all nodes enter phase 1. With descending ids only the largest id survives, because every other node has a larger neighbour.',
      ],
      line: 'At most half of the candidates survive a phase.',
      notes: 'The argument is local: of two neighbours the smaller one never enters phase 1.',
      setup,
      isOver: true,
      controls: { ids: true },
      numbers,
      task: {
        question: 'Reorder the ids so that as many nodes as possible enter phase 1.',
        goal: (model) => reached(model, 1).length === model.plan.nodes / 2,
        feedback: (model) => {
          const found = reached(model, 1);
          if (found.length === 0) return 'At the cursor no node has entered phase 1.';
          return `${capitalized(namesOf(model, found))} entered phase 1: ${found.length} of ${model.plan.nodes} nodes.`;
        },
        solution: [{ type: 'ids', ids: [8, 1, 7, 2, 6, 3, 5, 4] }],
        wrong: [{ type: 'ids', ids: [8, 1, 7, 6, 2, 3, 5, 4] }],
      },
    },
  ],
};
