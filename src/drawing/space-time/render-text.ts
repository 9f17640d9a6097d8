/** The texts of a scene as SVG. */
import { type Palette, SERIF } from '../style.ts';
import { element, escapeText } from '../svg.ts';
import { type Box, textBox } from '../text-box.ts';
import type { SceneText } from './scene.ts';

/** Behind the characters of a label, within its halo. */
function groundBox({ text, size, x, y, anchor, isBold }: SceneText): Box {
  const { width, ...box } = textBox(text, size, x, y, anchor, isBold);
  // Widths are those of a wide font.
  const inset = 0.15 * width;
  return { x: box.x + inset, y: y - 0.3 * size, width: width - 2 * inset, height: 0.6 * size };
}

const HALOED: readonly SceneText['role'][] = ['message', 'mark'];

export function textPart(text: SceneText, palette: Palette): string {
  const fills: Readonly<Record<SceneText['role'], string>> = {
    title: palette.ink,
    subtitle: palette.ink2,
    axis: palette.ink3,
    band: palette.ink2,
    name: palette.ink,
    message: palette.ink,
    mark: palette.ink2,
    legend: palette.ink2,
    note: palette.ink3,
  };
  const halo = HALOED.includes(text.role)
    ? {
        stroke: text.on === 'band' ? palette.sunk : palette.paper,
        'stroke-width': 0.56 * text.size,
        'stroke-linejoin': 'round',
        'paint-order': 'stroke',
      }
    : {};
  // A halo alone leaves the line visible between two characters: '5,1' would look like '5;1'.
  const ground =
    text.role === 'message'
      ? element('rect', { ...groundBox(text), fill: text.on === 'band' ? palette.sunk : palette.paper })
      : '';
  const fill =
    text.on === 'gold' ? palette.onGold : text.purpose === 'announcement' ? palette.rust : fills[text.role];
  const written = element(
    'text',
    {
      x: text.x,
      // Digits and small letters look centred when their base line is a third of the size below the middle.
      y: text.y + text.size * 0.35,
      'font-size': text.size,
      'text-anchor': text.anchor === 'start' ? undefined : text.anchor,
      'font-weight': text.isBold ? 'bold' : undefined,
      'font-family': text.role === 'title' ? SERIF : undefined,
      fill,
      ...halo,
    },
    escapeText(text.text),
  );
  return ground + written;
}
