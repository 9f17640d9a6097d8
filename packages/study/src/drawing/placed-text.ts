/** A text with its place, and how every picture writes it. */
import { SERIF } from './style.ts';
import { type Attributes, element, escapeText } from './svg.ts';
import { type Anchor, type Box, textBox } from './text-box.ts';

/** A text by its vertical middle. */
export interface PlacedText {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly anchor: Anchor;
  readonly isBold: boolean;
  readonly box: Box;
}

type Given = Pick<PlacedText, 'text' | 'x' | 'y' | 'size'> & Partial<Pick<PlacedText, 'anchor' | 'isBold'>>;

/** A text with its box; at the start of its line and not bold unless it says otherwise. */
export function placeText<const Text extends Given>(given: Text): Text & PlacedText {
  const { text, size, x, y, anchor = 'start', isBold = false } = given;
  return { ...given, anchor, isBold, box: textBox(text, size, x, y, anchor, isBold) };
}

/** `content` replaces the text, if parts of it are raised or lowered. Titles have a typeface of their own. */
export function writeText(
  { text, x, y, size, anchor, isBold }: Omit<PlacedText, 'box'>,
  attributes: Attributes & { readonly fill: string },
  { isTitle = false, content = escapeText(text) }: { isTitle?: boolean; content?: string } = {},
): string {
  const own = {
    x,
    // Digits and small letters look centred when their base line is a third of the size below the middle.
    y: y + size * 0.35,
    'font-size': size,
    'text-anchor': anchor === 'start' ? undefined : anchor,
    'font-weight': isBold ? 'bold' : undefined,
    'font-family': isTitle ? SERIF : undefined,
  };
  return element('text', { ...own, ...attributes }, content);
}

/** The id of a node, or its position if nodes are anonymous. An overlay has positions without an id. */
export function nameOfNode(ids: Int32Array | null): (node: number) => string {
  return (node) => (ids === null ? String(node) : String(ids[node] ?? `#${node}`));
}
