/** Nodes in rows and columns with links between neighbours. A line is a grid of one row. */
import { textColumns } from '@hustings/base';
import type { NodeMark, PictureOptions } from './node-mark.ts';

const INDENT = '  ';
const LINK = 3;

/** Null if it is too wide. */
export function drawGrid(
  marks: readonly NodeMark[],
  columns: number,
  { width, paint }: PictureOptions,
): string[] | null {
  const cell = Math.max(...marks.map(({ name }) => textColumns(name))) + 2;
  if (INDENT.length + columns * (cell + LINK + 2) > width) return null;
  const lines: string[] = [];
  for (let start = 0; start < marks.length; start += columns) {
    if (start > 0) {
      const bars = Array.from({ length: columns }, () => '│'.padEnd(cell + LINK + 2));
      lines.push(INDENT + paint('faint', bars.join('').trimEnd()));
    }
    const row = marks.slice(start, start + columns).map(({ symbol, name, tone }, column) => {
      const text = `${symbol} ${name}`;
      const drawn = tone === null ? text : paint(tone, text);
      if (column === columns - 1) return drawn;
      return `${drawn} ${paint('faint', '─'.repeat(cell + LINK - textColumns(text)))} `;
    });
    lines.push(INDENT + row.join(''));
  }
  return lines;
}
