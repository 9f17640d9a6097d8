/**
 * Invariants: conditions that hold in every run of an algorithm, each with a name and a sentence that states it. The
 * simulator checks them after every event, the checker in every state; a violation is reported under the name.
 *
 * An invariant of one node reads the node's state before and after one of its steps. It cannot see the other nodes or
 * its position, so it holds or fails independently of the order of steps at different nodes and of a rotation of the
 * ids, and the checker keeps its reductions. An invariant of the network reads all nodes and all messages in flight
 * at one moment: the checker then visits every state.
 */
import type { Fields, View } from './field.ts';
import type { Messages, Received } from './message.ts';
import type { Params, Settings } from './params.ts';

/** The change of one node by one step: a start, a delivery, a timer, a notice, a crash or a recovery. */
export interface NodeChange<S extends Fields = Fields, P extends Params = Params> {
  /** The state after the step. In the initial state both are equal. */
  readonly state: Readonly<View<S>>;
  /** The state before the step. */
  readonly before: Readonly<View<S>>;
  /** The id of the node; NONE in an anonymous network. */
  readonly id: number;
  /** The number of its ports. */
  readonly degree: number;
  /** The values of the parameters. */
  readonly params: Settings<P>;
  /** The id of the node at a port. */
  neighbour(port: number): number;
}

/** An invariant of one node: a condition on every step of every node. */
export interface NodeInvariant<S extends Fields = Fields, P extends Params = Params> {
  /** The condition, as a sentence without a full stop. */
  readonly statement: string;
  /** Whether the invariant holds. */
  holds(change: NodeChange<S, P>): boolean;
}

/** A node as an invariant of the network reads it. */
export interface NetworkNode<S extends Fields = Fields> {
  /** The id of the node; NONE in an anonymous network, and at auxiliary processes. */
  readonly id: number;
  /** Its state. */
  readonly state: Readonly<View<S>>;
  /** `onStart` has run at this node. */
  readonly started: boolean;
  /** The node has crashed. */
  readonly dead: boolean;
  /** The number of its ports. */
  readonly degree: number;
  /** The position of the node at a port. */
  neighbour(port: number): number;
}

/** A message that has been sent and has neither arrived nor been lost. */
export interface NetworkMessage<M extends Messages = Messages> {
  /** Positions. */
  readonly from: number;
  readonly to: number;
  readonly message: Received<M>;
}

/** The whole network between two steps. In synchronous rounds: between two rounds. */
export interface NetworkMoment<
  S extends Fields = Fields,
  M extends Messages = Messages,
  P extends Params = Params,
> {
  /** The nodes by position. */
  readonly nodes: readonly NetworkNode<S>[];
  /** The messages in flight, in no particular order. */
  readonly messages: readonly NetworkMessage<M>[];
  /** The values of the parameters. */
  readonly params: Settings<P>;
}

/** An invariant of the whole network: a condition at every moment. */
export interface NetworkInvariant<
  S extends Fields = Fields,
  M extends Messages = Messages,
  P extends Params = Params,
> {
  /** The condition, as a sentence without a full stop. */
  readonly statement: string;
  /** Whether the invariant holds. */
  holds(moment: NetworkMoment<S, M, P>): boolean;
}

/** The invariants of an algorithm by name: words in lower case, joined by hyphens. No name occurs in both. */
export interface Invariants<
  S extends Fields = Fields,
  M extends Messages = Messages,
  P extends Params = Params,
> {
  /** Conditions on every step of every node. */
  readonly node?: Readonly<Record<string, NodeInvariant<S, P>>>;
  /** Conditions on the whole network at every moment. */
  readonly network?: Readonly<Record<string, NetworkInvariant<S, M, P>>>;
}

/** All of an algorithm's invariants, those of one node, none, or those with these names. */
export type InvariantChoice = 'all' | 'node' | 'none' | readonly string[];
