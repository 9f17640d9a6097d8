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
  /** Widths and heights have the same scale: a circle stays a circle. */
  readonly keepsShape: boolean;
  /** Where a node's line meets a ring inside the first one. */
  readonly junctions: readonly Point[];
  /** The way of a message that a node sends on a port. */
  route(from: number, port: number): Polyline;
}
