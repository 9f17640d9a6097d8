/** A small directed graph as data: first by its states and arrows, then with coordinates. It holds no colours and no SVG. */
import type { Polyline } from '../network/geometry.ts';
import type { Box } from '../text-box.ts';

/** A state of the graph. */
export interface DrawnState {
  readonly lines: readonly string[];
  readonly isInitial: boolean;
  /** leader: gold; end: a double outline. */
  readonly mark: 'leader' | 'end' | 'dead' | null;
  /** By default columns follow the distance from the initial states. */
  readonly column?: number;
}

/** An arrow of the graph. */
export interface LabelledArrow {
  readonly from: number;
  readonly to: number;
  /** On the arrow: a number of the table, or a short text. */
  readonly label: string;
}

/** A directed graph with its names. */
export interface GraphDrawing {
  readonly title: string;
  readonly subtitle: string;
  readonly states: readonly DrawnState[];
  readonly arrows: readonly LabelledArrow[];
  /** Lines beside the graph: what the labels mean. */
  readonly table: readonly { readonly label: string; readonly text: string }[];
  /** Below the graph. */
  readonly note: string;
}

/** A placed state. */
export interface GraphBox extends Box {
  readonly state: DrawnState;
}

/** A placed arrow with the place of its label. */
export interface GraphArrow {
  readonly from: number;
  readonly to: number;
  readonly line: Polyline;
  readonly label: string;
  readonly badge: Box;
}

/** A graph with coordinates. */
export interface GraphScene {
  readonly width: number;
  readonly height: number;
  readonly text: number;
  readonly boxes: readonly GraphBox[];
  readonly arrows: readonly GraphArrow[];
  readonly rows: readonly {
    readonly label: string;
    readonly text: string;
    readonly x: number;
    readonly y: number;
  }[];
}
