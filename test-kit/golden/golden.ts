/**
 * Files that are generated and kept: traces, counterexamples, the pages and pictures of docs/. A test makes each again and
 * compares: pictures and pages by structure, all others byte by byte. `npm run generate` writes them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'vitest';
import { structureOf } from './structure.ts';

/** `repair` is the command that writes the file. */
export function expectKept(file: URL, text: string, repair = 'npm run generate'): void {
  const { pathname } = file;
  const kept = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (process.env.HUSTINGS_GOLDEN !== 'rewrite') {
    expect(structureOf(pathname, text), `${pathname}: run ${repair}`).toBe(structureOf(pathname, kept));
  } else if (text !== kept) writeFileSync(file, text);
}
