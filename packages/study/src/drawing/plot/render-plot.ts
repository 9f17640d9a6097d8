/** A scene of a plot as one SVG element. */
import { writeText } from '../placed-text.ts';
import type { Palette } from '../style.ts';
import { type Attributes, element, escapeText, pathOf } from '../svg.ts';
import { svgDocument } from '../svg-document.ts';
import { markShape, seriesColour } from './plot-mark.ts';
import type { PlotBar, PlotLine, PlotScene, PlotText } from './plot-scene.ts';

export interface PlotRendering {
  readonly palette: Palette;
  /** Null without a background. */
  readonly background: string | null;
  /** The size on the page; the size of the scene if absent. */
  readonly width?: number;
  readonly height?: number;
}

export function renderPlot(scene: PlotScene, title: string, rendering: PlotRendering): string {
  const { background, height = scene.height, palette, width = scene.width } = rendering;
  const { frame } = scene;
  const parts = [
    ...scene.columns.map(({ at, isNamed }) =>
      gridLine(`M${at} ${frame.y}v${frame.height}`, isNamed, palette),
    ),
    ...scene.rows.map(({ at, isNamed }) => gridLine(`M${frame.x} ${at}h${frame.width}`, isNamed, palette)),
    ...scene.bands.map(({ outline, series }) =>
      element('path', { d: pathOf(outline, true), fill: seriesColour(series, palette), opacity: 0.13 }),
    ),
    element('path', {
      d: `M${frame.x} ${frame.y}v${frame.height}h${frame.width}`,
      fill: 'none',
      stroke: palette.edge,
      'stroke-width': 1.2,
    }),
    ...scene.lines.map((line) => linePart(line, scene.text, palette)),
    ...scene.bars.map((bar) => barPart(bar, scene.text, palette)),
    ...scene.marks.map((mark) => markShape(mark, palette)),
    ...scene.texts.map((text) => textPart(text, palette)),
  ];
  return svgDocument({ scene, size: { width, height }, title, background, parts });
}

function gridLine(d: string, isNamed: boolean, palette: Palette): string {
  return element('path', { d, stroke: palette.line, 'stroke-width': isNamed ? 1 : 0.5 });
}

function linePart({ points, series, type }: PlotLine, text: number, palette: Palette): string {
  const unit = text / 16;
  const styles: Readonly<Record<PlotLine['type'], Attributes>> = {
    measured: { 'stroke-width': 1.2 * unit, opacity: 0.75 },
    leader: { 'stroke-width': 0.8 * unit, opacity: 0.7 },
    solid: { 'stroke-width': 1.8 * unit },
    dashed: { 'stroke-width': 1.8 * unit, 'stroke-dasharray': `${7 * unit} ${4 * unit}` },
    'dash-dotted': {
      'stroke-width': 1.8 * unit,
      'stroke-dasharray': `${9 * unit} ${3.5 * unit} ${1.8 * unit} ${3.5 * unit}`,
    },
    dotted: {
      'stroke-width': 2 * unit,
      'stroke-dasharray': `0.1 ${4.4 * unit}`,
      'stroke-linecap': 'round',
    },
  };
  const stroke = seriesColour(series, palette);
  return element('path', { d: pathOf(points, false), fill: 'none', stroke, ...styles[type] });
}

function barPart({ high, low, series, x }: PlotBar, text: number, palette: Palette): string {
  const cap = text * 0.25;
  const ends = [low, high].map((y) =>
    pathOf(
      [
        { x: x - cap, y },
        { x: x + cap, y },
      ],
      false,
    ),
  );
  const upright = pathOf(
    [
      { x, y: low },
      { x, y: high },
    ],
    false,
  );
  const stroke = seriesColour(series, palette);
  return element('path', {
    d: [upright, ...ends].join(''),
    fill: 'none',
    stroke,
    'stroke-width': (1.5 * text) / 16,
  });
}

function textPart(text: PlotText, palette: Palette): string {
  const { ink, ink2, ink3 } = palette;
  const { role, series } = text;
  const fills: Readonly<Record<PlotText['role'], string>> = {
    title: ink,
    subtitle: ink2,
    axis: ink2,
    tick: ink3,
    name: seriesColour(series, palette),
    law: seriesColour(series, palette),
    note: ink3,
  };
  // A grey series has its name in ink: grey is for what belongs to none.
  const fill = role === 'name' && fills.name === ink3 ? ink : fills[role];
  const content = role === 'tick' ? escapeText(text.text) : formulaParts(text.text);
  return writeText(text, { fill }, { isTitle: role === 'title', content });
}

/** Subscripts and superscripts of formulas, as in H_k, log2, n^2 and u^(d−1). */
const SHIFTED = /(?<=(?<![A-Za-z])[A-Za-z])_(\w)|(?<=\blog)(\d)|\^(\w+|\([^)]*\))/g;

function formulaParts(text: string): string {
  let parts = '';
  let until = 0;
  // The base line of the part before, below that of the text, in units of the font size. A shift holds until the next one.
  let low = 0;
  const add = (content: string, target: number, size: number): void => {
    if (content === '') return;
    const isPlain = target === low && size === 1;
    const dy = `${Math.round((1000 * (target - low)) / size) / 1000}em`;
    const attributes = { dy, 'font-size': size === 1 ? undefined : `${size}em` };
    parts += isPlain ? escapeText(content) : element('tspan', attributes, escapeText(content));
    low = target;
  };
  for (const found of text.matchAll(SHIFTED)) {
    const [all, subscript, base, power] = found;
    add(text.slice(until, found.index), 0, 1);
    add(subscript ?? base ?? power, power === undefined ? 0.22 : -0.38, 0.75);
    until = found.index + all.length;
  }
  add(text.slice(until), 0, 1);
  return parts;
}
