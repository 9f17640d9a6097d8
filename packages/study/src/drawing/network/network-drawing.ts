/** Pictures of a network during a run: one moment, or a strip of moments. */
import { InputError } from '../../kernel/errors.ts';
import { isStep } from '../../kernel/trace.ts';
import { nameOfNode, placeText } from '../placed-text.ts';
import { DEFAULT_STYLE, type PictureSize, type PictureStyle, SHEET_SIZES } from '../style.ts';
import type { Point } from '../svg.ts';
import { type Box, textWidth } from '../text-box.ts';
import { purposeOf } from '../trace/purpose.ts';
import { type FrameChoice, frameIndexes, framesAt, type NetworkFrame, type RunRecord } from './frames.ts';
import { layoutNetwork } from './layout/layout.ts';
import type { NetworkLayout } from './layout/network-layout.ts';
import { type MessageLabel, messageLabels } from './message-labels.ts';
import { legendItems, notesOf, placeLegend } from './network-legend.ts';
import type { NetworkScene, NetworkText } from './network-scene.ts';
import { type PanelOptions, panelOf } from './panel.ts';
import { commonPhase, extentOf, marginAround } from './panel-scale.ts';
import { renderNetwork } from './render-network.ts';

/** A run, and the names that a picture of its network shows. */
export interface NetworkDrawingOptions extends RunRecord {
  readonly title: string;
  readonly subtitle: string;
  /** By position; null if nodes are anonymous. */
  readonly ids: Int32Array | null;
  readonly announcements: readonly string[];
  readonly upkeep: readonly string[];
  /** The weight of a link by the ids at its ends, if the algorithm declares one. */
  readonly weight?: ((low: number, high: number) => string) | undefined;
  /** The moments to show: 1, the end of the run, by default. */
  readonly frames?: FrameChoice | undefined;
}

const MAX_NODES = 64;
const MAX_FRAMES = 24;
/** On a label. */
const MAX_FIELDS = 3;

/** The network of a run as SVG. */
export function networkDrawing(options: NetworkDrawingOptions, style: PictureStyle = DEFAULT_STYLE): string {
  return renderNetwork(networkScene(options, style.size), `${options.title}: ${options.subtitle}`, style);
}

/** Throws if a network or a strip is too large for a picture. */
export function checkNetworkDrawable({
  nodes,
  frames = 1,
}: {
  nodes: number;
  frames?: FrameChoice | undefined;
}): void {
  if (nodes > MAX_NODES) {
    throw new InputError(
      `a picture of a network holds at most ${MAX_NODES} nodes, not ${nodes}: take fewer nodes`,
    );
  }
  if (frames !== 'decisions' && !(Number.isInteger(frames) && frames >= 1 && frames <= MAX_FRAMES)) {
    throw new InputError(`frames must be decisions or a whole number from 1 to ${MAX_FRAMES}, not ${frames}`);
  }
}

/** The network of a run as data. */
export function networkScene(
  options: NetworkDrawingOptions,
  size: PictureSize = DEFAULT_STYLE.size,
): NetworkScene {
  const { events, topology, frames: choice = 1 } = options;
  checkNetworkDrawable({ nodes: topology.n, frames: choice });
  const frames = framesAt(options, frameIndexes(events, choice).slice(0, MAX_FRAMES));
  const layout = layoutNetwork(topology);
  const omitted = ({ panels }: NetworkScene) => panels.reduce((sum, panel) => sum + panel.omitted, 0);
  const narrow = sceneOf(options, frames, layout, labelsOf(options, 1), size);
  // More fields are shown if no label is lost for them.
  for (let most = MAX_FIELDS; most > 1; most--) {
    const wide = sceneOf(options, frames, layout, labelsOf(options, most), size);
    if (omitted(wide) <= omitted(narrow)) return wide;
  }
  return narrow;
}

/** The labels of all messages of a run, with up to this many fields. */
export function labelsOf(options: NetworkDrawingOptions, most: number): ReadonlyMap<string, MessageLabel> {
  const messages = options.events.flatMap((event) => (event.type === 'send' ? [event.message] : []));
  return messageLabels(messages, (type) => purposeOf(type, options), most);
}

