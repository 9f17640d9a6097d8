/** Formats rows as aligned columns, wrapped between words if the screen is too narrow. */
import type { Paint } from './paint.ts';

/** The terminal columns of a text: one per character for everything drawn here. */
export function textColumns(text: string): number {
  return Array.from(text).length;
}

const GAP = 2;
const NARROWEST = 8;

/** The title of a column: aligned to the left, or to the right if it is in a list of its own. */
export type Column = string | readonly [right: string];

/** How a cell looks; the row of the titles is −1. */
export type CellStyle = (text: string, row: number, column: number) => string;

/** Faint titles, and a check mark or a cross in the colour of its meaning. */
export function markStyle(paint: Paint): CellStyle {
  return (text, row) => {
    if (row < 0) return paint('faint', text);
    return text.includes('✓') ? paint('good', text) : text.includes('✗') ? paint('bad', text) : text;
  };
}

/** Lines have no trailing blanks. `style` gets each line of a cell after padding. */
export function formatTable(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  width: number,
  style: CellStyle = (text) => text,
): string[] {
  const titles = columns.map((column) => (typeof column === 'string' ? column : column[0]));
  const hasTitles = titles.some((title) => title !== '');
  const all = hasTitles ? [titles, ...rows] : rows;
  const widest = (measure: (text: string) => number) =>
    columns.map((_, column) => Math.max(...all.map((row) => measure(row[column]))));
  const widths = narrowed(
    widest(textColumns),
    widest((text) => Math.max(...text.split(' ').map(textColumns))),
    width - GAP * (columns.length - 1),
  );
  return all.flatMap((row, index) => {
    const cells = row.map((text, column) => wrap(text, widths[column]));
    const height = Math.max(...cells.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) =>
      cells
        .map((lines, column) => {
          const padded = pad(lines[line] ?? '', widths[column], typeof columns[column] === 'string');
          return style(padded, hasTitles ? index - 1 : index, column);
        })
        .join(' '.repeat(GAP))
        .trimEnd(),
    );
  });
}

/**
 * Shrinks the widest column, one character at a time, until all fit. A column shrinks to its longest word first; words
 * are cut only if that is not enough.
 */
function narrowed(wanted: readonly number[], words: readonly number[], room: number): number[] {
  const widths = [...wanted];
  let over = widths.reduce((a, b) => a + b, 0) - room;
  for (const least of [words, wanted.map(() => NARROWEST)]) {
    for (; over > 0; over--) {
      const able = widths.map((width, column) => (width > least[column] ? width : 0));
      const widest = Math.max(...able);
      if (widest === 0) break;
      widths[able.indexOf(widest)]--;
    }
  }
  return widths;
}

/** Wraps between words; a word that is longer than a line is cut. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (let word of text.split(' ')) {
    if (line !== '' && textColumns(line) + 1 + textColumns(word) <= width) {
      line += ` ${word}`;
      continue;
    }
    if (line !== '') lines.push(line);
    while (textColumns(word) > width) {
      lines.push(Array.from(word).slice(0, width).join(''));
      word = Array.from(word).slice(width).join('');
    }
    line = word;
  }
  return [...lines, line];
}

function pad(text: string, width: number, isLeft: boolean): string {
  const blanks = ' '.repeat(Math.max(0, width - textColumns(text)));
  return isLeft ? text + blanks : blanks + text;
}

/** A text from a store without control characters, which could control the terminal. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '\ufffd');
}
