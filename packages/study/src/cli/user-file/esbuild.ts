/** esbuild, an optional dependency: few commands need it, and loading it takes time. */
import { relative } from 'node:path';
import { EnvironmentError } from '@hustings/base';
import { reasonOf } from '@hustings/base/command/exit';
import type { BuildFailure } from 'esbuild';

export async function loadEsbuild(): Promise<typeof import('esbuild')> {
  return import('esbuild').catch((error) => {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') {
      throw new EnvironmentError(`esbuild cannot be loaded: ${reasonOf(error)}`, error);
    }
    throw new EnvironmentError(
      'a file of your own needs the package esbuild, which is not installed: npm install esbuild',
      error,
    );
  });
}

/** The first error with its place, and the number of others. */
export function firstErrorText({ errors }: BuildFailure, path: string): string {
  const [{ text, location }] = errors;
  const place =
    location === null
      ? path
      : `${relative('.', location.file) || location.file}:${location.line}:${location.column + 1}`;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return `${place}: ${text}${more}`;
}
