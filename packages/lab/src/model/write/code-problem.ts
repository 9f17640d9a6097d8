/** What is wrong with a source text, by line. */

/** A problem at a line, counted from 1. */
export interface CodeProblem {
  readonly line: number;
  readonly text: string;
}

/** What TypeScript says of a text. Type errors do not stop a run: types are erased before it. */
export type TypeReport =
  | { readonly type: 'checked'; readonly problems: readonly CodeProblem[] }
  /** No TypeScript with a JavaScript API is installed where the page comes from. */
  | { readonly type: 'missing' }
  | { readonly type: 'failed'; readonly text: string };
