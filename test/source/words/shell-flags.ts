/**
 * Shell flags in the texts of the library. An error names a remedy by its option, and the command line writes the flag.
 * Exempt are the command line itself, and the places that print a whole command: the line that replays a run, the search
 * that replaces a calculation, and the report of claims. It and the page of the lab also have style variables.
 */
import { lineAt } from '../scan.ts';
import type { SourceFile } from '../source-file.ts';

const EXEMPT = [
  'packages/base/src/command/',
  'packages/hustings/src/supervisor/',
  'packages/claims/src/',
  'packages/lab/src/page/',
  'packages/study/src/simulator/plan/replay-line.ts',
  'packages/study/src/checker/probability/lockstep-chain.ts',
];

const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm;

export function shellFlags(files: readonly SourceFile[]): string[] {
  return files
    .filter(
      ({ path }) =>
        /^packages\/\w+\/src\/(?!cli\/)/.test(path) && !EXEMPT.some((each) => path.startsWith(each)),
    )
    .flatMap(({ path, text }) => {
      const code = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));
      return [...code.matchAll(/(?<=[\s'"`(])--[a-z][\w-]*/g)].map(
        ({ 0: flag, index }) => `${path}:${lineAt(code, index)} writes ${flag}`,
      );
    });
}
