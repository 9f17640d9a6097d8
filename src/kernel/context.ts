/**
 * The verbs of a handler. A node sees itself, its ports and nothing else: what an algorithm does not assume to
 * know is neither in this type nor there at run time.
 */
import type { Assumptions, Knowledge } from './assumptions.ts';
import type { Messages, Sent } from './message.ts';
import type { Params, Settings } from './params.ts';

/** The decision of a node. */
export type Role = 'leader' | 'follower';

/** What every handler may do. */
export interface Verbs<M extends Messages, P extends Params, T extends string> {
  readonly params: Settings<P>;
  /** This node woke by itself: `onStart` has run here. */
  readonly initiator: boolean;
  readonly degree: number;
  /** 'next' and 'previous' on a ring; an overlay's own words. */
  label(port: number): string;
  /** Sends a message on a port. */
  send<K extends keyof M & string>(port: number, type: K, ...fields: Sent<M[K]>): void;
  /** Sends the message in hand on, unchanged. */
  forward(port: number): void;
  /** Starts, or starts again, a timer of this node's. */
  setTimer(name: T, units: number): void;
  /** Stops a timer. */
  clearTimer(name: T): void;
  /** A whole number 1..k, each as likely. */
  random(k: number): number;
  /**
   * Ends the election for this node, for a term. A leader names itself; a follower names the leader, except
   * among anonymous nodes. A decision never changes within its term.
   */
  decide(role: Role, leader?: number, term?: number): void;
}

type Knows<A extends Assumptions, K extends Knowledge> = A['knows'] extends readonly (infer U)[]
  ? K extends U
    ? true
    : false
  : false;

/** What a handler sees: the verbs, and what the algorithm assumes to know. */
export type Context<A extends Assumptions, M extends Messages, P extends Params, T extends string> = Verbs<
  M,
  P,
  T
> &
  // NONE at a position of an overlay that is no node.
  (A['ids'] extends 'unique' ? { readonly id: number } : unknown) &
  (Knows<A, 'n'> extends true ? { readonly n: number } : unknown) &
  (Knows<A, 'diameter'> extends true ? { readonly diameter: number } : unknown) &
  (Knows<A, 'neighbours'> extends true
    ? {
        /** The id behind a port. */
        neighbour(port: number): number;
      }
    : unknown) &
  (Knows<A, 'time'> extends true ? { readonly now: number } : unknown);
