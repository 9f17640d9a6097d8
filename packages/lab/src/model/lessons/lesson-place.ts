/** Where a reader is in the lessons: the parameters `lesson` and `step` of a link. */
import type { ExtraParameters } from '../setup/url-state.ts';
import { LESSONS } from './index.ts';
import type { Lesson, LessonStep } from './lesson.ts';

/** A step of a lesson. Both numbers begin at 0. */
export interface LessonPlace {
  readonly lesson: number;
  readonly step: number;
}

/** A link without any of the parameters of a lesson: place, changed setup, cursor and steps of the reader. */
export const NO_PLACE = {
  ...{ lesson: undefined, step: undefined, change: undefined, t: undefined, br: undefined },
} as const;

/** The place that a link names; null without a lesson. A step that the lesson does not have is its first. */
export function readPlace({ lesson: name, step }: ExtraParameters): LessonPlace | null {
  const lesson = LESSONS.findIndex((each) => each.name === name);
  if (lesson < 0) return null;
  const number = Number(step ?? 1);
  const isStep = Number.isInteger(number) && number >= 1 && number <= LESSONS[lesson].steps.length;
  return { lesson, step: isStep ? number - 1 : 0 };
}

/** The parameters of a link to a place, with the setup of the lesson. */
export function placeParameters({ lesson, step }: LessonPlace): ExtraParameters {
  const number = step === 0 ? undefined : String(step + 1);
  return { ...NO_PLACE, lesson: LESSONS[lesson].name, step: number };
}

/** The next (1) or previous (−1) step, in another lesson if need be; null at the ends. */
export function neighbourPlace({ lesson, step }: LessonPlace, by: 1 | -1): LessonPlace | null {
  const near = step + by;
  if (near >= 0 && near < LESSONS[lesson].steps.length) return { lesson, step: near };
  const other = lesson + by;
  if (other < 0 || other >= LESSONS.length) return null;
  return { lesson: other, step: by === 1 ? 0 : LESSONS[other].steps.length - 1 };
}

export function lessonAt({ lesson, step }: LessonPlace): {
  readonly lesson: Lesson;
  readonly step: LessonStep;
} {
  return { lesson: LESSONS[lesson], step: LESSONS[lesson].steps[step] };
}

/** The name under which a solved question is remembered. */
export function placeName({ lesson, step }: LessonPlace): string {
  return `${LESSONS[lesson].name}.${step + 1}`;
}
