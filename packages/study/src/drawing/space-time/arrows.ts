/** The line of a message within a strip: from its sender to its receiver, cut at the edges of the ring and of the strip. */
import type { Point } from '../svg.ts';
import type { StripFrame } from './layout.ts';
import type { ArrowEnd, LineStyle, SceneArrow, Segment } from './scene.ts';
import type { Transfer } from './transfer.ts';

/** How far the arrow of a lost message, or one in flight at the end, is drawn. */
const ON_THE_WAY = 0.5;

/** Null if nothing of it is in the window. `reach` is the radius of the mark at its end, `lane` the distance from its line. */
export function arrowOf(
  transfer: Transfer,
  frame: StripFrame,
  yOf: (node: number) => number,
  style: LineStyle,
  reach: number,
  lane: number,
): SceneArrow | null {
  const { ending, from, isDuplicate, sending, sent, to, wraps } = transfer;
  const x = (time: number): number => frame.left + frame.scale.at(time) - frame.scale.at(frame.from);
  const [start, end] = shifted(
    [
      { x: x(sent), y: yOf(from) },
      { x: x(arrivalOf(transfer)), y: yOf(to) },
    ],
    lane,
  );
  const last = endOf(transfer);
  const segments: { line: Segment; end: ArrowEnd }[] = [];
  if (wraps === 0) segments.push({ line: finished([start, end], transfer, frame, reach), end: last });
  else {
    const middle = (start.x + end.x) / 2;
    const out: Segment = [start, { x: middle, y: start.y + wraps * frame.overhang }];
    const back: Segment = [{ x: middle, y: end.y - wraps * frame.overhang }, end];
    const isSeenAgain = transfer.fate === 'delivered' || transfer.fate === 'receiver dead';
    segments.push({ line: out, end: isSeenAgain ? 'cut' : last });
    if (isSeenAgain) segments.push({ line: finished(back, transfer, frame, reach), end: last });
  }
  const shown = segments.flatMap(({ line, end }) => {
    const cut = clipped(line, frame.left - 0.5 * frame.text, frame.right);
    if (cut === null) return [];
    return [{ line: cut, end: cut[1] === line[1] ? end : ('cut' as const) }];
  });
  if (shown.length === 0) return null;
  return { purpose: style.purpose, stroke: style.stroke, sending, ending, isDuplicate, segments: shown };
}

function shifted([a, b]: Segment, lane: number): Segment {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [dx, dy] = [(-lane * (b.y - a.y)) / length, (lane * (b.x - a.x)) / length];
  return [
    { x: a.x + dx, y: a.y + dy },
    { x: b.x + dx, y: b.y + dy },
  ];
}

function arrivalOf({ ended, fate, sent }: Transfer): number {
  return ended === null || fate === 'link lossy' || fate === 'network partitioned' ? sent + 1 : ended;
}

function endOf({ fate, isSwallowed }: Transfer): ArrowEnd {
  if (fate === 'delivered') return isSwallowed ? 'bar' : 'head';
  return fate === 'in flight' ? 'flight' : 'cross';
}

/** Short of the mark, of the line of a dead receiver, or lost on the way. */
function finished(
  [a, b]: Segment,
  { fate, isSwallowed }: Transfer,
  frame: StripFrame,
  reach: number,
): Segment {
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const share =
    fate === 'delivered'
      ? 1 - Math.min(isSwallowed ? Math.max(reach, 2) : reach, length / 2) / length
      : fate === 'receiver dead'
        ? 1 - Math.min(0.75 * frame.text, length / 3) / length
        : ON_THE_WAY;
  return [a, along([a, b], share)];
}

export function along([a, b]: Segment, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** The part of a segment between two x; an end that is inside stays the same object. */
function clipped([a, b]: Segment, low: number, high: number): Segment | null {
  if (Math.max(a.x, b.x) < low || Math.min(a.x, b.x) > high) return null;
  const inside = (point: Point): Point => {
    if (point.x >= low && point.x <= high) return point;
    const x = point.x < low ? low : high;
    return { x, y: a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x) };
  };
  return [inside(a), inside(b)];
}
