import { capitalized } from '@hustings/base';
import type { RunModel } from '../run/run-model.ts';
import type { LabSetup } from '../setup/lab-setup.ts';
import { differentStates, finished, lawOf, leaderNumber, sentNumber } from './figures.ts';
import type { Lesson, LessonNumber } from './lesson.ts';

const deterministic: LabSetup = { algorithm: 'first-home', nodes: 4 };
const randomized: LabSetup = { algorithm: 'itai-rodeh', nodes: 3, seed: 2, set: { c: 2 } };

function statesNumber(model: RunModel): LessonNumber {
  const value = differentStates(model);
  return { value, text: `different ${value === 1 ? 'state' : 'states'} after the last whole round` };
}

/** What the nodes drew first: their states after all have started. */
function firstDraws(model: RunModel): number[] {
  const draws: number[] = [];
  for (const event of model.events()) {
    if (event.type === 'state' && Number(event.state.round) === 1)
      draws[event.node] ??= Number(event.state.id);
  }
  return draws;
}

export const coinFlips: Lesson = {
  name: 'coin-flips',
  title: 'Anonymity and coin flips',
  shortTitle: 'Coin flips',
  figures: () => ({ expected: lawOf(finished(randomized), 'electedAt', 'mean') }),
  steps: [
    {
      text: [
        'Suppose that the nodes have no ids. All run the same program and start in the same state. Then no deterministic algorithm can elect a leader (Angluin 1980).',
        'The argument: let all nodes act in lockstep. At the start all states are equal. If all states are equal before a round, every node receives the same message, computes the same and sends the same. So all states are equal after the round. If one node becomes the leader, all do.',
        'Play the run and watch the number of different states. It is 1 after every round, and in the end all 4 nodes lead.',
      ],
      line: 'Equal states stay equal: if one node leads, all lead.',
      notes: 'This is an induction over rounds. Stop at each round and read the number before the next one.',
      setup: deterministic,
      numbers: (model) => [statesNumber(model), leaderNumber(model)],
    },
    {
      text: [
        'Random draws break the symmetry. Itai and Rodeh (1981): every active node draws a number and sends it around the ring. If exactly one node has drawn the largest number, it leads. If several have, these draw again.',
        'Here each node draws 1 or 2. Different draws make states different. The average time to a leader is {expected} units; no bound holds for every run.',
      ],
      line: 'Coin flips make equal nodes different.',
      notes: 'Probability 1 is not certainty: there are runs without an end, but their probability is 0.',
      setup: randomized,
      numbers: (model) => [statesNumber(model), leaderNumber(model), sentNumber(model)],
    },
    {
      text: [
        'The draws can also be equal. Then the round changes nothing: all nodes are in the same state as each other, as in the deterministic run, and must draw again. The seed determines the draws.',
      ],
      line: 'Equal draws keep the symmetry for one more round.',
      notes: 'Ask for the probability first, then try some seeds and count.',
      setup: randomized,
      controls: { seed: true },
      numbers: (model) => [statesNumber(model), leaderNumber(model), sentNumber(model)],
      task: {
        question: 'Find a seed with which all nodes draw the same number in the first round.',
        goal: (model) => new Set(firstDraws(model)).size === 1,
        feedback: (model) => {
          const draws = firstDraws(model);
          const rounds = Math.max(
            ...model.events().map((event) => (event.type === 'state' ? Number(event.state.round) : 0)),
          );
          return capitalized(
            `the nodes draw ${draws.join(', ')} in the first round. The run has ${rounds} ${rounds === 1 ? 'round' : 'rounds'}.`,
          );
        },
        solution: [{ type: 'seed', seed: 3 }],
        wrong: [{ type: 'seed', seed: 4 }],
      },
    },
  ],
};
