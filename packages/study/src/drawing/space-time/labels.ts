/** The labels of marks and messages. */

import { placeText } from '../placed-text.ts';
import type { Point } from '../svg.ts';
import { type Box, textWidth } from '../text-box.ts';
import { along } from './arrows.ts';
import type { LabelPlacer } from './label-placer.ts';
import type { StripFrame } from './layout.ts';
import { labelOf, type MessageTypeStyle } from './message-style.ts';
import type { SceneArrow, SceneMark, SceneText, Segment } from './scene.ts';
import type { Placement } from './strip-background.ts';
import type { Transfer } from './transfer.ts';

export interface DrawnArrow {
  readonly transfer: Transfer;
  readonly arrow: SceneArrow;
}

/** The terms of leaders, and the names of timers if there are several. */
export function labelMarks(
  marks: readonly (SceneMark & { readonly label: string })[],
  placer: LabelPlacer,
  { box, frame: { text } }: Placement,
  namesTimers: boolean,
): SceneText[] {
  return marks.flatMap(({ at, event, kind, label, radius }) => {
    const isNamed = kind === 'timer' ? namesTimers : kind === 'leader';
    if (label === '' || !isNamed) return [];
    const away = radius + 0.25 * text;
    const drop = Math.max(radius, 0.75 * text);
    const candidates = [-1, 1]
      .flatMap((side) => [
        { x: at.x + away, y: at.y + side * drop, anchor: 'start' as const },
        { x: at.x - away, y: at.y + side * drop, anchor: 'end' as const },
        { x: at.x, y: at.y + side * (radius + 0.6 * text), anchor: 'middle' as const },
      ])
      .map((place) => placeText({ ...place, text: label, role: 'mark', size: 0.8 * text, event }))
      .filter((each) => isWithin(each.box, box));
    const placed = candidates.find((each) => placer.take(each.box));
    return placed === undefined ? [] : [placed];
  });
}

/** Font size of message labels, in units of the text size. */
const SIZE = 0.85;

/** The width of a message label, as a multiple of its font size. */
export function labelRoom({ scale, text }: StripFrame): number {
  return Math.max(2.2, Math.min((0.95 * scale.unit) / text, 7)) / SIZE;
}

/** Positions along an arrow, in order of preference. */
const SHARES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.82];

/** Three or more equal messages of one handler have one label. */
export function labelArrows(
  arrows: readonly DrawnArrow[],
  placer: LabelPlacer,
  types: ReadonlyMap<string, MessageTypeStyle>,
  bounds: Box,
  text: number,
): { readonly texts: readonly SceneText[]; readonly omitted: number } {
  const texts: SceneText[] = [];
  let omitted = 0;
  for (const [label, fan] of fansOf(arrows, types)) {
    let isPlaced = false;
    for (const drawn of fan) {
      if (isPlaced && fan.length > 2) break;
      const placed = labelArrow(drawn, label, placer, bounds, text);
      if (placed !== null) texts.push(placed);
      if (placed === null && fan.length < 3) omitted++;
      isPlaced ||= placed !== null;
    }
    if (!isPlaced && fan.length > 2) omitted++;
  }
  return { texts, omitted };
}

/** Messages of one handler with the same label. */
function fansOf(
  arrows: readonly DrawnArrow[],
  types: ReadonlyMap<string, MessageTypeStyle>,
): [string, DrawnArrow[]][] {
  const fans = new Map<string, [string, DrawnArrow[]]>();
  for (const drawn of arrows) {
    const { from, message, sent } = drawn.transfer;
    const style = types.get(message.type);
    const label = style === undefined ? '' : labelOf(message, style);
    if (label === '') continue;
    const key = `${from}@${sent} ${message.type} ${label}`;
    const fan = fans.get(key);
    if (fan === undefined) fans.set(key, [label, [drawn]]);
    else fan[1].push(drawn);
  }
  return [...fans.values()];
}

/** On the line, or beside it; on either half of an arrow across the end of a ring. */
function labelArrow(
  { arrow, transfer }: DrawnArrow,
  label: string,
  placer: LabelPlacer,
  bounds: Box,
  text: number,
): SceneText | null {
  const size = SIZE * text;
  const own = arrow.segments.map(({ line }) => line);
  const shared = {
    ...({ text: label, role: 'message', size, anchor: 'middle' } as const),
    ...{ purpose: arrow.purpose, event: transfer.sending },
  };
  const longestFirst = [...own].sort((a, b) => lengthOf(b) - lengthOf(a));
  for (const side of [0, 1, -1]) {
    for (const line of longestFirst) {
      for (const share of SHARES) {
        const candidate = placeText({ ...shared, ...beside(line, share, side, label, size) });
        if (isWithin(candidate.box, bounds) && placer.take(candidate.box, own)) return candidate;
      }
    }
  }
  return null;
}

function lengthOf([a, b]: Segment): number {
  return Math.hypot(b.x - a.x, b.y - a.y);
}

function isWithin(box: Box, bounds: Box): boolean {
  return (
    box.x >= bounds.x &&
    box.y >= bounds.y &&
    box.x + box.width <= bounds.x + bounds.width &&
    box.y + box.height <= bounds.y + bounds.height
  );
}

/** The centre of a text that touches a line from above (1), from below (−1), or lies on it (0). */
function beside(line: Segment, share: number, side: number, label: string, size: number): Point {
  const [a, b] = line;
  const at = along(line, share);
  const length = lengthOf(line) || 1;
  // The normal that points upwards.
  const turn = b.x >= a.x ? 1 : -1;
  const normal = { x: (turn * (b.y - a.y)) / length, y: (-turn * (b.x - a.x)) / length };
  const half = textWidth(label, size) / 2;
  const away = side * (half * Math.abs(normal.x) + 0.6 * size * Math.abs(normal.y) + 1);
  return { x: at.x + away * normal.x, y: at.y + away * normal.y };
}
