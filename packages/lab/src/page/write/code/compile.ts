/**
 * TypeScript to a script that the sandbox loads. Types are erased, and lines stay where they are, so that the
 * line of an error in the sandbox is the line in the editor.
 */

import { errorMessage } from '@hustings/base';
import { transform } from 'sucrase';
import type { CodeProblem } from '../../../model/write/code-problem.ts';
import { type HandlerPlace, handlersIn, importProblems, parseSource, statementsIn } from './source-tree.ts';

/** The parameters of the function that the code becomes. The worker gives it to `ownCode`, which calls it. */
export const CODE_PARAMETERS = ['exports', 'require', 'ranLine'] as const;

/** The code for the search, and the same code with a call of `ranLine` before each statement, for replays. */
export interface CompiledCode {
  readonly type: 'compiled';
  readonly plain: string;
  readonly probed: string;
  readonly handlers: readonly HandlerPlace[];
}

export type Compilation =
  | CompiledCode
  | { readonly type: 'refused'; readonly problems: readonly CodeProblem[] };

/** Compiles a source text, or says at which lines it cannot be. */
export function compile(text: string): Compilation {
  const tree = parseSource(text);
  const problems = importProblems(text, tree);
  if (problems.length > 0) return { type: 'refused', problems };
  try {
    return {
      type: 'compiled',
      plain: toFunction(text),
      probed: toFunction(withProbes(text)),
      handlers: handlersIn(text, tree),
    };
  } catch (error) {
    return { type: 'refused', problems: [syntaxProblem(error)] };
  }
}

/** The same text with a call before each statement of a function. No line moves. */
export function withProbes(text: string): string {
  let probed = '';
  let end = 0;
  for (const { line, offset } of statementsIn(text)) {
    probed += `${text.slice(end, offset)}ranLine(${line});`;
    end = offset;
  }
  return probed + text.slice(end);
}

function toFunction(text: string): string {
  const { code } = transform(text, {
    transforms: ['typescript', 'imports'],
    preserveDynamicImport: true,
    disableESTransforms: true,
  });
  return `ownCode(function (${CODE_PARAMETERS.join(', ')}) { 'use strict'; ${code}\n});`;
}

/** Errors of the transpiler end in '(line:column)'. */
function syntaxProblem(error: unknown): CodeProblem {
  const message = errorMessage(error);
  const [, text, line] = /^(?:Error transforming [^:]*: )?(.*?)\s*\((\d+):\d+\)$/s.exec(message) ?? [];
  return { line: Number(line ?? 1), text: text ?? message };
}
