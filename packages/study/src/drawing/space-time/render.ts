/** A scene as one SVG document. */
import { PALETTES, type Palette, type PictureStyle, SHEET_SIZES } from '../style.ts';
import { type Attributes, crossAround, element, type Point, pathAround, pathOf, starAround } from '../svg.ts';
import { svgDocument } from '../svg-document.ts';
import { along } from './arrows.ts';
import { textPart } from './render-text.ts';
import type {
  ArrowEnd,
  LegendEntry,
  LineStyle,
  Scene,
  SceneArrow,
  SceneBand,
  SceneHead,
  SceneLine,
  SceneMark,
  SceneStrip,
  Segment,
} from './scene.ts';
import { MARK_RADIUS } from './strip.ts';

/** The colours, and the base of all sizes. */
export interface Pen {
  readonly palette: Palette;
  /** The base of all sizes. */
  readonly text: number;
}

export function renderScene(scene: Scene, title: string, style: PictureStyle): string {
  const pen: Pen = { palette: PALETTES[style.theme], text: scene.text };
  return svgDocument({
    scene,
    size: SHEET_SIZES[style.size],
    title,
    background: style.transparent ? null : pen.palette.paper,
    parts: [
      ...scene.strips.flatMap((strip) => stripParts(strip, pen)),
      ...scene.legend.map((entry) => legendPart(entry, pen)),
      ...scene.texts.map((text) => textPart(text, pen.palette)),
    ],
  });
}

/** One strip without its texts. */
export function stripParts(strip: SceneStrip, pen: Pen): string[] {
  const { palette } = pen;
  const ticks = strip.ticks.map((x) =>
    element('path', {
      d: pathOf(
        [
          { x, y: strip.y },
          { x, y: strip.y + strip.height },
        ],
        false,
      ),
      stroke: palette.line,
      'stroke-width': 1,
    }),
  );
  return [
    ...strip.bands.filter(({ type }) => type !== 'leader').map((band) => bandPart(band, pen)),
    ...ticks,
    ...strip.bands.filter(({ type }) => type === 'leader').map((band) => bandPart(band, pen)),
    ...strip.lines.map((line) => linePart(line, pen)),
    ...swallowedFirst(strip).map((arrow) => arrowPart(arrow, pen, strip.isCrowded)),
    ...strip.marks.map((mark) => markPart(mark, pen)),
    ...strip.heads.map((head) => headPart(head, pen)),
  ];
}

/** Below the others. */
function swallowedFirst({ arrows }: SceneStrip): SceneArrow[] {
  return [...arrows.filter(isSwallowed), ...arrows.filter((arrow) => !isSwallowed(arrow))];
}

function isSwallowed({ segments }: SceneArrow): boolean {
  return segments.at(-1)?.end === 'bar';
}

function bandPart({ height, type, width, x, y }: SceneBand, { palette }: Pen): string {
  const box = { x, y, width, height };
  if (type === 'leader') return element('rect', { ...box, fill: palette.goldWash });
  if (type === 'idle' || type === 'upkeep') return element('rect', { ...box, fill: palette.sunk });
  const edge = pathOf(
    [
      { x, y },
      { x, y: y + height },
    ],
    false,
  );
  return (
    (type === 'phase, odd' ? element('rect', { ...box, fill: palette.sunk }) : '') +
    element('path', { d: edge, stroke: palette.line2, 'stroke-width': 1 })
  );
}

function linePart({ from, isFolded, state, until, y }: SceneLine, { palette }: Pen): string {
  const styles: Readonly<Record<SceneLine['state'], Attributes>> = {
    asleep: {
      stroke: palette.edge,
      'stroke-width': 1.2,
      'stroke-dasharray': '1 5',
      'stroke-linecap': 'round',
    },
    awake: { stroke: palette.ink2, 'stroke-width': 1.4 },
    passive: { stroke: palette.line2, 'stroke-width': 1.2 },
    dead: { stroke: palette.crimson, 'stroke-width': 1.2, 'stroke-dasharray': '2 4' },
  };
  const d = pathOf(
    [
      { x: from, y },
      { x: until, y },
    ],
    false,
  );
  const folded = isFolded && state !== 'asleep' ? { 'stroke-dasharray': '4 4' } : {};
  return element('path', { d, ...styles[state], ...folded });
}

