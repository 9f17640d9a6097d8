/**
 * A run as a space-time diagram: time runs right, one row per node, one arrow per message. Readable in grey print.
 *
 * Guarantees: no two texts overlap and no arrow but its own crosses a label, by the widths of a wide font. A label without
 * a place is omitted, and their number is shown. No picture is taller than wide. An arrow across the end of a ring leaves at
 * the bottom and enters at the top, or the other way round.
 */
import { InputError } from '../../kernel/errors.ts';
import type { TraceEvent } from '../../kernel/trace.ts';
import { nameOfNode, placeText } from '../placed-text.ts';
import { DEFAULT_STYLE, type PictureSize, type PictureStyle, SHEET_SIZES } from '../style.ts';
import { textWidth } from '../text-box.ts';
import { isRing } from '../trace/flights.ts';
import { labelRoom } from './labels.ts';
import { layOut } from './layout.ts';
import { legendItems, legendLines, placeLegend } from './legend.ts';
import { labelledTypes } from './message-style.ts';
import { renderScene } from './render.ts';
import { rowOrder } from './rows.ts';
import type { Scene, SceneText } from './scene.ts';
import { type DrawnStrip, stripOf } from './strip.ts';
import { type Timeline, type TimelineOptions, timelineOf } from './timeline.ts';

/** The title, the nodes and the names of a space-time diagram. */
export interface SpaceTimeOptions extends TimelineOptions {
  readonly title: string;
  readonly subtitle: string;
  /** By position; null if nodes are anonymous. */
  readonly ids: Int32Array | null;
  /** The title of the time axis (default: time). */
  readonly axis?: 'time' | 'step' | undefined;
}

const MAX_NODES = 64;
const MAX_MESSAGES = 2000;
const MAX_EVENTS = 20_000;

/** Throws if the run is too large for a picture. */
export function checkDrawable(size: { nodes?: number; messages?: number; events?: number }): void {
  const refuse = (most: number, what: string, advice: string): never => {
    throw new InputError(`a space-time diagram holds at most ${most} ${what}: ${advice}, or do not draw it`);
  };
  if ((size.nodes ?? 0) > MAX_NODES) refuse(MAX_NODES, `nodes, not ${size.nodes}`, 'take fewer nodes');
  if ((size.messages ?? 0) > MAX_MESSAGES) refuse(MAX_MESSAGES, 'messages', 'take fewer nodes or initiators');
  if ((size.events ?? 0) > MAX_EVENTS)
    refuse(MAX_EVENTS, 'events', 'take fewer nodes or end the run earlier');
}

/** A space-time diagram of a run as SVG. */
export function spaceTimeDiagram(
  events: readonly TraceEvent[],
  options: SpaceTimeOptions,
  style: PictureStyle = DEFAULT_STYLE,
): string {
  const scene = drawSpaceTime(events, options, style.size);
  return renderScene(scene, `${options.title}: ${options.subtitle}`, style);
}

/** A space-time diagram of a run as data. */
export function drawSpaceTime(
  events: readonly TraceEvent[],
  options: SpaceTimeOptions,
  size: PictureSize = DEFAULT_STYLE.size,
): Scene {
  const { ids, topology } = options;
  const isEvent = ({ type }: TraceEvent): boolean => type !== 'state';
  const timeline = timelineOf(events, options);
  // Processes of an overlay are few and do not count.
  checkDrawable({
    nodes: ids?.length ?? topology.n,
    messages: timeline.transfers.length,
    events: events.filter(isEvent).length,
  });
  return sceneOf(timeline, options, size);
}

/** The picture of a whole run on a sheet. */
export function sceneOf(timeline: Timeline, options: SpaceTimeOptions, size: PictureSize): Scene {
  const { ids } = options;
  const sheet = SHEET_SIZES[size];
  const { text } = sheet;
  const rows = rowOrder(timeline.topology, ids);
  const nameOf = nameOfNode(ids);
  const headWidth = Math.max(1.9, ...rows.map((node) => textWidth(nameOf(node), 0.9, true) + 0.6));
  const { pieces } = timeline;

  // The legend needs the labels, which need the scale, which needs the height of the legend: begin with two lines.
  let legendHeight = legendLines(2, text);
  for (let pass = 0; ; pass++) {
    const layout = layOut({
      ...{ sheet, rows, pieces, headWidth, isRing: isRing(timeline.topology) },
      hasPhases: timeline.phases.length > 0,
      legendHeight,
    });
    const types = labelledTypes(timeline.types, labelRoom(layout.strips[0]));
    const strips = layout.strips.map((frame) =>
      stripOf(timeline, frame, { nameOf, types, sheetHeight: layout.height }),
    );
    const omitted = strips.reduce((sum, each) => sum + each.omitted, 0);
    const isUnlabelled = strips.every(({ strip }) => strip.isCrowded);
    const items = legendItems(
      timeline,
      strips.map(({ strip }) => strip),
      isUnlabelled ? labelledTypes(timeline.types, 0) : types,
    );
    const box = { x: layout.margin, y: layout.legendY, width: layout.width - 2 * layout.margin };
    const legend = placeLegend(items, notesOf(strips), box, text);
    if (legend.height > legendHeight + 0.1 && pass < 3) {
      legendHeight = legend.height;
      continue;
    }
    const texts: SceneText[] = [
      ...titles(options, layout.width, layout.margin, layout.titleText),
      ...strips.flatMap((each) => each.texts),
      ...legend.texts,
    ];
    return {
      ...{ width: layout.width, height: layout.height, text, texts, omitted },
      strips: strips.map(({ strip }) => strip),
      legend: legend.entries,
    };
  }
}

function titles(options: SpaceTimeOptions, width: number, margin: number, text: number): SceneText[] {
  const { axis = 'time', ids, subtitle, title } = options;
  const note = placeText({
    ...{ text: `rows: ${ids === null ? 'positions' : 'ids'}, ${axis} →`, role: 'note', anchor: 'end' },
    ...{ x: width - margin, y: 2 * text, size: 0.85 * text },
  });
  const room = note.box.x - margin - text;
  const size = Math.min(1.75 * text, room / textWidth(title, 1, true));
  const shown = fitted(subtitle, width - 2 * margin, text);
  return [
    placeText({ text: title, role: 'title', x: margin, y: 2 * text, size, isBold: true }),
    placeText({ text: shown, role: 'subtitle', x: margin, y: 3.9 * text, size: 0.95 * text }),
    note,
  ];
}

/** Cut at a word if it does not fit. */
function fitted(text: string, width: number, size: number): string {
  if (textWidth(text, 0.95 * size) <= width) return text;
  const words = text.split(' ');
  while (words.length > 1 && textWidth(`${words.join(' ')} …`, 0.95 * size) > width) words.pop();
  return `${words.join(' ')} …`;
}

/** What labels leave out. */
function notesOf(strips: readonly DrawnStrip[]): string[] {
  const omitted = strips.reduce((sum, each) => sum + each.omitted, 0);
  const unlabelled = strips.filter(({ strip }) => strip.isCrowded);
  const hidden = unlabelled.reduce((sum, { strip }) => sum + strip.arrows.length, 0);
  return [
    ...(hidden > 0 ? [`${hidden} messages without labels`] : []),
    ...(omitted > 0 ? [`${omitted} ${omitted === 1 ? 'label' : 'labels'} omitted`] : []),
  ];
}
