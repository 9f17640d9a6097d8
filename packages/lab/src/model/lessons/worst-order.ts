import type { RunModel } from '../run/run-model.ts';
import { finished, lawOf, sentNumber, totalMessages } from './figures.ts';
import type { Lesson, LessonNumber } from './lesson.ts';
import { DESCENDING_IDS, onRing, RING_IDS } from './rings.ts';

const ASCENDING_IDS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
const setup = onRing('chang-roberts');

/** Over all orders. The law applies to a run with ids in random order. */
const MEAN = lawOf(finished(setup), 'election', 'mean');

function laws(model: RunModel): LessonNumber[] {
  return [
    sentNumber(model),
    { value: lawOf(model, 'election', 'bound'), text: 'at most, n(n+1)/2' },
    { value: MEAN, text: 'on average, n·Hₙ' },
  ];
}

/** The number of nodes that a token reaches, until a larger id or its owner. */
function hopsOf(ids: ArrayLike<number>, at: number): number {
  for (let hops = 1; ; hops++) if (ids[(at + hops) % ids.length] >= ids[at]) return hops;
}

/** The token that travels least compared with what it could. */
function shortestToken(model: RunModel): string {
  const { ids } = model.plan;
  const all = Array.from(ids, (id, at) => ({ id, hops: hopsOf(ids, at) })).filter(({ id }) => id > 1);
  const least = all.reduce((one, other) => (other.hops - other.id < one.hops - one.id ? other : one));
  if (least.hops === least.id) return 'Every token travels as far as its id is large.';
  return `Token ${least.id} ends after ${least.hops} ${least.hops === 1 ? 'hop' : 'hops'}.`;
}

export const worstOrder: Lesson = {
  name: 'worst-order',
  title: 'The order that costs n²',
  shortTitle: 'Worst order',
  figures: () => {
    const model = finished(setup);
    return {
      messages: totalMessages(model),
      best: totalMessages(finished(onRing('chang-roberts', ASCENDING_IDS))),
      mean: MEAN,
      worst: lawOf(model, 'election', 'bound'),
    };
  },
  steps: [
    {
      text: [
        'A token travels until it meets a larger id. How far that is depends on the order of the ids around the ring, and on nothing else: no schedule changes it.',
        'Each arc inside the ring is the way of one token. It starts at the owner of the token and ends in a bar where the token is discarded. With this order of the ids the election costs {messages} messages.',
      ],
      line: 'The order of the ids decides what the election costs.',
      notes: 'Change the schedule on the page Run: the time changes, the count does not.',
      setup,
      isOver: true,
      showsWays: true,
      numbers: laws,
    },
    {
      text: [
        'If the ids ascend in the direction of the ring, every token but the largest ends after one hop: {best} messages, which is 2n−1. Over all orders the average is n·Hₙ, here {mean}, where Hₙ = 1 + 1/2 + … + 1/n grows like the logarithm of n.',
      ],
      line: 'Ascending ids are the best case: 2n−1 messages.',
      notes: 'Every token but the largest ends at its first hop. Sum: n−1 hops and n hops of the winner.',
      setup: onRing('chang-roberts', ASCENDING_IDS),
      isOver: true,
      showsWays: true,
      numbers: laws,
    },
    {
      text: [
        'In the worst case every token travels as far as it can. Token 8 travels 8 hops. Token 7 can travel at most 7 hops, because it ends at id 8. And so on: 8 + 7 + … + 1 messages, which is n(n+1)/2.',
      ],
      line: 'In the worst case token k travels k hops.',
      notes:
        'Let the class reorder the ids. The question to ask: which node should stand directly after id 8, so that its token travels furthest?',
      setup: onRing('chang-roberts', RING_IDS),
      isOver: true,
      showsWays: true,
      controls: { ids: true },
      numbers: laws,
      task: {
        question: 'Reorder the ids so that the election costs as many messages as possible.',
        goal: (model) => totalMessages(model) === lawOf(model, 'election', 'bound'),
        feedback: (model) =>
          `${totalMessages(model)} of ${lawOf(model, 'election', 'bound')} messages. ${shortestToken(model)}`,
        solution: [{ type: 'ids', ids: DESCENDING_IDS }],
        wrong: [{ type: 'ids', ids: [8, 7, 6, 5, 4, 3, 1, 2] }],
      },
    },
  ],
};
