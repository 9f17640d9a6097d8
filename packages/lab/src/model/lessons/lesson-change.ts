/**
 * What a reader has changed in the setup of a step, as the parameter `change` of a link: ids by position, a seed, the
 * positions of one side of a split, or the number of a choice. Which of them follows from the controls of the step.
 */
import type { LabSetup } from '../setup/lab-setup.ts';
import type { LessonAct, LessonStep } from './lesson.ts';
import { changedSetup, stageModel } from './lesson-stage.ts';

/** The largest seed that the page offers. */
export const MAX_SEED = 9999;

/** The parameter after an action; undefined if the setup is that of the lesson. */
export function changeText(act: LessonAct): string | undefined {
  switch (act.type) {
    case 'ids':
      return act.ids.join(',');
    case 'seed':
      return String(act.seed);
    case 'split':
      return act.nodes.length === 0 ? undefined : act.nodes.join(',');
    case 'choose':
      return String(act.choice + 1);
    default:
      return undefined;
  }
}

/** The setup that a link gives to a step; null if the parameter does not fit the step. */
export function readChange(step: LessonStep, text: string | undefined): LabSetup | null {
  if (text === undefined) return step.setup;
  const act = /^\d{1,6}(,\d{1,6})*$/.test(text) ? actOf(step, text.split(',').map(Number)) : null;
  return act === null ? null : changedSetup(step, step.setup, act);
}

function actOf(step: LessonStep, values: readonly number[]): LessonAct | null {
  const { choices = [], ids, seed, split } = step.controls ?? {};
  const [first] = values;
  const isOne = values.length === 1;
  if (seed === true) return isOne && first <= MAX_SEED ? { type: 'seed', seed: first } : null;
  if (choices.length > 0)
    return isOne && first >= 1 && first <= choices.length ? { type: 'choose', choice: first - 1 } : null;
  if (ids !== true && split !== true) return null;
  const { plan } = stageModel(step);
  if (ids === true) return sorted(values) === sorted([...plan.ids]) ? { type: 'ids', ids: values } : null;
  const isSide = values.every((at, k) => at < plan.nodes && (k === 0 || values[k - 1] < at));
  return isSide ? { type: 'split', nodes: values } : null;
}

const sorted = (values: readonly number[]): string => [...values].sort((a, b) => a - b).join();