/** The strokes of each purpose: they differ in grey print too. */
function strokeOf({ purpose, stroke }: LineStyle, { palette, text }: Pen): Attributes {
  const width = 0.1 * text;
  const dash = (...parts: number[]): string => parts.map((part) => part * width).join(' ');
  if (purpose === 'upkeep') {
    return { stroke: palette.ink3, 'stroke-width': width, 'stroke-dasharray': dash(1, 2.5) };
  }
  if (purpose === 'announcement') {
    const dashes = stroke === 0 ? dash(5, 2.5) : dash(5, 1.5, 1, 1.5);
    return { stroke: palette.rust, 'stroke-width': width, 'stroke-dasharray': dashes };
  }
  const shapes = [undefined, dash(1.3, 1.9), dash(7, 2, 1, 2), dash(7, 2, 1, 2, 1, 2)];
  return {
    stroke: stroke === 0 ? palette.ink : palette.ink2,
    // Dots are lighter than dashes of the same width.
    'stroke-width': stroke === 1 ? 1.2 * width : width,
    'stroke-dasharray': shapes[stroke],
  };
}

function arrowPart(arrow: SceneArrow, pen: Pen, isCrowded: boolean): string {
  const attributes = strokeOf(arrow, pen);
  const parts = arrow.segments.map(({ end, line }) =>
    lineWithEnd(line, end, attributes, arrow.isDuplicate, pen),
  );
  return isCrowded && isSwallowed(arrow)
    ? element('g', { opacity: pen.palette.ghost }, parts.join(''))
    : parts.join('');
}

function lineWithEnd(
  line: Segment,
  end: ArrowEnd,
  attributes: Attributes,
  isDuplicate: boolean,
  { palette, text }: Pen,
): string {
  const [a, tip] = line;
  const length = Math.hypot(tip.x - a.x, tip.y - a.y) || 1;
  const head = Math.min(0.55 * text, 0.6 * length);
  const hasHead = end === 'head' || end === 'flight';
  const neck = hasHead ? along(line, 1 - head / length) : tip;
  const width = Number(attributes['stroke-width']) * (isDuplicate ? 0.5 : 1);
  const { stroke } = attributes;
  const shaft = element('path', {
    d: pathOf([a, neck], false),
    fill: 'none',
    ...attributes,
    'stroke-width': width,
  });
  const angle = Math.atan2(tip.y - a.y, tip.x - a.x);
  if (end === 'head') return shaft + element('path', { d: headAt(tip, angle, head), fill: stroke });
  if (end === 'flight') {
    const open = { fill: palette.paper, stroke, 'stroke-width': 0.07 * text };
    return shaft + element('path', { d: headAt(tip, angle, head), ...open });
  }
  if (end === 'bar') {
    const half = 0.42 * text;
    const side = { x: -Math.sin(angle) * half, y: Math.cos(angle) * half };
    const bar = [
      { x: tip.x + side.x, y: tip.y + side.y },
      { x: tip.x - side.x, y: tip.y - side.y },
    ];
    return shaft + element('path', { d: pathOf(bar, false), stroke, 'stroke-width': 0.16 * text });
  }
  return end === 'cross' ? shaft + crossPart(tip, 0.3 * text, palette.crimson, 0.15 * text) : shaft;
}

function headAt(tip: Point, angle: number, size: number): string {
  const corner = (turn: number): Point => ({
    x: tip.x - size * Math.cos(angle + turn),
    y: tip.y - size * Math.sin(angle + turn),
  });
  return pathOf([tip, corner(0.36), corner(-0.36)], true);
}

function crossPart(at: Point, radius: number, stroke: string, width: number): string {
  return element('path', { d: crossAround(at, radius), stroke, 'stroke-width': width, fill: 'none' });
}

