/** The marks of nodes: the shape tells the role, colour repeats it. */
import { writeText } from '../placed-text.ts';
import type { Palette } from '../style.ts';
import { crossAround, element, type Point, pathOf, starAround } from '../svg.ts';
import type { NodeGlyph, SceneNode } from './network-scene.ts';

/** A node with its name, if it has one. */
export function renderNode(node: SceneNode, palette: Palette): string[] {
  const { name } = node;
  const glyph = renderGlyph(node, palette);
  return name.text === '' ? glyph : [...glyph, writeText(name, { fill: nameFill(node, palette) })];
}

function nameFill({ role, isDead }: NodeGlyph, palette: Palette): string {
  if (isDead || role === 'asleep') return palette.ink3;
  return role === 'leader' ? palette.paper : role === 'candidate' ? palette.ink : palette.ink2;
}

export function renderGlyph({ at, radius, role, isDead }: NodeGlyph, palette: Palette): string[] {
  const { x, y } = at;
  const circle = (attributes: Record<string, string | number | undefined>) =>
    element('circle', { cx: x, cy: y, r: radius, ...attributes });
  const badge = (turn: number) => ({
    x: x + radius * 0.86 * Math.cos(turn),
    y: y + radius * 0.86 * Math.sin(turn),
  });
  const mark = Math.max(4, 0.36 * radius);
  if (isDead) {
    return [
      circle({
        fill: palette.paper,
        stroke: palette.crimson,
        'stroke-width': 1.6,
        'stroke-dasharray': '4 3',
      }),
      element('path', {
        d: crossAround(badge(-Math.PI / 4), 0.75 * mark),
        ...{ fill: 'none', stroke: palette.crimson, 'stroke-width': 2.6, 'stroke-linecap': 'round' },
      }),
    ];
  }
  switch (role) {
    case 'leader':
      return [
        circle({ r: radius * 1.2, fill: palette.gold, stroke: palette.ink, 'stroke-width': 1.2 }),
        circle({ r: radius * 0.96, fill: palette.ink, stroke: palette.ink, 'stroke-width': 1 }),
        element('path', {
          d: starAround({ x: x + radius * 0.95, y: y - radius * 0.95 }, 1.35 * mark),
          ...{ fill: palette.gold, stroke: palette.ink, 'stroke-width': 1.2, 'stroke-linejoin': 'round' },
        }),
      ];
    case 'passive':
      return [
        element('rect', {
          ...{ x: x - 0.88 * radius, y: y - 0.88 * radius, width: 1.76 * radius, height: 1.76 * radius },
          ...{ rx: 0.2 * radius, fill: palette.sunk, stroke: palette.ink2, 'stroke-width': 1.4 },
        }),
      ];
    case 'asleep':
      return [
        circle({
          ...{ fill: palette.paper, stroke: palette.ink3, 'stroke-width': 1.6 },
          ...{ 'stroke-dasharray': '0.1 4.2', 'stroke-linecap': 'round' },
        }),
      ];
    case 'follower':
      return [
        circle({ fill: palette.paper, stroke: palette.ink2, 'stroke-width': 1.4 }),
        element('path', {
          d: diamond(badge(Math.PI / 4), mark),
          ...{ fill: palette.paper, stroke: palette.ink, 'stroke-width': 1.4 },
        }),
      ];
    default:
      return [
        circle({
          ...{ fill: palette.paper, stroke: role === 'candidate' ? palette.ink : palette.ink3 },
          'stroke-width': role === 'candidate' ? 2.2 : 1.2,
        }),
      ];
  }
}

function diamond({ x, y }: Point, r: number): string {
  return pathOf(
    [
      { x, y: y - r },
      { x: x + r, y },
      { x, y: y + r },
      { x: x - r, y },
    ],
    true,
  );
}
