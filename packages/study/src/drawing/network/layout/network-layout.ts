/** A layout: points by position, in units of its own, and lines between them. */
import type { Point } from '../../svg.ts';
import type { Polyline } from '../geometry.ts';

/** A link that is always drawn; `line` leads from `a` to `b`. */
export interface LayoutLink {
  readonly a: number;
  readonly b: number;
  readonly line: Polyline;
}

export interface NetworkLayout {
  /** By position. */
  readonly points: readonly Point[];
  readonly links: readonly LayoutLink[];
  /** How much more widths may be stretched than heights: 1 if a circle must stay a circle. */
  readonly stretch: number;
  /** Where a node's line meets a ring inside the first one. */
  readonly junctions: readonly Point[];
  /** The way of a message that a node sends on a port. */
  route(from: number, port: number): Polyline;
}
