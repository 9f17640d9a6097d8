import { scan } from './scan.ts';
import type { SourceFile } from './source-file.ts';

/** The files that may start a process by themselves: each of them gives it a limit. */
const STARTERS: readonly string[] = [
  'scripts/lab-pictures.mjs',
  'scripts/limited.mjs',
  'scripts/test.mjs',
  'test-kit/limits/child-process.ts',
  // It stands still on purpose.
  'test-kit/limits/hanging/child.hang.ts',
];

const IMPORT = /import\s+(?!type\b)[^;]*?from\s*(?=')/g;
const CALL = /(?:\bimport|\brequire)\s*\(\s*(?=')/g;

/** The test files and scripts that start a process without the limit of test-kit/limits/child-process.ts. */
export function unlimitedProcesses(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => !STARTERS.includes(path))
    .filter(({ text }) => {
      const { code, strings } = scan(text);
      return [IMPORT, CALL].some((pattern) =>
        [...code.matchAll(pattern)].some(({ 0: match, index }) =>
          /^(node:)?child_process$/.test(strings.get(index + match.length) ?? ''),
        ),
      );
    })
    .map(({ path }) => `${path} starts a process without a limit: use test-kit/limits/child-process.ts`);
}
