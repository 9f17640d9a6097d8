/** The size of a text. The font is unknown, so widths are those of a wide one: a narrower font leaves more room. */

/** A rectangle, by its upper left corner. */
export interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** As fractions of the font size, those of DejaVu Sans, the widest of the fonts that pictures name. */
const NARROW = 0.4;
const USUAL = 0.64;
const CAPITAL = 0.79;
const WIDE = 1;
const BOLD = 1.13;
const LINE = 1.15;

export function textWidth(text: string, size: number, isBold = false): number {
  let width = 0;
  for (const character of text) {
    width += /[iljtfrIJ.,:;'|()[\] !/·-]/.test(character)
      ? NARROW
      : /[mwMW@%#—…]/.test(character)
        ? WIDE
        : /[A-HK-LN-VX-Z+=<>→×≥≤&−√±]/.test(character)
          ? CAPITAL
          : USUAL;
  }
  return width * size * (isBold ? BOLD : 1);
}

/** The point of a text that lies at its x. */
export type Anchor = 'start' | 'middle' | 'end';

/** The box of a text whose vertical middle is y. */
export function textBox(
  text: string,
  size: number,
  x: number,
  y: number,
  anchor: Anchor,
  isBold = false,
): Box {
  const width = textWidth(text, size, isBold);
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

/** The box with this much more room on each side. */
export function grown({ x, y, width, height }: Box, by: number): Box {
  return { x: x - by, y: y - by, width: width + 2 * by, height: height + 2 * by };
}
