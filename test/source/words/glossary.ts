/** Reads docs/glossary.md: every heading of level 3 is a term, and its line `See:` names where the term is used. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { ROOT, readFiles } from '../source-file.ts';

export interface GlossaryEntry {
  readonly term: string;
  readonly definition: string;
  /** Files and folders, as paths from the root. */
  readonly places: readonly string[];
}

const PAGE = 'docs/glossary.md';
const PLACE = /\]\(([^)#]+)[^)]*\)|`([^`]+)`/g;

export function readGlossary(markdown = readFileSync(join(ROOT, PAGE), 'utf8')): GlossaryEntry[] {
  return markdown
    .split(/^(?=#{2,3} )/m)
    .filter((section) => section.startsWith('### '))
    .map((section) => {
      const [heading, ...lines] = section.trim().split('\n');
      const see = lines.findIndex((line) => line.startsWith('See: '));
      const named = see < 0 ? '' : lines.slice(see).join(' ');
      return {
        term: heading.slice('### '.length),
        definition: lines.slice(0, Math.max(see, 0)).join(' '),
        places: [...named.matchAll(PLACE)].map(([, page, folder]) =>
          page === undefined ? folder : posix.join(posix.dirname(PAGE), page),
        ),
      };
    });
}

/** Whether a text has the term as a whole word, in singular or plural, also across a line break in a comment. */
export function hasTerm(text: string, term: string): boolean {
  const words = term.split(/[\s-]+/).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const stem = words.join('(?:[\\s/*-]+)').replace(/y$/, '(?:y|ie)');
  return new RegExp(`(?<![a-z])${stem}(?:e?s)?(?![a-z])`, 'i').test(spaced(text));
}

/** `prngState` has the word PRNG: identifiers are read as words. */
function spaced(text: string): string {
  return text.replace(/([a-z0-9])([A-Z])/g, '$1 $2').replaceAll('_', ' ');
}

/** The text of a file, or of all sources under a folder. */
export function textOf(place: string): string | undefined {
  const path = join(ROOT, place);
  if (!existsSync(path)) return undefined;
  if (statSync(path).isFile()) return readFileSync(path, 'utf8');
  return readFiles(place)
    .map(({ text }) => text)
    .join('\n');
}
