/**
 * Lessons as data: text, a run, and a question that the reader answers by acting on the run.
 *
 * Guarantees: a number in braces in a text is computed from runs; every other number in a text is one of its setup. A goal
 * is a predicate over the run, so any way that reaches it counts.
 */
import type { AnyAlgorithm } from '@hustings/study/kernel';
import type { RunModel } from '../run/run-model.ts';
import type { LabSetup } from '../setup/lab-setup.ts';

/** A lesson: some steps, at least one with a question. */
export interface Lesson {
  /** Its name in links. */
  readonly name: string;
  readonly title: string;
  /** For the bar of all lessons. */
  readonly shortTitle: string;
  /** The values of the names in braces. They are computed from runs. */
  readonly figures: () => Readonly<Record<string, number>>;
  readonly steps: readonly LessonStep[];
}

/** A part of a lesson: what the reader sees at once. */
export interface LessonStep {
  /** Paragraphs. A name in braces is a figure of the lesson. */
  readonly text: readonly string[];
  /** The sentence that a presenter shows. */
  readonly line: string;
  /** What the presenter says. */
  readonly notes: string;
  readonly setup: LabSetup;
  /** An algorithm that is not in the catalogue, instead of that of the setup. */
  readonly algorithm?: AnyAlgorithm;
  /** The steps that are taken before the reader acts, by their texts. */
  readonly opening?: readonly string[];
  /** The cursor begins at the end of the run. */
  readonly isOver?: boolean;
  readonly controls?: LessonControls;
  /** The ways of the tokens are drawn inside the ring, instead of the space-time diagram. */
  readonly showsWays?: boolean;
  /** At most three numbers of the run at its cursor. */
  readonly numbers: (model: RunModel) => readonly LessonNumber[];
  readonly task?: LessonTask;
}

/** What the reader can change beside the cursor. */
export interface LessonControls {
  /** The order of the ids. */
  readonly ids?: boolean;
  readonly seed?: boolean;
  /** The next step is chosen by the reader. */
  readonly steps?: boolean;
  /** The nodes on one side of a split network. */
  readonly split?: boolean;
  /** Setups to choose from. */
  readonly choices?: readonly { readonly text: string; readonly setup: LabSetup }[];
}

export interface LessonNumber {
  readonly value: number;
  readonly text: string;
}

/** A question that the reader answers by acting. */
export interface LessonTask {
  readonly question: string;
  readonly goal: (model: RunModel) => boolean;
  /** Facts about the run, for answers that are wrong too. */
  readonly feedback: (model: RunModel) => string;
  /** Actions that reach the goal. */
  readonly solution: readonly LessonAct[];
  /** Actions that do not. */
  readonly wrong: readonly LessonAct[];
}

/** What a reader does: with the cursor, with the next steps, or with the setup. */
export type LessonAct =
  | { readonly type: 'seek'; readonly position: number }
  /** Takes the first of the next steps whose text and effect contain all parts. */
  | { readonly type: 'take'; readonly parts: readonly string[] }
  | { readonly type: 'ids'; readonly ids: readonly number[] }
  | { readonly type: 'seed'; readonly seed: number }
  /** Separates these positions from the others. */
  | { readonly type: 'split'; readonly nodes: readonly number[] }
  /** Takes one of the offered setups. */
  | { readonly type: 'choose'; readonly choice: number };

/** Acts that take the next steps with these texts. */
export function takes(...texts: readonly (string | readonly string[])[]): LessonAct[] {
  return texts.map((parts) => ({ type: 'take', parts: typeof parts === 'string' ? [parts] : parts }));
}
