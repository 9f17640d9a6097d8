/** Writes a small directed graph as SVG. */
import { alongPolyline, lengthOf } from '../network/geometry.ts';
import { DEFAULT_STYLE, PALETTES, type Palette, type PictureStyle, SANS, SERIF } from '../style.ts';
import { element, escapeText, pathOf } from '../svg.ts';
import type { Box } from '../text-box.ts';
import { graphScene } from './graph-layout.ts';
import type { GraphArrow, GraphBox, GraphDrawing, GraphScene } from './graph-scene.ts';

/** The graph as SVG. */
export function drawGraph(drawing: GraphDrawing, style: PictureStyle = DEFAULT_STYLE): string {
  return renderGraph(graphScene(drawing, style.size), drawing, style);
}

function renderGraph(
  scene: GraphScene,
  { title, subtitle, note }: GraphDrawing,
  style: PictureStyle,
): string {
  const palette = PALETTES[style.theme];
  const { height, text, width } = scene;
  const write = (
    said: string,
    x: number,
    y: number,
    size: number,
    attributes: Record<string, string | number | undefined> = {},
  ) =>
    element(
      'text',
      { x, y: y + 0.35 * size, 'font-size': size, fill: palette.ink, ...attributes },
      escapeText(said),
    );
  const parts = [
    ...(style.transparent ? [] : [element('rect', { width: '100%', height: '100%', fill: palette.paper })]),
    ...scene.arrows.flatMap((arrow) => renderArrow(arrow, text, palette)),
    ...scene.boxes.flatMap((box) => renderState(box, text, palette)),
    ...scene.arrows.map(({ badge, label }) => renderBadge(badge, label, text, palette)),
    ...scene.rows.flatMap(({ label, text: said, x, y }) => [
      write(label, x, y, 0.85 * text, { 'text-anchor': 'end', 'font-weight': 'bold' }),
      write(said, x + 0.7 * text, y, 0.85 * text, { fill: palette.ink2 }),
    ]),
    write(title, 2 * text, 2 * text, 1.75 * text, { 'font-weight': 'bold', 'font-family': SERIF }),
    write(subtitle, 2 * text, 3.9 * text, 0.95 * text, { fill: palette.ink2 }),
    write(note, 2 * text, height - 1.6 * text, 0.85 * text, { fill: palette.ink3 }),
  ];
  const attributes = {
    ...{ xmlns: 'http://www.w3.org/2000/svg', viewBox: `0 0 ${width} ${height}`, width, height },
    ...{ 'font-family': SANS, role: 'img' },
  };
  const content = [element('title', {}, escapeText(`${title}: ${subtitle}`)), ...parts];
  return `${element('svg', attributes, `\n${content.join('\n')}\n`)}\n`;
}

function renderArrow({ line }: GraphArrow, text: number, palette: Palette): string[] {
  const end = line[line.length - 1];
  const before = alongPolyline(line, lengthOf(line) - 0.5 * text).at;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const corner = (turn: number) => ({
    x: end.x + 0.7 * text * Math.cos(angle + Math.PI + turn),
    y: end.y + 0.7 * text * Math.sin(angle + Math.PI + turn),
  });
  return [
    element('path', { d: pathOf(line, false), fill: 'none', stroke: palette.ink2, 'stroke-width': 1.5 }),
    element('path', { d: pathOf([end, corner(0.4), corner(-0.4)], true), fill: palette.ink2 }),
  ];
}

function renderState({ state, x, y, width, height }: GraphBox, text: number, palette: Palette): string[] {
  const { isInitial, lines, mark } = state;
  const outline = (inset: number, attributes: Record<string, string | number | undefined>) =>
    element('rect', {
      ...{ x: x + inset, y: y + inset, width: width - 2 * inset, height: height - 2 * inset },
      ...{ rx: Math.min(height / 2, 1.3 * text) - inset, ...attributes },
    });
  const stroke = mark === 'dead' ? palette.crimson : palette.ink;
  const dash = mark === 'dead' ? '4 3' : lines[0] === 'asleep' ? '0.1 4.2' : undefined;
  const cap = dash === '0.1 4.2' ? 'round' : undefined;
  const fill = mark === 'leader' ? palette.gold : palette.paper;
  const box = outline(0, {
    fill,
    stroke,
    'stroke-width': 1.8,
    'stroke-dasharray': dash,
    'stroke-linecap': cap,
  });
  const inner =
    mark === 'end' || mark === 'leader' ? [outline(4, { fill: 'none', stroke, 'stroke-width': 1 })] : [];
  const start = isInitial
    ? [
        element('circle', { cx: x - 1.9 * text, cy: y + height / 2, r: 0.3 * text, fill: palette.ink }),
        element('path', {
          d: pathOf(
            [
              { x: x - 1.9 * text, y: y + height / 2 },
              { x: x - 3, y: y + height / 2 },
            ],
            false,
          ),
          ...{ stroke: palette.ink, 'stroke-width': 1.5 },
        }),
      ]
    : [];
  const first = y + height / 2 - ((lines.length - 1) / 2) * 1.25 * text;
  const texts = lines.map((line, k) =>
    element(
      'text',
      {
        ...{
          x: x + width / 2,
          y: first + k * 1.25 * text + 0.35 * text,
          'font-size': text,
          'text-anchor': 'middle',
        },
        ...{
          fill: mark === 'leader' ? palette.onGold : palette.ink,
          'font-weight': k === 0 ? 'bold' : undefined,
        },
      },
      escapeText(line),
    ),
  );
  return [...start, box, ...inner, ...texts];
}

function renderBadge({ x, y, width, height }: Box, label: string, text: number, palette: Palette): string {
  return (
    element('rect', {
      x,
      y,
      width,
      height,
      rx: height / 2,
      fill: palette.paper,
      stroke: palette.ink2,
      'stroke-width': 1,
    }) +
    element(
      'text',
      {
        ...{
          x: x + width / 2,
          y: y + height / 2 + 0.3 * text,
          'font-size': 0.85 * text,
          'text-anchor': 'middle',
        },
        fill: palette.ink,
      },
      escapeText(label),
    )
  );
}
