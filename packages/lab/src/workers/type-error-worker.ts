/**
 * Finds type errors, for one text after the other. It is started as a classic script, which can load the compiler with
 * importScripts; nothing of the text is run.
 */

import { errorMessage } from '@hustings/base';
import type ts from 'typescript6';
import type { TypeReport } from '../model/write/code-problem.ts';
import { type Declarations, typeErrorsBy } from './type-errors.ts';

/** A text, and the address of the script that server/type-checker-script.ts puts together. */
export interface TypesRequest {
  readonly script: string;
  readonly text: string;
}

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<TypesRequest>) => void) | null;
  postMessage(report: TypeReport): void;
  importScripts(url: string): void;
  readonly ts?: typeof ts;
  readonly declarations?: Declarations;
};

let errorsOf: ReturnType<typeof typeErrorsBy> | null | undefined;

scope.onmessage = ({ data: { script, text } }) => {
  try {
    errorsOf ??= load(script);
    scope.postMessage(
      errorsOf === null ? { type: 'missing' } : { type: 'checked', problems: errorsOf(text) },
    );
  } catch (error) {
    scope.postMessage({ type: 'failed', text: errorMessage(error) });
  }
};

/** Null without a compiler. */
function load(script: string): ReturnType<typeof typeErrorsBy> | null {
  try {
    scope.importScripts(script);
  } catch {
    // A web host without the script.
  }
  const { declarations, ts: compiler } = scope;
  return compiler === undefined || declarations === undefined ? null : typeErrorsBy(compiler, declarations);
}
