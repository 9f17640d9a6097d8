/** A message and a mark of a run, as a diagram shows them, without coordinates. */
import type { Flight } from '../trace/flights.ts';
import type { MessagePurpose } from '../trace/purpose.ts';

/** What a mark on a lifeline stands for. */
export type MarkKind =
  | 'start'
  | 'timer'
  | 'undelivered'
  | 'passive'
  | 'follower'
  | 'leader'
  | 'crash'
  | 'recover';

/** A mark on the lifeline of a node. */
export interface Mark {
  readonly kind: MarkKind;
  readonly event: number;
  readonly node: number;
  readonly time: number;
  /** The name of a timer, the term of a leader; '' without one. */
  readonly text: string;
  /** Upkeep alone follows from it. */
  readonly isQuiet: boolean;
  /** It is quiet, and in a fold: it is not shown. */
  readonly isFolded: boolean;
}

/** A message as a diagram of a run shows it. */
export interface Transfer extends Flight {
  readonly purpose: MessagePurpose;
  /** Delivered, and nothing followed. */
  readonly isSwallowed: boolean;
  /** Upkeep that decides nothing: it may be folded. */
  readonly isQuiet: boolean;
  /** It is quiet, and in a fold: it is counted, not shown. */
  readonly isFolded: boolean;
  /** The distance from the line between its ends, in units of the text size: messages with the same line lie side by side. */
  readonly lane: number;
}
