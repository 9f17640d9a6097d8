import { describe, expect, it } from 'vitest';
import { differentStates, leaders, totalMessages } from '../../../src/model/lessons/figures.ts';
import { LESSONS } from '../../../src/model/lessons/index.ts';
import { type Lesson, type LessonStep, takes } from '../../../src/model/lessons/lesson.ts';
import { changeText, readChange } from '../../../src/model/lessons/lesson-change.ts';
import {
  changedSetup,
  lessonText,
  playActs,
  stageModel,
  takeStep,
} from '../../../src/model/lessons/lesson-stage.ts';
import { tokenWays } from '../../../src/model/lessons/token-ways.ts';

const stepsOf = (name: string): readonly LessonStep[] =>
  (LESSONS.find((lesson) => lesson.name === name) as Lesson).steps;

/** Every text that a reader sees. */
const textsOf = ({ line, notes, task, text }: LessonStep): string[] => [
  ...text,
  line,
  notes,
  ...(task === undefined ? [] : [task.question]),
];

describe('the lessons', () => {
  it('are eleven with different names, and each asks a question', () => {
    expect(LESSONS).toHaveLength(11);
    expect(new Set(LESSONS.map(({ name }) => name)).size).toBe(11);
    for (const { name, steps } of LESSONS) {
      expect(steps.length, name).toBeGreaterThan(1);
      expect(
        steps.some(({ task }) => task !== undefined),
        name,
      ).toBe(true);
    }
  });

  it.each(LESSONS)(
    '$name is solved by its own actions, and not before, and not by a wrong one',
    ({ steps }) => {
      for (const step of steps) {
        const { task } = step;
        if (task === undefined) continue;
        expect(task.goal(stageModel(step)), task.question).toBe(false);
        const wrong = playActs(step, task.wrong);
        expect(task.goal(wrong), task.question).toBe(false);
        const right = playActs(step, task.solution);
        expect(task.goal(right), task.question).toBe(true);
        expect(task.feedback(right)).not.toBe(task.feedback(wrong));
        // Each action of the solution is needed: without the last the goal is not reached.
        expect(task.goal(playActs(step, task.solution.slice(0, -1))), task.question).toBe(false);
      }
    },
  );

  it('have links to every setup that a reader can make, which give the same setup', () => {
    const read: unknown[] = [];
    for (const { steps } of LESSONS) {
      for (const step of steps) {
        const choices = (step.controls?.choices ?? []).map(
          (_, choice) => ({ type: 'choose', choice }) as const,
        );
        for (const act of [...(step.task?.solution ?? []), ...(step.task?.wrong ?? []), ...choices]) {
          const changed = changedSetup(step, step.setup, act);
          if (changed === null) continue;
          expect(readChange(step, changeText(act))).toEqual(changed);
          read.push(act.type);
        }
      }
    }
    expect(new Set(read)).toEqual(new Set(['ids', 'seed', 'split', 'choose']));
  });

  it.each([
    ['bully', 2, ['5', '1,0', '0,0', 'x', '', '-1', '0,', '1e3']],
    ['worst-order', 2, ['1,2,3', '1,1,2,3,4,5,6,7', '9999999']],
    ['coin-flips', 2, ['10000', '1,2', '1.5']],
    ['chang-roberts', 1, ['0', '3']],
    ['chang-roberts', 0, ['1']],
  ])('%s, step %i, accepts no link to a setup that no reader can make', (name, at, texts) => {
    for (const text of texts) expect(readChange(stepsOf(name)[at], text), text).toBeNull();
  });

  it.each(LESSONS)(
    '$name shows at most three numbers and facts at every position of its runs',
    ({ steps }) => {
      for (const step of steps) {
        const model = stageModel(step);
        for (let position = 0; position <= model.length; position++) {
          model.seek(position);
          const numbers = step.numbers(model);
          expect(numbers.length).toBeGreaterThan(0);
          expect(numbers.length).toBeLessThanOrEqual(3);
          for (const { value } of numbers) expect(Number.isFinite(value)).toBe(true);
          if (step.task !== undefined) expect(step.task.feedback(model)).toMatch(/^[A-Z0-9].*\.$/);
        }
      }
    },
  );

  it.each(LESSONS)(
    '$name has only numbers that are computed, of its setup, of a formula or a year',
    (lesson) => {
      const figures = lesson.figures();
      for (const step of lesson.steps) {
        const { plan } = stageModel(step);
        const own = [plan.nodes, ...plan.ids, 0, 1, 2];
        for (const text of textsOf(step)) {
          expect(lessonText(text, figures)).not.toMatch(/[{}]|NaN|undefined/);
          const plain = text
            .replace(/\((?:[^()]*, )?(?:[A-Z][^()]* )?(?:19|20)\d\d\)/g, '')
            .replace(/\{\w+\}/g, '');
          const free = plain.match(/(?<![\d^+(/−])\d+(?![\dn^(])/g) ?? [];
          for (const number of free) expect(own, `${text}: ${number}`).toContain(Number(number));
        }
      }
    },
  );
});

describe('the ways of tokens', () => {
  it('have as many hops as the election has messages, and end where a larger id is', () => {
    const model = stageModel(stepsOf('worst-order')[0]);
    const ways = tokenWays(model);
    expect(ways.reduce((sum, { hops }) => sum + hops, 0)).toBe(totalMessages(model));
    expect(ways.map(({ hops, start }) => [model.plan.ids[start], hops]).slice(0, 2)).toEqual([
      [8, 8],
      [7, 3],
    ]);
    expect(ways.filter(({ end }) => end === 'home').map(({ start }) => model.plan.ids[start])).toEqual([8]);
    model.seek(0);
    for (const { end, hops } of tokenWays(model)) expect([end, hops]).toEqual(['moving', 0]);
  });
});

describe('claims of the lessons', () => {
  it('Chang–Roberts costs 36 messages on descending ids, 15 on ascending ones', () => {
    const [, best, worst] = stepsOf('worst-order');
    expect(totalMessages(stageModel(best))).toBe(15);
    expect(totalMessages(playActs(worst, worst.task?.solution ?? []))).toBe(36);
  });

  it('in the anonymous run all states are equal after every round, and in the end all nodes lead', () => {
    const [symmetric, random] = stepsOf('coin-flips');
    const model = stageModel(symmetric);
    for (let position = 0; position <= model.length; position++)
      expect(differentStates(model, position), `position ${position}`).toBe(1);
    model.seek(model.length);
    expect(leaders(model)).toHaveLength(4);
    const broken = stageModel(random);
    expect(differentStates(broken, broken.length)).toBeGreaterThan(1);
    broken.seek(broken.length);
    expect(leaders(broken)).toHaveLength(1);
  });

  it('before the question on FIFO links id 2 is a relay, and three messages are on their way to id 1', () => {
    const { messages, nodes } = stageModel(stepsOf('one-direction')[2]).snapshot();
    expect(nodes.filter(({ state }) => state.at === 'relay').map(({ id }) => id)).toContain(2);
    expect(messages.filter(({ to }) => nodes[to].id === 1)).toHaveLength(3);
  });

  it('only the side with a majority elects in Raft, and both sides elect in the bully', () => {
    const [, split] = stepsOf('majorities');
    expect(leaders(stageModel(split)).map(({ id }) => id)).toEqual([expect.toBeOneOf([3, 4, 5])]);
    const [, , bully] = stepsOf('bully');
    const found = leaders(playActs(bully, bully.task?.solution ?? []));
    expect(found.map(({ id }) => id)).toEqual([2, 4]);
  });

  it('after a split vote the next term can have a leader', () => {
    const step = stepsOf('majorities')[2];
    const model = playActs(step, [
      ...(step.task?.solution ?? []),
      ...takes('timer promise of id 2', 'timer promise of id 3', 'timer election of id 1'),
      ...takes(['requestVote 1', 'reaches id 3', 'to id 1']),
      ...takes(['requestVote 2', 'reaches id 2'], ['requestVote 2', 'reaches id 3']),
    ]);
    // The votes of both terms arrive in order.
    for (let k = 0; k < 5 && leaders(model).length === 0; k++)
      takeStep(model, ['vote', 'granted', 'reaches id 1']);
    expect(leaders(model).map(({ id, state }) => [id, state.term])).toEqual([[1, 2]]);
  });

  it('after a split vote the schedule goes on to a leader of a later term: no timer starves the others', () => {
    const step = stepsOf('majorities')[2];
    const model = playActs(step, step.task?.solution ?? []);
    model.extend();
    const terms = model.steps.flatMap(({ events }) =>
      events.flatMap((event) => (event.type === 'decide' && event.role === 'leader' ? [event.term] : [])),
    );
    expect(terms.length).toBeGreaterThan(0);
    expect(Math.min(...terms)).toBeGreaterThan(1);
  });

  it('the lease in lockstep has no late write, and one leader at the end', () => {
    const [inTime] = stepsOf('late-leader');
    const model = stageModel(inTime);
    model.seek(model.length);
    expect(model.snapshot().nodes[0].state).toMatchObject({ accepted: 2, stale: 0, refused: 0 });
    expect(model.simulatorViolation).toBe(null);
    expect(leaders(model).map(({ id }) => id)).toEqual([2]);
  });
});
