import { capitalized } from '@hustings/base';
import type { RunModel } from '../run/run-model.ts';
import type { RunStep } from '../run/run-step.ts';
import { nodeName } from '../run/step-effect.ts';
import { finished, sentNumber, totalMessages } from './figures.ts';
import type { Lesson } from './lesson.ts';
import { onRing } from './rings.ts';

const LELANN = onRing('lelann');
const CHANG_ROBERTS = onRing('chang-roberts');
const WATCHED = 7;

/** The step at the cursor, if it delivers the watched token. */
function arrival(model: RunModel): { readonly step: RunStep; readonly node: number } | null {
  const step = model.steps[model.position - 1];
  const event = step?.events.find(({ type }) => type === 'deliver');
  if (event?.type !== 'deliver' || event.message.type !== 'token' || event.message.id !== WATCHED)
    return null;
  return { step, node: event.node };
}

export const changRobertsLesson: Lesson = {
  name: 'chang-roberts',
  title: 'LeLann to Chang–Roberts',
  shortTitle: 'Ring',
  figures: () => ({
    lelann: totalMessages(finished(LELANN)),
    changRoberts: totalMessages(finished(CHANG_ROBERTS)),
  }),
  steps: [
    {
      text: [
        'On a one-way ring a node can send only to the next node. LeLann (1977): every node sends its id around the ring as a token and collects all tokens that pass. A node that receives its own token has seen every id. The node with the largest id leads.',
        'Each of the 8 tokens travels 8 hops, in every schedule: {lelann} messages.',
      ],
      line: 'LeLann: every token travels the whole ring.',
      notes: 'Let the class compute the cost before the run ends: n tokens of n hops.',
      setup: LELANN,
      numbers: (model) => [sentNumber(model)],
    },
    {
      text: [
        'Most of these messages are useless. A node that receives a token smaller than its own id knows that the sender of the token cannot win. Chang and Roberts (1979): it discards such a token.',
        'Only the largest token returns to its sender. On the same ring this costs {changRoberts} messages instead of {lelann}. Switch between the two algorithms and compare.',
      ],
      line: 'Chang–Roberts: a node discards a token that is smaller than its own id.',
      notes: 'Switch to LeLann and back at the same step. The number of tokens in flight is the difference.',
      setup: CHANG_ROBERTS,
      controls: {
        choices: [
          { text: 'LeLann', setup: LELANN },
          { text: 'Chang–Roberts', setup: CHANG_ROBERTS },
        ],
      },
      numbers: (model) => [sentNumber(model)],
    },
    {
      text: [
        'Follow a single token. Token 7 starts at id 7. Each node that it reaches compares it with its own id, and forwards it or discards it.',
      ],
      line: 'A token ends at the first larger id.',
      notes: 'Ask for the node before the run: the first larger id after id 7, in the direction of the ring.',
      setup: CHANG_ROBERTS,
      numbers: (model) => [sentNumber(model)],
      task: {
        question: 'Go to the step at which token 7 is discarded.',
        goal: (model) => arrival(model)?.step.effect.kind === 'swallowed',
        feedback: (model) => {
          const found = arrival(model);
          if (found === null) return `The step at the cursor does not move token ${WATCHED}.`;
          const ends = found.step.effect.kind === 'swallowed';
          return capitalized(
            `${nodeName(model.world, found.node)} ${ends ? 'discards' : 'forwards'} token ${WATCHED}.`,
          );
        },
        solution: [{ type: 'seek', position: 21 }],
        wrong: [{ type: 'seek', position: 13 }],
      },
    },
  ],
};
