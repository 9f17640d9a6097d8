/**
 * The texts of claims speak of the sources and of what was measured. A sentence about hustings belongs to docs/guarantees.md,
 * which tests read. A command and a page may be named.
 */
import { VERB_NAMES } from '../../../packages/hustings/src/cli/installed-verbs.ts';
import { lineAt } from '../scan.ts';
import type { SourceFile } from '../source-file.ts';

const FOLDERS = ['packages/claims/src/claims/', 'packages/claims/src/studies/'];
const COMMENT = /\/\*[\s\S]*?\*\/|^\s*\/\/[^\n]*/gm;
const PROJECT = new RegExp(
  `(?<![@'])hustings(?! (?:${VERB_NAMES.join('|')})\\b)|this project|\\bthe (?:\\w+ )?tests\\b|the model checker`,
  'gi',
);

export function sentencesAboutProject(files: readonly SourceFile[]): string[] {
  return files
    .filter(({ path }) => FOLDERS.some((folder) => path.startsWith(folder)))
    .flatMap(({ path, text }) => {
      const code = text.replace(COMMENT, (comment) => comment.replace(/[^\n]/g, ' '));
      return [...code.matchAll(PROJECT)].map(
        ({ 0: name, index }) => `${path}:${lineAt(code, index)} speaks of ${name}`,
      );
    });
}
