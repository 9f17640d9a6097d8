import { createContext, runInContext } from 'node:vm';
import type ts from 'typescript6';
import { typeCheckerScript } from '../../src/server/type-checker-script.ts';
import { type Declarations, typeErrorsBy } from '../../src/workers/type-errors.ts';

let loaded: Promise<ReturnType<typeof typeErrorsBy>> | undefined;

/** Loads the script as a worker does: it has neither modules nor anything of Node. Once, because it takes seconds. */
export function loadTypeErrors(): Promise<ReturnType<typeof typeErrorsBy>> {
  loaded ??= load();
  return loaded;
}

async function load(): Promise<ReturnType<typeof typeErrorsBy>> {
  const scope: { self?: object; ts?: typeof ts; declarations?: Declarations } = {};
  scope.self = scope;
  runInContext(await typeCheckerScript(), createContext(scope));
  if (scope.ts === undefined || scope.declarations === undefined) throw new Error('the script is empty');
  return typeErrorsBy(scope.ts, scope.declarations);
}
