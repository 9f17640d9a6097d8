/** The run of a lesson's step, and the actions of the reader on it. */
import { InputError } from '@hustings/study/kernel';
import type { EnabledStep } from '../run/enabled-steps.ts';
import { RunModel } from '../run/run-model.ts';
import { algorithmOf, type LabSetup, optionsOf } from '../setup/lab-setup.ts';
import type { Lesson, LessonAct, LessonStep } from './lesson.ts';

/** A split network stays split for longer than any run of a lesson. */
const SPLIT_UNITS = 1_000_000;

/** The run of a step in a setup, before its opening. */
export function bareModel({ algorithm }: LessonStep, setup: LabSetup): RunModel {
  return RunModel.of(algorithm ?? algorithmOf(setup), optionsOf(setup));
}

/** The run of a step in a setup, after its opening. */
export function stageModel(step: LessonStep, setup: LabSetup = step.setup): RunModel {
  const model = bareModel(step, setup);
  model.seek(step.isOver === true ? model.length : 0);
  for (const text of step.opening ?? []) takeStep(model, [text]);
  return model;
}

/** The setup after an action; null if the action is on the run. */
export function changedSetup({ controls }: LessonStep, setup: LabSetup, act: LessonAct): LabSetup | null {
  if (act.type === 'choose') return controls?.choices?.[act.choice]?.setup ?? null;
  if (act.type === 'ids') return { ...setup, ids: act.ids };
  if (act.type === 'seed') return { ...setup, seed: act.seed };
  if (act.type === 'split') return splitSetup(setup, act.nodes);
  return null;
}

/** A setup in which some positions are separated from the others during the whole run. */
function splitSetup({ partition: _, despite: __, ...setup }: LabSetup, nodes: readonly number[]): LabSetup {
  const n = Array.isArray(setup.ids) ? setup.ids.length : Number(setup.nodes);
  const others = Array.from({ length: n }, (_, at) => at).filter((at) => !nodes.includes(at));
  if (nodes.length === 0 || others.length === 0) return setup;
  return {
    ...setup,
    partition: [{ groups: [nodes, others], from: 0, until: SPLIT_UNITS }],
    despite: ['partition'],
  };
}

/** Takes the first of the next steps whose text and effect contain all parts. */
export function takeStep(model: RunModel, parts: readonly string[]): void {
  const fits = ({ effect, text }: EnabledStep): boolean =>
    parts.every((part) => `${text} ${effect}`.includes(part));
  const found = model.enabled().find(fits);
  if (found === undefined) throw new InputError(`no next step has the text '${parts.join(' … ')}'`);
  model.take(found.step);
}

/** A step with the actions of a reader: the run that they lead to. */
export function playActs(step: LessonStep, acts: readonly LessonAct[]): RunModel {
  let setup = step.setup;
  let model = stageModel(step);
  for (const act of acts) {
    const changed = changedSetup(step, setup, act);
    if (changed !== null) {
      setup = changed;
      model = stageModel(step, setup);
    } else if (act.type === 'seek') model.seek(act.position);
    else if (act.type === 'take') takeStep(model, act.parts);
  }
  return model;
}

/** A text of a lesson with the values of its figures. */
export function lessonText(text: string, figures: ReturnType<Lesson['figures']>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!Object.hasOwn(figures, name)) throw new RangeError(`the lesson has no figure '${name}'`);
    return figureText(figures[name]);
  });
}

/** At most one decimal. */
export function figureText(value: number): string {
  return String(Math.round(10 * value) / 10);
}
