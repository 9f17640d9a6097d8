/** The size of a text. The font is unknown, so widths are those of a wide sans serif. */

export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** As a fraction of the font size. */
const NARROW = 0.33;
const USUAL = 0.6;
const WIDE = 0.95;
const LINE = 1.15;

export function textWidth(text: string, size: number): number {
  let width = 0;
  for (const character of text) {
    width += /[iljtfr.,:;'|()[\] !]/.test(character) ? NARROW : /[mwMW@–—→]/.test(character) ? WIDE : USUAL;
  }
  return width * size;
}

export type Anchor = 'start' | 'middle' | 'end';

/** The box of a text whose vertical middle is y. */
export function textBox(text: string, size: number, x: number, y: number, anchor: Anchor): Box {
  const width = textWidth(text, size);
  const left = anchor === 'start' ? x : anchor === 'middle' ? x - width / 2 : x - width;
  return { x: left, y: y - (size * LINE) / 2, width, height: size * LINE };
}

export function overlap(one: Box, other: Box): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}
