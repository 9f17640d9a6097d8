/**
 * What an election algorithm is: a state machine without clock, wire or die of its own.
 *
 * It declares its state, its messages and what it assumes, and handles one event at a time through the verbs
 * of its context. A handler runs to completion; what it sends leaves after it has returned, and a handler that
 * throws sends nothing. The same value is simulated, checked, drawn and run between processes.
 */
import type { Assumptions } from './assumptions.ts';
import type { Context } from './context.ts';
import type { Fields, View } from './field.ts';
import type { Law } from './law.ts';
import type { Messages, Received, ReceivedAs } from './message.ts';
import type { Topology } from './network/topology.ts';
import type { Params, Settings } from './params.ts';

/**
 * What calls the election: the start of the system; the death of the coordinator, which has the largest id; or that
 * somebody misses it, whether it is dead or not. What is missed may be missed again, once the election is over.
 */
export type Trigger = 'start' | 'coordinator dead' | 'coordinator missed';

/** An election algorithm as one value. */
export interface Algorithm<
  S extends Fields = Fields,
  M extends Messages = Messages,
  P extends Params = Params,
  T extends string = string,
  A extends Assumptions = Assumptions,
> {
  /** On the command line, and the file's name. */
  readonly name: string;
  readonly title: string;
  readonly source: string;
  /** The cost, in a few characters, for the table of all. */
  readonly cost: string;
  readonly assumes: A;
  readonly trigger?: Trigger;
  /**
   * What an initiator does that a message reaches before it wakes. By default it only takes part from then on; with
   * 'starts' it starts at once, `onStart` first and then the message's handler, in one event.
   */
  readonly startOnMessage?: true;
  readonly params: P;
  readonly state: S;
  readonly messages: M;
  readonly timers?: readonly T[];
  /**
   * Links of the algorithm's own; they take the place of the network's. Positions from n on are processes that help:
   * they have no id, never initiate and are not judged, but they can crash and recover as all others.
   */
  overlay?(n: number, params: Settings<P>): Topology;
  readonly laws: readonly Law[];
  /** How long, in units, a run is watched that would never rest, unless the run says otherwise. */
  horizon?(n: number, params: Settings<P>): number;

  /** Runs at the initiators; with `rounds`, at every node. */
  onStart(state: View<S>, ctx: Context<A, M, P, T>): undefined;
  /** What a node does when a message arrives at one of its ports: a handler for each type. */
  readonly on: {
    readonly [K in keyof M & string]: (
      state: View<S>,
      port: number,
      message: ReceivedAs<M, K>,
      ctx: Context<A, M, P, T>,
    ) => undefined;
  };
  /** Handles a timer that fired. */
  onTimer?(state: View<S>, timer: T, ctx: Context<A, M, P, T>): undefined;
  /** A message of this node's found its receiver dead; told one time-out after the send. */
  onUndelivered?(state: View<S>, port: number, message: Received<M>, ctx: Context<A, M, P, T>): undefined;
  /** After a crash: fields that are not durable are as at the start. */
  onRestart?(state: View<S>, ctx: Context<A, M, P, T>): undefined;
  /** Conditions that must hold in every configuration. */
  readonly invariants?: Readonly<Record<string, (all: readonly View<S>[]) => boolean>>;
}

/** Any algorithm, its own types forgotten: what drivers and the registry hold. */
// biome-ignore lint/suspicious/noExplicitAny: handlers are contravariant in the algorithm's own types
export type AnyAlgorithm = Algorithm<any, any, any, any, any>;

/** Writes an algorithm with all its types inferred from its declarations. */
export function defineAlgorithm<
  const S extends Fields,
  const M extends Messages,
  const P extends Params,
  const T extends string = never,
  const A extends Assumptions = Assumptions,
>(algorithm: Algorithm<S, M, P, T, A>): Algorithm<S, M, P, T, A> {
  return algorithm;
}
