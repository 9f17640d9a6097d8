/**
 * The module hooks of `hustings run`, which Node calls in a thread of its own: TypeScript is compiled file by file, as the
 * nearest tsconfig.json says, and `hustings` is the running package. Everything else is resolved and loaded as Node does it.
 */
import type { LoadHook, ResolveHook } from 'node:module';
import { fileURLToPath } from 'node:url';
import { type BuildFailure, build } from 'esbuild';
import { firstErrorText } from './esbuild.ts';

/** A package can import itself by name, so its exports decide what there is. */
export const resolve: ResolveHook = (specifier, context, next) =>
  next(
    specifier,
    /^(@hustings\/|hustings(\/|$))/.test(specifier) ? { ...context, parentURL: import.meta.url } : context,
  );

export const load: LoadHook = async (url, context, next) => {
  if (!/^file:.*\.m?ts$/.test(url)) return next(url, context);
  const path = fileURLToPath(url);
  const { outputFiles } = await build({
    entryPoints: [path],
    bundle: false,
    write: false,
    // Beside the source, so that the source map finds it.
    outfile: `${path}.js`,
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    logLevel: 'silent',
  }).catch((error: BuildFailure) => {
    throw new SyntaxError(Array.isArray(error.errors) ? firstErrorText(error, path) : String(error));
  });
  return { format: 'module', source: outputFiles[0].text, shortCircuit: true };
};
