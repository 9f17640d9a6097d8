/** One strip of a diagram: a window of time with all that happens in it. */
import type { Box } from '../text-box.ts';
import { arrowOf } from './arrows.ts';
import { LabelPlacer } from './label-placer.ts';
import { type DrawnArrow, labelArrows, labelMarks } from './labels.ts';
import type { StripFrame } from './layout.ts';
import type { MessageTypeStyle } from './message-style.ts';
import type { SceneMark, SceneStrip, SceneText } from './scene.ts';
import { axisOf, bandsOf, headsOf, linesOf, type Placement } from './strip-background.ts';
import type { Timeline } from './timeline.ts';
import type { Mark, MarkKind, Transfer } from './transfer.ts';

/** With more messages in view their labels are left out: some 70 on a slide. `text`² is the unit of area. */
const LABELLED_PER_AREA = 0.022;

/** The radius of each mark in units of the text size. */
export const MARK_RADIUS: Readonly<Record<MarkKind, number>> = {
  start: 0.26,
  timer: 0.3,
  undelivered: 0.32,
  passive: 0.3,
  follower: 0.4,
  leader: 0.8,
  crash: 0.45,
  recover: 0.36,
};

export interface DrawnStrip {
  readonly strip: SceneStrip;
  readonly texts: readonly SceneText[];
  /** Labels without a place. */
  readonly omitted: number;
}

export interface StripOptions {
  readonly types: ReadonlyMap<string, MessageTypeStyle>;
  /** The name of a node on its row. */
  readonly nameOf: (node: number) => string;
  /** The height of the picture. */
  readonly sheetHeight: number;
}

export function stripOf(timeline: Timeline, frame: StripFrame, options: StripOptions): DrawnStrip {
  const { firstY, from, left, overhang, pitch, right, rows, scale, text, until } = frame;
  const rowOf = new Map(rows.map((node, row) => [node, row]));
  const box = {
    ...{ x: left, width: right - left },
    ...{ y: firstY - overhang, height: (rows.length - 1) * pitch + 2 * overhang },
  };
  const placement: Placement = {
    ...{ frame, box },
    x: (time) => left + scale.at(time) - scale.at(from),
    y: (node) => firstY + (rowOf.get(node) ?? 0) * pitch,
  };
  const marks = marksIn(timeline, placement);
  const arrows = arrowsIn(timeline, placement, options);
  const texts: SceneText[] = [];
  const bands = bandsOf(timeline, placement, texts);
  const heads = headsOf(timeline, placement, options.nameOf, texts);
  const ticks = axisOf(placement, bands, texts);
  const lines = linesOf(timeline, placement);

  const placer = new LabelPlacer(arrows.flatMap(({ arrow }) => arrow.segments.map(({ line }) => line)));
  for (const { at, radius } of marks) placer.reserve(around(at, radius));
  for (const label of texts) placer.reserve(label.box);
  for (const node of rows) placer.reserve({ ...box, y: placement.y(node) - 1, height: 2 });
  texts.push(...labelMarks(marks, placer, placement, timeline.timers.size > 1));
  const isCrowded = arrows.length > (LABELLED_PER_AREA * box.width * options.sheetHeight) / text ** 2;
  const labels = isCrowded ? null : labelArrows(arrows, placer, options.types, box, text);
  texts.push(...(labels?.texts ?? []));
  const isOnBand = ({ x }: SceneText): boolean =>
    bands.some(
      (band) => band.type !== 'leader' && band.type !== 'phase' && x > band.x && x < band.x + band.width,
    );
  return {
    strip: {
      ...{ ...box, from, until, heads, bands, ticks, lines, isCrowded },
      marks: leadersLast(marks.map(({ label: _, ...mark }) => mark)),
      arrows: arrows.map(({ arrow }) => arrow),
    },
    texts: texts.map((each) => (isOnBand(each) ? { ...each, on: 'band' } : each)),
    omitted: labels?.omitted ?? 0,
  };
}

function marksIn({ marks }: Timeline, { frame, x, y }: Placement): (SceneMark & { label: string })[] {
  const { from, until } = frame;
  return (
    marks
      // What happens at a cut belongs to the end of the strip before it.
      .filter(({ time }) => (time > from || from === 0) && time <= until)
      .filter(({ isFolded }) => !isFolded)
      .map(({ event, kind, node, text, time }) => ({
        ...{ kind, event, node, label: text },
        at: { x: x(time), y: y(node) },
        radius: radiusOf(kind, frame),
      }))
  );
}

function radiusOf(kind: MarkKind, { pitch, text }: StripFrame): number {
  return Math.min(MARK_RADIUS[kind] * text, 0.45 * pitch);
}

function arrowsIn(
  { end, marks, transfers }: Timeline,
  { frame, y }: Placement,
  { types }: StripOptions,
): DrawnArrow[] {
  const seen = transfers.filter((transfer) => !transfer.isFolded && isInWindow(transfer, frame, end));
  const reaches = reachesOf(marks, frame);
  return seen.flatMap((transfer) => {
    const style = types.get(transfer.message.type);
    if (style === undefined) return [];
    const reach = reaches.get(placeKey(transfer.to, transfer.ended)) ?? 0;
    const arrow = arrowOf(transfer, frame, y, style, reach, transfer.lane * frame.text);
    return arrow === null ? [] : [{ transfer, arrow }];
  });
}

/** What is sent at the end of a window belongs to the next one, if there is one. */
function isInWindow({ ended, sent }: Transfer, { from, until }: StripFrame, end: number): boolean {
  return (sent < until || until >= end) && (ended ?? sent + 1) > from;
}

const placeKey = (node: number, time: number | null): string => `${node}@${time}`;

/** The distance that arrows keep from marks. */
function reachesOf(marks: readonly Mark[], frame: StripFrame): Map<string, number> {
  const reaches = new Map<string, number>();
  for (const { kind, node, time } of marks) {
    if (kind === 'timer' || time < frame.from || time > frame.until) continue;
    const key = placeKey(node, time);
    reaches.set(key, Math.max(reaches.get(key) ?? 0, radiusOf(kind, frame)));
  }
  return reaches;
}

function around(at: { x: number; y: number }, radius: number): Box {
  return { x: at.x - radius, y: at.y - radius, width: 2 * radius, height: 2 * radius };
}

/** Nothing hides the star. */
function leadersLast(marks: readonly SceneMark[]): SceneMark[] {
  const isLeader = ({ kind }: SceneMark): boolean => kind === 'leader';
  return [...marks.filter((mark) => !isLeader(mark)), ...marks.filter(isLeader)];
}
