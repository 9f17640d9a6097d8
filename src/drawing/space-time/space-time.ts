/**
 * A run as a space-time diagram: time runs downwards, one line per node, one arrow per message. Readable in grey print.
 *
 * Guarantees: no two texts overlap, by estimated widths. A label without a place is omitted, and their number is shown. An
 * arrow across the end of a ring leaves on one side and enters on the other.
 */
import { InputError } from '../../kernel/errors.ts';
import type { Topology } from '../../kernel/network/topology.ts';
import type { TraceEvent } from '../../kernel/trace.ts';
import { type PlacedText, Sheet } from '../sheet.ts';
import { arrowOf, drawArrow, LOST_AT, labelArrow, type Purpose } from './arrows.ts';
import { drawHeads, drawLifelines, drawTimeAxis, drawTitle } from './axes.ts';
import { flightsOf, isRing } from './flights.ts';
import { Frame } from './frame.ts';
import { LabelPlacer } from './label-placer.ts';
import { drawLegend } from './legend.ts';
import { lifelinesOf } from './lifelines.ts';
import { drawSign, labelMark, type Mark, marksOf, REACH } from './marks.ts';
import { abbreviate, explain, textsOf } from './message-texts.ts';

/** The title, the nodes and the names of a space-time diagram. */
export interface SpaceTimeOptions {
  readonly title: string;
  readonly subtitle: string;
  readonly topology: Topology;
  /** By position; null if nodes are anonymous. */
  readonly ids: Int32Array | null;
  /** The position of the leader, or null. */
  readonly leader: number | null;
  /** The message types of the announcement. */
  readonly announcements: readonly string[];
  /** The message types of upkeep; none by default. */
  readonly upkeep?: readonly string[] | undefined;
  /** The title of the vertical axis (default: time). */
  readonly axis?: 'time' | 'step' | undefined;
}

const MOST_NODES = 64;
const MOST_MESSAGES = 2000;
const MOST_EVENTS = 20_000;
const EDGE = 20;

/** Throws if the run is too large for a picture. */
export function checkDrawable(size: { nodes?: number; messages?: number; events?: number }): void {
  const refuse = (most: number, what: string, advice: string): never => {
    throw new InputError(`a space-time diagram holds at most ${most} ${what}: ${advice}, or do not draw it`);
  };
  if ((size.nodes ?? 0) > MOST_NODES) refuse(MOST_NODES, `nodes, not ${size.nodes}`, 'take fewer nodes');
  if ((size.messages ?? 0) > MOST_MESSAGES)
    refuse(MOST_MESSAGES, 'messages', 'take fewer nodes or initiators');
  if ((size.events ?? 0) > MOST_EVENTS)
    refuse(MOST_EVENTS, 'events', 'take fewer nodes or end the run earlier');
}

export interface Diagram {
  readonly svg: string;
  readonly texts: readonly PlacedText[];
  /** Labels without a place. */
  readonly omitted: number;
}

/** A space-time diagram of a run as SVG. */
export function spaceTimeDiagram(events: readonly TraceEvent[], options: SpaceTimeOptions): string {
  return drawSpaceTime(events, options).svg;
}

export function drawSpaceTime(events: readonly TraceEvent[], options: SpaceTimeOptions): Diagram {
  const { topology, ids, leader, announcements } = options;
  const n = topology.n;
  const flights = flightsOf(events, topology);
  // Processes of an overlay are few and do not count.
  checkDrawable({ nodes: ids?.length ?? n, messages: flights.length, events: events.length });
  const end = Math.max(1, ...events.map(endOf));
  const frame = new Frame(n, end, isRing(topology), leader);
  const purposeOf = (type: string): Purpose =>
    announcements.includes(type) ? 'announcement' : options.upkeep?.includes(type) ? 'upkeep' : 'election';
  const arrows = flights.map((flight) => arrowOf(flight, frame, purposeOf(flight.message.type)));
  const marks = marksOf(events, leader === null ? null : (ids?.[leader] ?? null));
  const sheet = new Sheet();

  drawTitle(sheet, options.title, options.subtitle, EDGE);
  drawHeads(sheet, frame, ids);
  drawTimeAxis(sheet, frame, options.axis ?? 'time');
  drawLifelines(sheet, frame, lifelinesOf(events, n, end));
  const reachAt = reachByPlace(marks);
  for (const arrow of arrows) {
    const { to, ended } = arrow.flight;
    drawArrow(sheet, arrow, ended === null ? 0 : (reachAt.get(placeKey(to, ended)) ?? 0));
  }
  // The leader's star is drawn last, so that nothing hides it.
  for (const { kind, node, time } of withLast(marks, 'leader'))
    drawSign(sheet, kind, { x: frame.x(node), y: frame.y(time) });

  const placer = new LabelPlacer(
    arrows.flatMap(({ segments }) => segments),
    [frame.axisX, ...Array.from({ length: n }, (_, at) => frame.x(at)), frame.right],
  );
  for (const { box } of sheet.texts) placer.reserve(box);
  for (const { kind, node, time } of marks) {
    const reach = REACH[kind];
    placer.reserve({
      x: frame.x(node) - reach,
      y: frame.y(time) - reach,
      width: 2 * reach,
      height: 2 * reach,
    });
  }
  const [quiet, loud] = [
    marks.filter(({ kind }) => kind === 'timer'),
    marks.filter(({ kind }) => kind !== 'timer'),
  ];
  for (const mark of loud) labelMark(sheet, placer, mark, frame);
  const short = abbreviate(arrows);
  let isShortened = false;
  for (const arrow of arrows) {
    const texts = textsOf(arrow, short);
    const placed = labelArrow(sheet, placer, arrow, frame, texts);
    if (placed.some(({ text }) => text !== texts[0])) isShortened = true;
  }
  for (const mark of quiet) labelMark(sheet, placer, mark, frame);

  const widest = Math.max(...sheet.texts.map(({ box }) => box.x + box.width));
  const width = Math.max(frame.right, widest, 420) + EDGE;
  const top = frame.bottom + 30;
  const notes = [
    ...(isShortened && explain(short) !== '' ? [explain(short)] : []),
    ...(placer.omitted > 0
      ? [`${placer.omitted} ${placer.omitted === 1 ? 'label' : 'labels'} left out for want of room`]
      : []),
  ];
  const height = drawLegend(sheet, arrows, marks, notes, EDGE, width - EDGE, top);
  const svg = sheet.render(width, top + height, `${options.title}: ${options.subtitle}`);
  return { svg, texts: sheet.texts, omitted: placer.omitted };
}

/** The marks of this kind last, otherwise in order. */
function withLast(marks: readonly Mark[], last: Mark['kind']): Mark[] {
  return [...marks.filter(({ kind }) => kind !== last), ...marks.filter(({ kind }) => kind === last)];
}

/** A lost message is drawn with a delay. */
function endOf(event: TraceEvent): number {
  return event.type === 'lost' ? Math.max(event.time, event.sent + LOST_AT) : event.time;
}

const placeKey = (node: number, time: number): string => `${node}@${time}`;

/** The distance that arrows keep from symbols. */
function reachByPlace(marks: readonly Mark[]): Map<string, number> {
  const reaches = new Map<string, number>();
  for (const { kind, node, time } of marks) {
    const key = placeKey(node, time);
    reaches.set(key, Math.max(reaches.get(key) ?? 0, REACH[kind]));
  }
  return reaches;
}
