/**
 * Messages as arrows: solid for the election, dashed for announcements, dotted for upkeep, so that they differ in grey
 * print too.
 */
import { GREY, INK, type Sheet, type SheetText } from '../sheet.ts';
import { crossAround, element, type Point, pathOf } from '../svg.ts';
import { textBox } from '../text-box.ts';
import type { Flight } from './flights.ts';
import type { Frame } from './frame.ts';
import type { LabelPlacer, LabelPosition, Segment } from './label-placer.ts';

const ANNOUNCEMENT = '#a4470c';
export const LOSS = '#a3142e';
const DASH = '6 3.5';
const DOTS = '1.5 3';
const HEAD = 7.5;
/** How far the arrow of a lost message is drawn. */
export const LOST_AT = 0.45;
/** The label is above the line, below it, or on it with a gap. */
const SIDES = [1, -1, 0] as const;
const SIDE_COST = { 1: 0, [-1]: 0.4, 0: 1.5 } as const;
/** Positions along an arrow, in order of preference. */
const PLACES = [0.5, 0.42, 0.58, 0.34, 0.66, 0.26, 0.74, 0.82];

export type Purpose = 'election' | 'announcement' | 'upkeep';

/** Colour and dashes by the purpose of a message. */
export const LINES: Readonly<
  Record<Purpose, { readonly stroke: string; readonly dash: string | undefined }>
> = {
  election: { stroke: INK, dash: undefined },
  announcement: { stroke: ANNOUNCEMENT, dash: DASH },
  upkeep: { stroke: GREY, dash: DOTS },
};

export interface Arrow {
  readonly flight: Flight;
  readonly purpose: Purpose;
  /** One segment, or two if it crosses the end of the ring: the last one has the arrow head. */
  readonly segments: readonly Segment[];
}

export function arrowOf(flight: Flight, frame: Frame, purpose: Purpose): Arrow {
  const { wraps } = flight;
  const start = { x: frame.x(flight.from), y: frame.y(flight.sent) };
  const due = flight.ended ?? Math.max(frame.end, flight.sent + 1);
  // A lost message has no delay: it is drawn with a delay of one unit.
  const arrival = flight.fate === 'link lossy' ? flight.sent + 1 : due;
  const end = { x: frame.x(flight.to), y: frame.y(arrival) };
  if (wraps === 0) return { flight, purpose, segments: [shortened([start, end], flight)] };
  const middle = (start.y + end.y) / 2;
  const out: Segment = [start, { x: start.x + wraps * frame.overhang, y: middle }];
  const back: Segment = [{ x: end.x - wraps * frame.overhang, y: middle }, end];
  const isSeenAgain = flight.fate === 'delivered' || flight.fate === 'receiver dead';
  return { flight, purpose, segments: isSeenAgain ? [out, back] : [out] };
}

function shortened([start, end]: Segment, { fate }: Flight): Segment {
  if (fate === 'delivered' || fate === 'receiver dead') return [start, end];
  return [start, along([start, end], LOST_AT)];
}

function along([a, b]: Segment, share: number): Point {
  return { x: a.x + (b.x - a.x) * share, y: a.y + (b.y - a.y) * share };
}

/** `clear` is the distance at which an arrow stops before a mark. */
export function drawArrow(sheet: Sheet, { flight, purpose, segments }: Arrow, clear: number): void {
  const { stroke } = LINES[purpose];
  const dash = { 'stroke-dasharray': LINES[purpose].dash };
  segments.forEach(([a, b], index) => {
    const isLast = index === segments.length - 1;
    const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
    const tip = isLast ? along([a, b], 1 - Math.min(clear, length / 2) / length) : b;
    const hasHead = isLast && flight.fate === 'delivered';
    const neck = hasHead ? along([a, tip], Math.max(0, 1 - HEAD / length)) : tip;
    sheet.shapes.push(
      element('path', { d: pathOf([a, neck], false), stroke, 'stroke-width': 1.3, fill: 'none', ...dash }),
    );
    if (hasHead) sheet.shapes.push(element('path', { d: headAt(a, tip), fill: stroke }));
    else if (isLast && flight.fate !== 'in flight') {
      sheet.shapes.push(lossAt(tip));
    }
  });
}

/** The cross at the end of a lost message. */
export function lossAt(at: Point): string {
  return element('path', { d: crossAround(at, 4.5), stroke: LOSS, 'stroke-width': 2.2, fill: 'none' });
}

function headAt(from: Point, tip: Point): string {
  const angle = Math.atan2(tip.y - from.y, tip.x - from.x);
  const corner = (turn: number) => ({
    x: tip.x - HEAD * Math.cos(angle + turn),
    y: tip.y - HEAD * Math.sin(angle + turn),
  });
  return pathOf([tip, corner(0.38), corner(-0.38)], true);
}

/** Beside the line if there is space, in full if possible. Both halves of an arrow across the end of a ring are labelled. */
export function labelArrow(
  sheet: Sheet,
  placer: LabelPlacer,
  arrow: Arrow,
  frame: Frame,
  texts: readonly string[],
): SheetText[] {
  const shared = {
    size: frame.labelSize,
    anchor: 'middle',
    fill: LINES[arrow.purpose].stroke,
  } as const;
  const places = arrow.segments.map((segment) =>
    placer.place(
      texts.flatMap((text, brevity) =>
        PLACES.flatMap((share, order) =>
          SIDES.map((side): LabelPosition => {
            const { x, y } = beside(segment, share, side, text, frame.labelSize);
            const cost = 2.5 * brevity + 0.3 * order + SIDE_COST[side];
            return { ...shared, text, x, y, halo: frame.paperAt(x), cost };
          }),
        ),
      ),
      segment,
    ),
  );
  const found = places.filter((place) => place !== null);
  for (const place of found) sheet.write(place);
  // A label on one of the two halves is sufficient.
  placer.omitted -= found.length > 0 ? places.length - found.length : places.length - 1;
  return found;
}

/** The centre of a text that touches a line from above (1), from below (−1), or lies on it (0). */
function beside([a, b]: Segment, share: number, side: 1 | 0 | -1, text: string, size: number): Point {
  const at = along([a, b], share);
  const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  // The normal that points upwards.
  const turn = b.x >= a.x ? 1 : -1;
  const normal = { x: (turn * (b.y - a.y)) / length, y: (-turn * (b.x - a.x)) / length };
  const { width, height } = textBox(text, size, 0, 0, 'middle');
  const away = side * ((width / 2) * Math.abs(normal.x) + (height / 2) * Math.abs(normal.y) + 1);
  return { x: at.x + away * normal.x, y: at.y + away * normal.y };
}