function sceneOf(
  options: NetworkDrawingOptions,
  frames: readonly NetworkFrame[],
  layout: NetworkLayout,
  labels: ReadonlyMap<string, MessageLabel>,
  size: PictureSize,
): NetworkScene {
  const { width, height, text } = SHEET_SIZES[size];
  const margin = 2 * text;
  const items = legendItems(frames, labels, layout);
  const room = { sample: null, text: '100 labels without room omitted' };
  const legendLines = placeLegend(
    [...items, room],
    { x: margin, y: 0, width: width - 2 * margin },
    text,
  ).height;
  const top = 5.4 * text;
  const legendTop = height - legendLines - 0.6 * text;
  const area = { x: margin, y: top, width: width - 2 * margin, height: legendTop - top - 0.6 * text };
  const panelText = Math.max(
    11,
    text * (frames.length === 1 ? 1 : frames.length <= 3 ? 0.9 : frames.length <= 6 ? 0.8 : 0.7),
  );
  const boxes = cells(frames.length, area, layout, marginAround(frames, panelText), panelText);
  const steps = options.events.filter(isStep).length;
  const panels = frames.map((frame, k) =>
    panelOf(
      frame,
      {
        ...panelOptions(options, layout, labels, frames),
        caption: frames.length === 1 ? null : captionOf(frame, steps),
      },
      boxes[k],
      panelText,
    ),
  );
  const legend = placeLegend(
    [...items, ...notesOf(panels)],
    { x: margin, y: legendTop + 0.6 * text, width: width - 2 * margin },
    text,
  );
  return {
    ...{ width, height, text, panels, legend: legend.entries },
    texts: [...drawingTitles(options, frames, width, margin, text), ...legend.texts],
  };
}

export function panelOptions(
  { topology, ids, weight }: NetworkDrawingOptions,
  layout: NetworkLayout,
  labels: ReadonlyMap<string, MessageLabel>,
  labelled: readonly NetworkFrame[],
): PanelOptions {
  return {
    topology,
    layout,
    labels,
    labelled,
    caption: null,
    isOneWay: topology.oneWay,
    name: nameOfNode(ids),
    weight: (a, b) => {
      if (weight === undefined || ids === null) return null;
      return weight(Math.min(ids[a], ids[b]), Math.max(ids[a], ids[b]));
    },
  };
}

/** 'step 3 of 20, time 1.5', and the phase of the network if all nodes are in the same. */
export function captionOf(frame: NetworkFrame, steps: number): string {
  const phase = commonPhase(frame);
  const moment = `step ${frame.step} of ${steps}, time ${Number(frame.time.toFixed(2))}`;
  return phase === null ? moment : `${moment}, ${phase}`;
}

export function drawingTitles(
  { title, subtitle, ids }: NetworkDrawingOptions,
  frames: readonly NetworkFrame[] | 'ids only',
  width: number,
  margin: number,
  text: number,
): NetworkText[] {
  const only = frames !== 'ids only' && frames.length === 1 ? frames[0] : null;
  const phase = only && commonPhase(only);
  const note = [
    `numbers in nodes: ${ids === null ? 'positions' : 'ids'}`,
    ...(only === null ? [] : ['at the end of the run']),
    ...(phase === null ? [] : [phase]),
  ].join(', ');
  return [
    placeText({ text: title, role: 'title', x: margin, y: 2 * text, size: 1.75 * text, isBold: true }),
    placeText({
      text: fitted(subtitle, width - 2 * margin, 0.95 * text),
      role: 'subtitle',
      x: margin,
      y: 3.9 * text,
      size: 0.95 * text,
    }),
    placeText({
      text: note,
      role: 'note',
      x: width - margin,
      y: 2 * text,
      size: 0.85 * text,
      anchor: 'end',
    }),
  ];
}

/** Cut at a word if it does not fit. */
function fitted(text: string, width: number, size: number): string {
  const words = text.split(' ');
  while (words.length > 1 && textWidth(words.join(' '), size) > width) {
    words.splice(-1 - Number(words.at(-1) === '…'), 2, '…');
  }
  return words.join(' ');
}

/** Rows and columns in which the panels are largest. */
function cells(count: number, area: Box, layout: NetworkLayout, margin: Point, text: number): Box[] {
  if (count === 1) return [area];
  const { left, right, top, bottom } = extentOf(layout);
  const [wide, high] = [right - left, bottom - top];
  const caption = 1.6 * text;
  const gap = text;
  let best = { columns: 1, rows: count, scale: 0 };
  for (let columns = 1; columns <= count; columns++) {
    const rows = Math.ceil(count / columns);
    const across = ((area.width - gap * (columns - 1)) / columns - 2 * margin.x) / Math.max(wide, 0.1);
    const down = ((area.height - gap * (rows - 1)) / rows - 2 * margin.y - caption) / Math.max(high, 0.1);
    // A layout that may be stretched uses the width of its panel.
    const scale = Math.sqrt(Math.min(across, down) * Math.min(across, layout.stretch * down));
    if (scale > best.scale + 1e-9) best = { columns, rows, scale };
  }
  const { columns, rows, scale } = best;
  const width = (area.width - gap * (columns - 1)) / columns;
  // Captions stay near their panels.
  const height = Math.min(
    (area.height - gap * (rows - 1)) / rows,
    Math.max(scale * high, 1) + 2 * margin.y + caption,
  );
  const between = Math.max(gap, Math.min(3 * gap, (area.height - rows * height) / (rows + 1)));
  const first = area.y + (area.height - rows * height - (rows - 1) * between) / 2;
  return Array.from({ length: count }, (_, k) => ({
    x: area.x + (k % columns) * (width + gap),
    y: first + Math.floor(k / columns) * (height + between),
    width,
    height,
  }));
}
