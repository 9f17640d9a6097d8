/** A drawing surface: shapes in drawing order, and texts above them with known bounding boxes. */
import { element, escapeText } from './svg.ts';
import { type Anchor, type Box, textBox } from './text-box.ts';

export const INK = '#1b2a3a';
export const GREY = '#6b7682';
export const PALE = '#c9d1d9';
export const PAPER = '#ffffff';

const FONTS = "Inter, 'Helvetica Neue', Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";

export interface SheetText {
  readonly text: string;
  readonly size: number;
  readonly x: number;
  /** The vertical middle of the line. */
  readonly y: number;
  readonly anchor: Anchor;
  readonly fill?: string;
  readonly isBold?: boolean;
  /** The halo colour, if lines run behind the text. */
  readonly halo?: string;
}

export interface PlacedText extends SheetText {
  readonly box: Box;
}

export class Sheet {
  readonly shapes: string[] = [];
  readonly texts: PlacedText[] = [];

  write(text: SheetText): PlacedText {
    const placed = { ...text, box: textBox(text.text, text.size, text.x, text.y, text.anchor) };
    this.texts.push(placed);
    return placed;
  }

  /** One SVG document. */
  render(width: number, height: number, title: string): string {
    const box = `0 0 ${Math.ceil(width)} ${Math.ceil(height)}`;
    const head = [
      element('title', {}, escapeText(title)),
      element('rect', { width: '100%', height: '100%', fill: PAPER }),
    ];
    const attributes = {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: box,
      width: Math.ceil(width),
      height: Math.ceil(height),
      'font-family': FONTS,
      role: 'img',
    };
    const texts = this.texts.map(renderText);
    return `${element('svg', attributes, `\n${[...head, ...this.shapes, ...texts].join('\n')}\n`)}\n`;
  }
}

export function drawTitle(sheet: Sheet, title: string, subtitle: string, left: number): void {
  sheet.write({ text: title, size: 19, x: left, y: 26, anchor: 'start', isBold: true });
  sheet.write({ text: subtitle, size: 12.5, x: left, y: 50, anchor: 'start', fill: GREY });
}

function renderText(text: PlacedText): string {
  return element(
    'text',
    {
      x: text.x,
      // Digits and small letters look centred when their base line is a third of the size below the middle.
      y: text.y + text.size * 0.35,
      'font-size': text.size,
      'text-anchor': text.anchor === 'start' ? undefined : text.anchor,
      'font-weight': text.isBold ? 'bold' : undefined,
      fill: text.fill ?? INK,
      stroke: text.halo,
      'stroke-width': text.halo ? 3 : undefined,
      'stroke-linejoin': text.halo ? 'round' : undefined,
      'paint-order': text.halo ? 'stroke' : undefined,
    },
    escapeText(text.text),
  );
}
