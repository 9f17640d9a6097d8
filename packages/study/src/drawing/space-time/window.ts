/**
 * A window of time as a scene of one strip, for a page that scrolls or zooms: only what is in the window is placed. The
 * timeline is computed once; a window costs as much as it shows.
 */

import { nameOfNode } from '../placed-text.ts';
import { textWidth } from '../text-box.ts';
import { isRing } from '../trace/flights.ts';
import { labelRoom } from './labels.ts';
import { labelledTypes, type MessageTypeStyle } from './message-style.ts';
import { rowOrder } from './rows.ts';
import type { SceneStrip, SceneText } from './scene.ts';
import { stripOf } from './strip.ts';
import { TimeScale } from './time-scale.ts';
import type { Timeline } from './timeline.ts';

/** What is seen of a timeline, and on which area. */
export interface TimelineWindow {
  /** In units. */
  readonly from: number;
  readonly until: number;
  /** In pixels. */
  readonly width: number;
  readonly height: number;
  /** The base of all font sizes and radii. */
  readonly text: number;
  /** By position; null if nodes are anonymous. */
  readonly ids: Int32Array | null;
  /** The width of folded time in pixels; six times `text` unless given. */
  readonly fold?: number | undefined;
}

/** A strip with its texts. */
export interface WindowScene {
  readonly strip: SceneStrip;
  readonly texts: readonly SceneText[];
  /** For a legend. */
  readonly types: ReadonlyMap<string, MessageTypeStyle>;
  /** The x of a time: the inverse of where the pointer is. */
  readonly xOf: (time: number) => number;
}

/** The axis labels are at the top, the heads of the rows on the left. */
export function windowScene(timeline: Timeline, view: TimelineWindow): WindowScene {
  const { fold = 6 * view.text, from, height, ids, text, until, width } = view;
  const rows = rowOrder(timeline.topology, ids);
  const nameOf = nameOfNode(ids);
  const names = rows.map((node) => textWidth(nameOf(node), 0.9 * text, true) + 0.6 * text);
  const left = Math.max(1.9 * text, ...names) + 1.3 * text;
  const right = width;
  const pieces = timeline.pieces
    .filter((piece) => piece.until > from && piece.from < until)
    .map((piece) => ({
      ...piece,
      from: Math.max(piece.from, from),
      until: Math.min(piece.until, until),
    }));
  const busy = pieces.reduce((sum, piece) => sum + (piece.fold === null ? piece.until - piece.from : 0), 0);
  const folds = pieces.filter((piece) => piece.fold !== null).length;
  const room = Math.max(text, right - left - 1.4 * text - folds * fold);
  const scale = new TimeScale(pieces, room / Math.max(busy, 1e-9), fold);
  const axis = (timeline.phases.length > 0 ? 3 : 1.7) * text;
  const share = isRing(timeline.topology) ? 0.62 : 0.5;
  const pitch = (height - axis) / (rows.length - 1 + 2 * share);
  const frame = {
    ...{ scale, from, until, left, right, rows, text, pitch, overhang: share * pitch, edge: 0 },
    ...{ axisY: 0.8 * text, phaseY: 2.2 * text, firstY: axis + share * pitch },
  };
  const types = labelledTypes(timeline.types, labelRoom(frame));
  const { strip, texts } = stripOf(timeline, frame, { types, nameOf, sheetHeight: height });
  return { strip, texts, types, xOf: (time) => left + scale.at(time) - scale.at(from) };
}
