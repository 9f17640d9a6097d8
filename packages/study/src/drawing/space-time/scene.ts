/**
 * A space-time diagram as data: rows, lines, bands, arrows, marks, labels and legend with their coordinates. It holds no
 * colours and no SVG; `render.ts` writes it as SVG, and a page may draw it by other means. Arrows, marks and labels refer to
 * the events that they show by their index in the trace.
 */
import type { PlacedText } from '../placed-text.ts';
import type { Point } from '../svg.ts';
import type { Box } from '../text-box.ts';
import type { MessagePurpose } from '../trace/purpose.ts';
import type { Span } from './lifelines.ts';
import type { MarkKind } from './transfer.ts';

/** A straight line. */
export type Segment = readonly [Point, Point];

/** A text of a diagram. */
export interface SceneText extends PlacedText {
  readonly role: 'title' | 'subtitle' | 'axis' | 'name' | 'band' | 'message' | 'mark' | 'legend' | 'note';
  /** The purpose of the message that it labels. */
  readonly purpose?: MessagePurpose;
  /** The index of the event that it labels. */
  readonly event?: number;
  /** What it stands on; paper by default. */
  readonly on?: 'band' | 'gold';
}

/** Types of messages with the same purpose differ in their strokes; 0 is solid for the election. */
export interface LineStyle {
  readonly purpose: MessagePurpose;
  readonly stroke: number;
}

/** How an arrow ends: received, swallowed, lost, still in flight, or cut by the edge of the ring or of a strip. */
export type ArrowEnd = 'head' | 'bar' | 'cross' | 'flight' | 'cut';

/** A message. */
export interface SceneArrow extends LineStyle {
  /** The indexes of the events that sent and ended the message. */
  readonly sending: number;
  readonly ending: number | null;
  /** In order; two if it crosses the end of a ring. */
  readonly segments: readonly { readonly line: Segment; readonly end: ArrowEnd }[];
  readonly isDuplicate: boolean;
}

/** An event at a node. */
export interface SceneMark {
  readonly kind: MarkKind;
  readonly event: number;
  readonly node: number;
  readonly at: Point;
  readonly radius: number;
}

/** A stretch of the lifeline of a node. */
export interface SceneLine {
  readonly node: number;
  readonly state: Span['state'];
  readonly y: number;
  readonly from: number;
  readonly until: number;
  readonly isFolded: boolean;
}

/** A background: folded time, a phase, the row of a leader. */
export interface SceneBand extends Box {
  readonly type: 'idle' | 'upkeep' | 'phase' | 'phase, odd' | 'leader';
  /** The label of folded time: it is shown instead of the type, if there is room. */
  readonly label?: string | undefined;
}

/** The head of a row, behind the name of its node. */
export interface SceneHead extends Box {
  readonly node: number;
  /** The state at the end of the window. */
  readonly state: Span['state'] | 'leader';
}

/** One line of the diagram: a window of time. */
export interface SceneStrip extends Box {
  /** In units. */
  readonly from: number;
  readonly until: number;
  readonly heads: readonly SceneHead[];
  readonly bands: readonly SceneBand[];
  /** The x of every whole time with a tick. */
  readonly ticks: readonly number[];
  readonly lines: readonly SceneLine[];
  readonly arrows: readonly SceneArrow[];
  readonly marks: readonly SceneMark[];
  /** Too many messages for labels: swallowed ones are drawn faintly, so that the others stand out. */
  readonly isCrowded: boolean;
}

/** What an entry of the legend explains. */
export type LegendSample =
  | ({ readonly type: 'line'; readonly end: ArrowEnd; readonly isDuplicate: boolean } & LineStyle)
  | { readonly type: 'mark'; readonly kind: MarkKind }
  | { readonly type: 'state'; readonly state: Span['state'] }
  | { readonly type: 'band'; readonly band: SceneBand['type'] };

/** An entry of the legend, without its text. */
export interface LegendEntry {
  readonly sample: LegendSample;
  readonly at: Box;
}

/** A whole picture. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  /** The base of all font sizes, line widths and radii. */
  readonly text: number;
  readonly strips: readonly SceneStrip[];
  readonly legend: readonly LegendEntry[];
  readonly texts: readonly SceneText[];
  /** Message labels without a place where no other arrow crosses them. */
  readonly omitted: number;
}
