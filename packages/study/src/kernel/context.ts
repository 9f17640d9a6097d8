/**
 * What a handler can see and do. A node sees itself and its ports. Knowledge that the algorithm does not assume is absent
 * from this type, and reading it at run time is an error.
 */
import type { Assumptions, Knowledge } from './assumptions.ts';
import type { CustomMeasures } from './measure.ts';
import type { Messages, Sent } from './message.ts';
import type { Params, Settings } from './params.ts';

/** The decision of a node. */
export type Role = 'leader' | 'follower';

/** What every handler may do. */
export interface Verbs<
  M extends Messages,
  P extends Params,
  T extends string,
  W extends CustomMeasures = Record<never, never>,
> {
  /** The values of the parameters in this run. */
  readonly params: Settings<P>;
  /** True if `onStart` has run at this node; false at a node that a message reached before it started. */
  readonly initiator: boolean;
  /** The number of ports. Ports are numbered from 0. */
  readonly degree: number;
  /** 'next' or 'previous' on a ring; the label that an overlay gives. */
  label(port: number): string;
  /** Sends a message on a port, with its fields in the declared order. It leaves when the handler returns. */
  send<K extends keyof M & string>(port: number, type: K, ...fields: Sent<M[K]>): void;
  /** Sends the message that is being handled, unchanged. */
  forward(port: number): void;
  /** Starts a timer of this node, or restarts it. `onTimer` runs after these units, unless it is stopped. */
  setTimer(name: T, units: number): void;
  /** Stops a timer. */
  clearTimer(name: T): void;
  /** A uniformly random whole number from 1 to k. */
  random(k: number): number;
  /** Reports a figure of a measure that the algorithm declares, 1 by default. No handler can read it. */
  measure(name: keyof W & string, figure?: number): void;
  /**
   * Decides for a term. A leader names itself; a follower names its leader, except in an anonymous network. A decision
   * never changes within its term.
   */
  decide(role: Role, leader?: number, term?: number): void;
}

type Knows<A extends Assumptions, K extends Knowledge> = A['knows'] extends readonly (infer U)[]
  ? K extends U
    ? true
    : false
  : false;

/** What a handler sees: the verbs, and what the algorithm assumes to know. */
export type Context<
  A extends Assumptions,
  M extends Messages,
  P extends Params,
  T extends string,
  W extends CustomMeasures = Record<never, never>,
> = Verbs<M, P, T, W> &
  (A['ids'] extends 'unique'
    ? {
        /** The id of this node, with `ids: 'unique'`. NONE at an auxiliary process of an overlay. */
        readonly id: number;
      }
    : unknown) &
  (Knows<A, 'n'> extends true
    ? {
        /** The number of nodes, with `knows: ['n']`. */
        readonly n: number;
      }
    : unknown) &
  (Knows<A, 'diameter'> extends true
    ? {
        /** The diameter of the network, with `knows: ['diameter']`. */
        readonly diameter: number;
      }
    : unknown) &
  (Knows<A, 'neighbours'> extends true
    ? {
        /** The id of the node at the other end of a port, with `knows: ['neighbours']`. */
        neighbour(port: number): number;
      }
    : unknown) &
  (Knows<A, 'time'> extends true
    ? {
        /** The number of the round, with `knows: ['time']`; only in synchronous algorithms. */
        readonly now: number;
      }
    : unknown);
