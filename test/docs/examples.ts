/** Sections that show files of examples/. */
import { readFileSync } from 'node:fs';

export const exampleOf = (name: string): string =>
  readFileSync(new URL(`../../examples/${name}.ts`, import.meta.url), 'utf8');

export const fileOf = (name: string): string[] => [
  '```ts',
  `// ${name.split('/').at(-1)}.ts`,
  exampleOf(name).trimEnd(),
  '```',
];

/** A file of kits/, in the language of its ending. */
export const kitOf = (path: string): string[] => [
  path.endsWith('.yaml') ? '```yaml' : '```ini',
  readFileSync(new URL(`../../kits/${path}`, import.meta.url), 'utf8').trimEnd(),
  '```',
];

/** The handlers of the first attempt and of the corrected file as a diff. */
export function difference(): string[] {
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
  return ['```diff', ...rows, '```'];
}
