/** How a layout is scaled to a panel: margins for labels, and the size of the nodes. */
import type { Point } from '../svg.ts';
import { type Box, textWidth } from '../text-box.ts';
import type { NetworkFrame } from './frames.ts';
import { distance, fromPolyline, type Polyline, trimmed } from './geometry.ts';
import type { NetworkLayout } from './layout/network-layout.ts';

/** In units of the text size. */
export const PHASE_SIZE = 0.75;

/** The phase of all live nodes that have one, if it is the same: a caption then says it once. */
export function commonPhase({ nodes }: NetworkFrame): string | null {
  const phases = new Set(nodes.flatMap(({ phase, isDead }) => (phase === null || isDead ? [] : [phase])));
  return phases.size === 1 ? [...phases][0] : null;
}

/** Room for nodes and for the labels outside them. */
export function marginAround(frames: readonly NetworkFrame[], text: number): Point {
  const phases = frames
    .filter((frame) => commonPhase(frame) === null)
    .flatMap(({ nodes }) => nodes.flatMap(({ phase }) => (phase === null ? [] : [phase])));
  const hasLabels =
    phases.length > 0 || frames.some(({ nodes }) => nodes.some(({ fragment }) => fragment !== null));
  const wide = Math.max(0, ...phases.map((phase) => textWidth(phase, PHASE_SIZE * text)));
  return { x: 2 * text + wide, y: (hasLabels ? 3.2 : 2.1) * text };
}

/** The part of a panel under its caption. */
export function belowCaption(box: Box, text: number): Box {
  return { ...box, y: box.y + 1.6 * text, height: box.height - 1.6 * text };
}

/** The map from the layout to a panel with a caption, for the ways of messages. */
export function routeScale(
  frames: readonly NetworkFrame[],
  layout: NetworkLayout,
  box: Box,
  text: number,
): (point: Point) => Point {
  return scaleTo(belowCaption(box, text), layout, marginAround(frames, text));
}

/** The edges of a layout, in its own units. */
export function extentOf({ points, links }: NetworkLayout) {
  const all = [...points, ...links.flatMap(({ line }) => line)];
  const [xs, ys] = [all.map(({ x }) => x), all.map(({ y }) => y)];
  return { left: Math.min(...xs), right: Math.max(...xs), top: Math.min(...ys), bottom: Math.max(...ys) };
}

/** A map from the layout to a box with a margin. */
export function scaleTo(box: Box, layout: NetworkLayout, margin: Point): (point: Point) => Point {
  const { left, right, top, bottom } = extentOf(layout);
  const scale = (room: number, extent: number) =>
    extent < 1e-9 ? Number.POSITIVE_INFINITY : Math.max(1, room) / extent;
  let sx = scale(box.width - 2 * margin.x, right - left);
  let sy = scale(box.height - 2 * margin.y, bottom - top);
  if (!Number.isFinite(sx)) sx = Number.isFinite(sy) ? sy : 1;
  if (!Number.isFinite(sy)) sy = sx;
  [sx, sy] = [Math.min(sx, layout.stretch * sy), Math.min(sy, sx)];
  if (layout.stretch === 1) sx = sy;
  const [cx, cy] = [box.x + box.width / 2, box.y + box.height / 2];
  return ({ x, y }) => ({ x: cx + (x - (left + right) / 2) * sx, y: cy + (y - (top + bottom) / 2) * sy });
}

/** As large as the text allows, without touching other nodes and links. */
export function radiusOf(
  centres: readonly Point[],
  layout: NetworkLayout,
  lines: readonly Polyline[],
  text: number,
): number {
  let radius = 1.7 * text;
  centres.forEach((one, at) => {
    for (let other = 0; other < at; other++) radius = Math.min(radius, 0.24 * distance(one, centres[other]));
    layout.links.forEach(({ a, b }, k) => {
      if (a !== at && b !== at) radius = Math.min(radius, 0.75 * fromPolyline(one, lines[k]));
    });
  });
  return Math.max(radius, 5);
}

/** Where the nodes and links of a panel are. It depends on the room for labels, and on nothing else of a frame. */
export interface PanelGeometry {
  readonly toSheet: (point: Point) => Point;
  readonly centres: readonly Point[];
  /** The lines of the links of the layout, from centre to centre. */
  readonly lines: readonly Polyline[];
  /** The same between the edges of the nodes. */
  readonly edges: readonly Polyline[];
  readonly radius: number;
}

export function panelGeometry(
  {
    caption,
    labelled,
    layout,
  }: {
    readonly caption: string | null;
    /** The frames whose labels need room. */
    readonly labelled: readonly NetworkFrame[];
    readonly layout: NetworkLayout;
  },
  box: Box,
  text: number,
): PanelGeometry {
  const room = caption === null ? box : belowCaption(box, text);
  const toSheet = scaleTo(room, layout, marginAround(labelled, text));
  const centres = layout.points.map(toSheet);
  const lines = layout.links.map(({ line }) => line.map(toSheet));
  const radius = radiusOf(centres, layout, lines, text);
  const edges = lines.map((line) => trimmed(line, radius + 1, radius + 1));
  return { toSheet, centres, lines, edges, radius };
}