const DIAMOND = [0, -1, 1, 0, 0, 1, -1, 0];
const SQUARE = [-1, -1, 1, -1, 1, 1, -1, 1];
const WEDGE = [-1, -1, 1, -1, 0, 0.8];

function markPart(
  { at, kind, radius }: Pick<SceneMark, 'at' | 'kind' | 'radius'>,
  { palette, text }: Pen,
): string {
  const outline = { stroke: palette.ink, 'stroke-width': 0.09 * text };
  const { ink, paper } = palette;
  switch (kind) {
    case 'start':
      return element('circle', { cx: at.x, cy: at.y, r: radius, fill: ink });
    case 'timer': {
      // A pin on the line.
      const top = { x: at.x, y: at.y - 2 * radius };
      return (
        element('path', { d: pathOf([at, top], false), ...outline }) +
        element('circle', { cx: top.x, cy: top.y, r: 0.75 * radius, fill: ink })
      );
    }
    case 'undelivered':
      return element('path', {
        d: pathAround(at, radius, WEDGE),
        fill: paper,
        ...outline,
        stroke: palette.crimson,
      });
    case 'passive':
      return element('path', { d: pathAround(at, 0.85 * radius, SQUARE), fill: palette.sunk, ...outline });
    case 'follower':
      return element('path', { d: pathAround(at, radius, DIAMOND), fill: paper, ...outline });
    case 'leader':
      return element('path', {
        d: starAround(at, radius),
        fill: palette.gold,
        ...outline,
        'stroke-linejoin': 'round',
      });
    case 'crash':
      return crossPart(at, 0.9 * radius, palette.crimson, 0.18 * text);
    case 'recover':
      return element('circle', { cx: at.x, cy: at.y, r: radius, fill: paper, ...outline });
  }
}

function headPart({ height, state, width, x, y }: SceneHead, { palette, text }: Pen): string {
  const box = { x, y, width, height, rx: state === 'passive' ? 0.2 * text : height / 2 };
  const outline = { stroke: palette.ink, 'stroke-width': 0.1 * text };
  const styles: Readonly<Record<SceneHead['state'], Attributes>> = {
    awake: { fill: palette.paper, ...outline },
    passive: { fill: palette.sunk, ...outline, stroke: palette.edge },
    asleep: { fill: palette.paper, ...outline, stroke: palette.edge, 'stroke-dasharray': '1.5 3' },
    dead: { fill: palette.paper, ...outline, stroke: palette.crimson, 'stroke-dasharray': '4 3' },
    leader: { fill: palette.gold, ...outline },
  };
  return element('rect', { ...box, ...styles[state] });
}

/** One entry of a legend without its text. */
export function legendPart({ at, sample }: LegendEntry, pen: Pen): string {
  const y = at.y + at.height / 2;
  const middle = { x: at.x + at.width / 2, y };
  switch (sample.type) {
    case 'line': {
      const { end, isDuplicate, ...style } = sample;
      const until = end === 'cross' || end === 'bar' ? 0.85 : 1;
      const line: Segment = [
        { x: at.x, y },
        { x: at.x + until * at.width, y },
      ];
      return lineWithEnd(line, end, strokeOf(style, pen), isDuplicate, pen);
    }
    case 'mark': {
      const radius = Math.min(MARK_RADIUS[sample.kind], 0.6) * pen.text;
      const drop = sample.kind === 'timer' ? radius : 0;
      return markPart({ kind: sample.kind, at: { x: middle.x, y: y + drop }, radius }, pen);
    }
    case 'state':
      return linePart(
        { node: 0, state: sample.state, y, from: at.x, until: at.x + at.width, isFolded: false },
        pen,
      );
    case 'band': {
      const box = element('rect', { ...at, fill: 'none', stroke: pen.palette.line2, 'stroke-width': 1 });
      return bandPart({ type: sample.band, ...at }, pen) + box;
    }
  }
}
