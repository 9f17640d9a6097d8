/** A reader of docs/cluster.md finds its words in the source: the names in code, and the terms of its rules. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readSources } from '../source/source-file.ts';

const page = readFileSync(join(ROOT, 'docs/cluster.md'), 'utf8');
/** A line break in a comment or a paragraph counts as a space. */
const joined = (text: string): string => text.replace(/\s*\n\s*(?:\*|\/\/)?\s*/g, ' ');
const source = joined(
  readSources()
    .map(({ text }) => text)
    .join('\n'),
);

/** Words of other programs: Maelstrom's flags, and ssh. */
const FOREIGN = ['--bin', '--log-stderr', '--nemesis', '--node-count', '--time-limit', 'ssh'];

/** What a rule of the page is about. Each is in the page, so that this list does not outlive it. */
const TERMS = [
  'check quorum',
  'failure detector',
  'handshake',
  'heartbeat',
  'member file',
  'member list',
  'partitioned among',
  'pre-vote',
  'proposes',
  'quorum gate',
  'recording',
  'split brain',
  'stamp',
  'supports',
  'suspected',
  'upkeep',
  'vector clock',
];

/** The flags and names in code spans and blocks. */
function namesIn(text: string): string[] {
  const blocks = [...text.matchAll(/```[\s\S]*?```/g)].map(([block]) => block);
  const spans = [...text.replace(/```[\s\S]*?```/g, '').matchAll(/`([^`\n]+)`/g)].map(([, span]) => span);
  const names = spans.flatMap((span) => span.match(/--[a-z][\w-]*|[A-Za-z]\w*(?:-[a-z]+)*/g) ?? []);
  return [...new Set([...names, ...blocks.flatMap((block) => block.match(/(?<=\s)--[a-z][\w-]*/g) ?? [])])];
}

/** Names of counters are composed. */
const inSource = (word: string): string => word.replace(/^hustings_member_(\w+)_total$/, '$1');

const missing = (words: readonly string[]): string[] =>
  words.filter((word) => !new RegExp(`(?<![\\w-])${inSource(word)}(?![\\w-])`).test(source));

describe('docs/cluster.md', () => {
  it('names in code only what the source names', () => {
    const names = namesIn(page);
    expect(names.length).toBeGreaterThan(100);
    expect(missing(names).filter((name) => !FOREIGN.includes(name))).toEqual([]);
  });

  it('has the terms of the source for what its rules are about', () => {
    expect(TERMS.filter((term) => !joined(page).includes(term))).toEqual([]);
    expect(TERMS.filter((term) => !source.includes(term))).toEqual([]);
  });

  it('would show a name that is not in the source', () => {
    expect(missing(namesIn('With `--quorum`, see `leadsUntilNever` and `epoch`.'))).toEqual([
      'leadsUntilNever',
    ]);
  });
});
