/**
 * The error of a store whose client library cannot be loaded. It is an optional peer dependency: a missing one gives the line that
 * installs it.
 *
 * Each library is imported as `try { await import('pg') } catch …`, with its name written out: so every bundler includes a library that
 * is installed, and leaves the import of one that is not to run time.
 */
import { StoreError } from '../core/store-error.ts';

/** The codes of Node, and of a bundle of webpack. */
const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/** What to throw when the import has failed. */
export function clientError(error: unknown, name: string, scheme: string): unknown {
  if (!MISSING.includes((error as { code?: string }).code ?? '')) return error;
  const text = `a ${scheme}:// store needs the package ${name}, which is not installed: npm install ${name}`;
  return new StoreError('unusable', text);
}
