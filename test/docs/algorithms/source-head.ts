/** Parses the head of an algorithm's file. Citation, model, guarantees and rules are written only there. */
import { readSources } from '../../source/source-file.ts';

export interface Head {
  readonly citation: string;
  /** Model, Wins, Costs: label and text. */
  readonly facts: readonly (readonly [label: string, text: string])[];
  /** What the algorithm guarantees and what it does not. */
  readonly guarantees: string;
  /** R1, R2 …: tag and text. */
  readonly rules: readonly (readonly [tag: string, text: string])[];
}

const sources = readSources().filter(
  ({ path }) => path.startsWith('packages/study/src/algorithms/') && !path.includes('/broken/'),
);

export function headOf(name: string): Head {
  const file = sources.find(({ text }) => text.includes(`  name: '${name}',`));
  if (file === undefined) throw new Error(`no file defines ${name}`);
  const [, comment] = /^\/\*\*\n([\s\S]*?)\n \*\//.exec(file.text) ?? [];
  if (comment === undefined) throw new Error(`${file.path} has no head`);
  const lines = comment.split('\n').map((line) => line.replace(/^ \* ?/, ''));
  const entries = entriesOf(lines);
  const facts = entries.flatMap((entry) => {
    const [, label, condition, text] = /^(Model|Wins|Costs)(?:, ([^:]*))?: (.*)$/s.exec(entry) ?? [];
    if (label === undefined) return [];
    return [[label, capital(condition === undefined ? text : `${condition}: ${text}`)] as const];
  });
  const rules = entries.flatMap((entry) => {
    const [, tag, text] = /^(R\d+[a-z]?) +(.*)$/s.exec(entry) ?? [];
    return tag === undefined ? [] : [[tag, text] as const];
  });
  const guarantees = entries.find((entry) => /^(Guarantees|May err)/.test(entry)) ?? '';
  if (facts.length < 3 || rules.length === 0 || guarantees === '') {
    throw new Error(`the head of ${file.path} lacks Model, Wins, Costs, Guarantees, or rules`);
  }
  return { citation: entries[0], facts, guarantees, rules };
}

/** Paragraphs, and labelled entries within them, each joined into one line. */
function entriesOf(lines: readonly string[]): string[] {
  const entries: string[][] = [];
  let isOpen = false;
  for (const line of lines) {
    const begins = /^(R\d+[a-z]? |Model[: ,]|Wins[: ,]|Costs[: ,]|Guarantees)/.test(line);
    if (line.trim() === '') isOpen = false;
    else if (begins || !isOpen) {
      entries.push([line]);
      isOpen = true;
    } else entries[entries.length - 1].push(line.trim());
  }
  return entries.map((entry) => entry.join(' '));
}

function capital(text: string): string {
  // A formula keeps its lower-case letter.
  return /^(?:[a-z]{2}|a )/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}
