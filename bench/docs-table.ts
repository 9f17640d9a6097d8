/** Writes the comparison with the hand-written loops into a page, between two marks. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './child.ts';
import { LIMITS } from './limits.ts';

const BEGIN = '<!-- npm run bench -- --docs writes this table -->';
const END = '<!-- end of the table -->';

export function writeTable(page: string, rows: readonly (Result & { readonly name: string })[]): void {
  const text = readFileSync(page, 'utf8');
  const [before, rest] = text.split(BEGIN);
  const after = rest?.split(END)[1];
  if (after === undefined) throw new Error(`${page} must have the lines '${BEGIN}' and '${END}': add them`);
  const table = [
    '| | messages | loop, M messages/s | engine, M messages/s | engine / loop, time | what limits the engine |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ name, messages, byHand, engine, ratio }) => {
      const figures = [byHand?.toFixed(1), engine.toFixed(1), ratio?.toFixed(2)].join(' | ');
      return `| ${name} | ${messages.toLocaleString('en')} | ${figures} | ${LIMITS[name] ?? ''} |`;
    }),
  ];
  writeFileSync(page, [before + BEGIN, ...table, END + after].join('\n'));
}
