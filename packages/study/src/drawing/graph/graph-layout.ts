/**
 * A small directed graph on a sheet: states in columns by their distance from the first one, and labelled arrows. Used for
 * the state machine of a node and for Markov chains.
 */
import { alongPolyline, bow, lengthOf, type Polyline, segmentInBox } from '../network/geometry.ts';
import { DEFAULT_STYLE, type PictureSize, SHEET_SIZES } from '../style.ts';
import type { Point } from '../svg.ts';
import { type Box, overlap, textWidth } from '../text-box.ts';
import type { GraphArrow, GraphBox, GraphDrawing, GraphScene, LabelledArrow } from './graph-scene.ts';

/** The graph as data. */
export function graphScene(drawing: GraphDrawing, size: PictureSize = DEFAULT_STYLE.size): GraphScene {
  const { width, height, text } = SHEET_SIZES[size];
  const margin = 2 * text;
  const tableSize = 0.85 * text;
  const tableWidth =
    drawing.table.length === 0
      ? 0
      : Math.max(...drawing.table.map((row) => textWidth(row.text, tableSize))) + 4 * text;
  const area = {
    x: margin,
    y: 6 * text,
    width: width - 2 * margin - tableWidth,
    height: height - 6 * text - 4 * text,
  };
  const boxes = placeStates(drawing, area, text);
  const arrows = placeArrows(drawing.arrows, boxes, area, text);
  const lineHeight = Math.min(1.9 * text, (height - 8 * text) / Math.max(1, drawing.table.length));
  const rows = drawing.table.map((row, k) => ({
    ...row,
    x: width - margin - tableWidth + 2 * text,
    y: 6.5 * text + k * lineHeight,
  }));
  return { width, height, text, boxes, arrows, rows };
}

/** Columns by distance from the initial states; rows near their predecessors. */
function placeStates({ states, arrows }: GraphDrawing, area: Box, text: number): GraphBox[] {
  const depths: number[] = states.map(({ isInitial }) => (isInitial ? 0 : -1));
  const queue = depths.flatMap((depth, at) => (depth === 0 ? [at] : []));
  for (const at of queue) {
    for (const { from, to } of arrows) {
      if (from !== at || depths[to] >= 0) continue;
      depths[to] = depths[at] + 1;
      queue.push(to);
    }
  }
  for (const [at, { column }] of states.entries()) depths[at] = column ?? depths[at];
  const columns = Math.max(...depths) + 1;
  const members: number[][] = Array.from({ length: columns }, () => []);
  for (const at of queue) members[depths[at]].push(at);
  const rowOf = new Map<number, number>();
  for (const column of members) {
    const wish = (at: number): number => {
      const before = arrows
        .filter(({ from, to }) => to === at && rowOf.has(from))
        .map(({ from }) => rowOf.get(from) ?? 0);
      return before.length === 0 ? 0 : before.reduce((sum, row) => sum + row, 0) / before.length;
    };
    column.sort((a, b) => wish(a) - wish(b));
    for (const [k, at] of column.entries()) rowOf.set(at, (k + 0.5) / column.length);
  }
  const size = text;
  return states.map((state, at) => {
    const wide = Math.max(...state.lines.map((line) => textWidth(line, size))) + 1.8 * text;
    const high = (state.lines.length * 1.25 + 1) * text;
    const width = Math.max(wide, 3.2 * text);
    const height = Math.max(high, 2.6 * text);
    const x = area.x + ((depths[at] + 0.5) / columns) * area.width;
    const y = area.y + (rowOf.get(at) ?? 0.5) * area.height;
    return { state, x: x - width / 2, y: y - height / 2, width, height };
  });
}

