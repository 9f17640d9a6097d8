/**
 * Fills in docs/your-own-election.md. The prose and the commands are written there by hand; the files, their diff and the
 * output of the commands are generated between comments.
 */
import { readFileSync } from 'node:fs';
import { commandsOf, parseBlocks } from '../readme/blocks.ts';

const REGION = /<!-- (file|run|diff)( [a-z/-]+)? -->\n([\s\S]*?)<!-- end -->/g;

export const exampleOf = (name: string): string =>
  readFileSync(new URL(`../../examples/${name}.ts`, import.meta.url), 'utf8');

/** `print` runs one command line and returns what it prints. */
export function fillIn(page: string, print: (command: string) => string): string {
  return page.replaceAll(REGION, (_, kind: string, name: string | undefined, inside: string) => {
    const head = `<!-- ${kind}${name ?? ''} -->`;
    return [head, ...made(kind, name?.trim() ?? '', inside, print), '<!-- end -->'].join('\n');
  });
}

function made(kind: string, name: string, inside: string, print: (command: string) => string): string[] {
  if (kind === 'file') return ['```ts', `// ${name.split('/').at(-1)}.ts`, exampleOf(name).trimEnd(), '```'];
  if (kind === 'diff') return ['```diff', ...difference(), '```'];
  const [block] = parseBlocks(inside);
  const lines = commandsOf(block).flatMap(({ text }) => {
    const printed = print(text.replace(/\s+#.*/, '').replace(/^npx hustings /, '')).trimEnd();
    return printed === '' ? [`$ ${text}`] : [`$ ${text}`, printed];
  });
  return ['```console', ...lines, '```'];
}

/** The handlers of the first attempt and of the corrected file as a diff. */
function difference(): string[] {
  const handlers = (name: string): string[] => {
    const lines = exampleOf(name).split('\n');
    const from = lines.findIndex((line) => line.startsWith('  state:'));
    return lines.slice(from, lines.findIndex((line) => line.startsWith('    elected(')) - 1);
  };
  const [before, after] = [handlers('my-first-election'), handlers('my-election')];
  const rows: string[] = [];
  let at = 0;
  for (const line of after) {
    const unused = (text: string): string => text.replace('_state', 'state');
    if (line === before[at]) rows.push(` ${before[at++]}`);
    else if (unused(before[at]) === line || /^ {2}state:/.test(line))
      rows.push(`-${before[at++]}`, `+${line}`);
    else rows.push(`+${line}`);
  }
  if (at !== before.length) throw new Error('the corrected file does more than add lines to the first');
  return rows;
}
