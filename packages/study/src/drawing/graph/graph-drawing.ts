/** Writes a small directed graph as SVG. */
import { alongPolyline, lengthOf } from '../network/geometry.ts';
import { placeText, writeText } from '../placed-text.ts';
import { DEFAULT_STYLE, PALETTES, type Palette, type PictureStyle } from '../style.ts';
import { element, pathOf, triangleAt } from '../svg.ts';
import { svgDocument } from '../svg-document.ts';
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
  const { height, text } = scene;
  const write = (given: Parameters<typeof placeText>[0], fill: string, isTitle = false): string =>
    writeText(placeText(given), { fill }, { isTitle });
  const small = 0.85 * text;
  const x = 2 * text;
  return svgDocument({
    scene,
    title: `${title}: ${subtitle}`,
    background: style.transparent ? null : palette.paper,
    parts: [
      ...scene.arrows.flatMap((arrow) => renderArrow(arrow, text, palette)),
      ...scene.boxes.flatMap((box) => renderState(box, text, palette)),
      ...scene.arrows.map(({ badge, label }) => renderBadge(badge, label, text, palette)),
      ...scene.rows.flatMap(({ label, text: said, x, y }) => [
        write({ text: label, x, y, size: small, anchor: 'end', isBold: true }, palette.ink),
        write({ text: said, x: x + 0.7 * text, y, size: small }, palette.ink2),
      ]),
      write({ text: title, x, y: 2 * text, size: 1.75 * text, isBold: true }, palette.ink, true),
      write({ text: subtitle, x, y: 3.9 * text, size: 0.95 * text }, palette.ink2),
      write({ text: note, x, y: height - 1.6 * text, size: small }, palette.ink3),
    ],
  });
}

function renderArrow({ line }: GraphArrow, text: number, palette: Palette): string[] {
  const end = line[line.length - 1];
  const before = alongPolyline(line, lengthOf(line) - 0.5 * text).at;
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  return [
    element('path', { d: pathOf(line, false), fill: 'none', stroke: palette.ink2, 'stroke-width': 1.5 }),
    element('path', { d: triangleAt(end, angle, 0.52 * text), fill: palette.ink2 }),
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
    writeText(
      {
        ...{ text: line, x: x + width / 2, y: first + k * 1.25 * text, size: text },
        ...{ anchor: 'middle', isBold: k === 0 },
      },
      { fill: mark === 'leader' ? palette.onGold : palette.ink },
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
    writeText(
      {
        ...{ text: label, x: x + width / 2, y: y + height / 2, size: 0.85 * text },
        ...{ anchor: 'middle', isBold: false },
      },
      { fill: palette.ink },
    )
  );
}