function placeArrows(
  arrows: readonly LabelledArrow[],
  boxes: readonly GraphBox[],
  area: Box,
  text: number,
): GraphArrow[] {
  const placed: GraphArrow[] = [];
  const size = 0.85 * text;
  // Loops have four sides to choose from, so they come last.
  const inOrder = [...arrows].sort((a, b) => Number(a.from === a.to) - Number(b.from === b.to));
  for (const { from, to, label } of inOrder) {
    const width = textWidth(label, size) + 0.8 * text;
    const ways = from === to ? loops(boxes[from], text) : bends(boxes, from, to);
    let best: { cost: number; line: Polyline; badge: Box } | null = null;
    for (const [k, whole] of ways.entries()) {
      const line = outside(whole, boxes[from], boxes[to], from === to);
      if (line.length < 2) continue;
      const others = boxes.filter((_, at) => at !== from && at !== to);
      const hits = others.filter((box) => crosses(line, box)).length;
      const leaves = line.some(
        ({ x, y }) =>
          x < area.x - 1.5 * text ||
          x > area.x + area.width + 1.5 * text ||
          y < area.y - 1.5 * text ||
          y > area.y + area.height + 1.5 * text,
      );
      for (const share of [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74]) {
        const { at } = alongPolyline(line, share * lengthOf(line));
        const badge = { x: at.x - width / 2, y: at.y - 0.65 * text, width, height: 1.3 * text };
        const isTaken =
          boxes.some((box) => overlap(box, badge)) || placed.some((other) => overlap(other.badge, badge));
        const near = placed.filter((other) => crosses(other.line, badge)).length;
        const over = placed.filter((other) => crosses(line, other.badge)).length;
        const tangled =
          from === to ? placed.filter((other) => crosses(other.line, extentOf(line))).length : 0;
        const cost =
          100 * hits +
          (leaves ? 40 : 0) +
          (isTaken ? 60 : 0) +
          12 * (near + over + tangled) +
          3 * k +
          4 * Math.abs(share - 0.5);
        if (best === null || cost < best.cost) best = { cost, line, badge };
      }
    }
    if (best !== null) placed.push({ from, to, label, line: best.line, badge: best.badge });
  }
  return placed;
}

/** Straight, then bent more and more to either side. */
function bends(boxes: readonly GraphBox[], from: number, to: number): Polyline[] {
  const [a, b] = [middle(boxes[from]), middle(boxes[to])];
  const length = Math.hypot(a.x - b.x, a.y - b.y);
  return [0, 0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.46, -0.46].map((share) => bow(a, b, share * length));
}

/** Over, under and beside a box. */
function loops(box: GraphBox, text: number): Polyline[] {
  const { x, y } = middle(box);
  const around = (dx: number, dy: number): Polyline => {
    const reach = 2.4 * text;
    const [ux, uy] = [dx === 0 ? 1 : 0, dx === 0 ? 0 : 1];
    const edge = { x: x + (dx * box.width) / 2, y: y + (dy * box.height) / 2 };
    return Array.from({ length: 25 }, (_, k) => {
      const turn = (k / 24) * Math.PI;
      const [across, out] = [-Math.cos(turn) * 1.1 * text, Math.sin(turn) * reach];
      return { x: edge.x + ux * across + dx * out, y: edge.y + uy * across + dy * out };
    });
  };
  return [around(0, -1), around(0, 1), around(1, 0), around(-1, 0)];
}

/** The part of a line between two boxes. */
function outside(line: Polyline, from: Box, to: Box, isLoop: boolean): Polyline {
  if (isLoop) return line;
  const isIn = ({ x, y }: Point, box: Box) =>
    x > box.x - 2 && x < box.x + box.width + 2 && y > box.y - 2 && y < box.y + box.height + 2;
  const fine: Point[] = [];
  const length = lengthOf(line);
  for (let step = 0; step <= 200; step++) fine.push(alongPolyline(line, (step / 200) * length).at);
  const first = fine.findIndex((point) => !isIn(point, from));
  const last = fine.findIndex((point, k) => k > first && isIn(point, to));
  return fine.slice(Math.max(0, first), last === -1 ? undefined : last);
}

function extentOf(line: Polyline): Box {
  const [xs, ys] = [line.map(({ x }) => x), line.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

function crosses(line: Polyline, box: Box): boolean {
  return line.some((point, k) => k > 0 && segmentInBox(line[k - 1], point, box));
}

function middle({ x, y, width, height }: Box): Point {
  return { x: x + width / 2, y: y + height / 2 };
}
