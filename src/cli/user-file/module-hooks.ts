/**
 * The module hooks of `hustings run`, which Node calls in a thread of its own: TypeScript is compiled file by file, and
 * `hustings` is the running package. Everything else is resolved and loaded as Node does it.
 */
import { readFile } from 'node:fs/promises';
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BuildFailure, transform } from 'esbuild';
import { firstErrorText } from './esbuild.ts';

/** A package can import itself by name, so its exports decide what there is. */
export const resolve: ResolveHook = (specifier, context, next) =>
  next(specifier, /^hustings(\/|$)/.test(specifier) ? { ...context, parentURL: import.meta.url } : context);

export const load: LoadHook = async (url, context, next) => {
  if (!/^file:.*\.m?ts$/.test(url)) return next(url, context);
  const sourcefile = fileURLToPath(url);
  const { code } = await transform(await readFile(sourcefile, 'utf8'), {
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    sourcefile,
  }).catch((error: BuildFailure) => {
    throw new SyntaxError(Array.isArray(error.errors) ? firstErrorText(error, sourcefile) : String(error));
  });
  return { format: 'module', source: code, shortCircuit: true };
};
