/** The texts of a scene as SVG. */
import { writeText } from '../placed-text.ts';
import type { Palette } from '../style.ts';
import { element } from '../svg.ts';
import type { Box } from '../text-box.ts';
import type { SceneText } from './scene.ts';

/** Behind the characters of a label, within its halo. */
function groundBox({ box, size, y }: SceneText): Box {
  const { width } = box;
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
  const under = text.on === 'band' ? palette.sunk : palette.paper;
  const halo = HALOED.includes(text.role)
    ? {
        stroke: under,
        'stroke-width': 0.56 * text.size,
        'stroke-linejoin': 'round',
        'paint-order': 'stroke',
      }
    : {};
  // A halo alone leaves the line visible between two characters: '5,1' would look like '5;1'.
  const ground = text.role === 'message' ? element('rect', { ...groundBox(text), fill: under }) : '';
  const fill =
    text.on === 'gold' ? palette.onGold : text.purpose === 'announcement' ? palette.rust : fills[text.role];
  return ground + writeText(text, { fill, ...halo }, { isTitle: text.role === 'title' });
}
