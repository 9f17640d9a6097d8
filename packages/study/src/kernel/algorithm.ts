/**
 * An election algorithm: a state machine without a clock, a network or a random number generator of its own.
 *
 * It declares its state, its messages and its assumptions, and handles one event at a time through its context. A handler
 * runs to completion. Its messages leave after it returns; a handler that throws sends nothing. The simulator, the checker
 * and the drawings run the same value.
 */
import type { AppearanceDeclarations, StateRecord } from './appearance.ts';
import type { Assumptions } from './assumptions.ts';
import type { CheckPresets } from './check-preset.ts';
import type { Context } from './context.ts';
import type { Remedy } from './errors.ts';
import type { Fields, View } from './field.ts';
import type { Invariants } from './invariant.ts';
import type { Law } from './law.ts';
import type { CustomMeasures } from './measure.ts';
import type { Messages, Received, ReceivedAs } from './message.ts';
import type { Topology } from './network/topology.ts';
import type { NodeSummary, SummaryFacts } from './node-summary.ts';
import type { Params, Settings } from './params.ts';

/**
 * The event that starts an election: the start of the system; the crash of the coordinator, the node with the largest id;
 * or a suspicion that it has crashed, which may be wrong and may arise again after the election.
 */
export type Trigger = 'start' | 'coordinator dead' | 'coordinator missed';

/** An election algorithm as one value. */
export interface Algorithm<
  S extends Fields = Fields,
  M extends Messages = Messages,
  P extends Params = Params,
  T extends string = string,
  A extends Assumptions = Assumptions,
  W extends CustomMeasures = CustomMeasures,
> extends AppearanceDeclarations<NoInfer<S>> {
  /** The name on the command line: lower-case words, joined by hyphens. */
  readonly name: string;
  /** The name for people. */
  readonly title: string;
  /** Where the algorithm is from: authors and year. */
  readonly source: string;
  /** The cost in a few characters, for the table of all algorithms. */
  readonly cost: string;
  /** The network, the timing and the knowledge that it needs. A run that violates an assumption is refused. */
  readonly assumes: A;
  /** What starts the election: 'start' (the default), 'coordinator dead' or 'coordinator missed'. */
  readonly trigger?: Trigger;
  /**
   * What an initiator does if a message reaches it before it starts. By default it takes part without starting. If true, it
   * runs `onStart` and then the handler of the message, in one event.
   */
  readonly startOnMessage?: true;
  /** Parameters that a run can set, read as `ctx.params`. */
  readonly params: P;
  /** The fields of each node's state. */
  readonly state: S;
  /** The types of messages, each with its fields in order. */
  readonly messages: M;
  /** The names of the timers that each node has. */
  readonly timers?: readonly T[];
  /** Figures beside messages and time, which handlers report with `ctx.measure`. */
  readonly measures?: W;
  /**
   * Links that replace those of the network. Positions from n on are auxiliary processes: they have no id, never initiate
   * and are not part of the result, but they can crash and recover.
   */
  overlay?(n: number, params: Settings<P>): Topology;
  /**
   * Which nodes may stay crashed, if it tolerates crashes but not of any set of nodes. Returns null, or why the nodes in
   * `dead` may not all be crashed at the end of a run, and what to change. Such a run violates an assumption.
   */
  crashLimit?(
    n: number,
    params: Settings<P>,
    dead: ReadonlySet<number>,
  ): { readonly text: string; readonly remedy: Remedy } | null;
  /** What the source claims about the cost. `simulate` and `sweep` compare every run with it. */
  readonly laws: readonly Law[];
  /**
   * Declares that runs do not terminate, and after how many units a simulation stops by default. A run that has drawn
   * random numbers and has no leader by then is observed for further horizons, until it has one.
   */
  horizon?(n: number, params: Settings<P>): number;
  /**
   * Whom a node follows now, where leaders step down: a pure function of its state. A cluster reads it after every step. Without
   * it, the last decision counts.
   */
  standing?(state: StateRecord<NoInfer<S>>, node: SummaryFacts<NoInfer<P>>): NodeSummary;
  /** The durable field that holds the term, if terms are tokens: a cluster that replaces another begins above its terms. */
  readonly termField?: keyof NoInfer<S> & string;
  /** The durable field that holds the id of the node that got the vote of the term; NONE without a vote. */
  readonly voteField?: keyof NoInfer<S> & string;

  /** Runs when a node starts by itself: at the initiators; in a synchronous algorithm, at every node. */
  onStart(state: View<S>, ctx: Context<A, M, P, T, W>): undefined;
  /** One handler for each type of message; `port` is the port at which the message arrived. */
  readonly on: {
    readonly [K in keyof M & string]: (
      state: View<S>,
      port: number,
      message: ReceivedAs<M, K>,
      ctx: Context<A, M, P, T, W>,
    ) => undefined;
  };
  /** Handles a timer that fired. */
  onTimer?(state: View<S>, timer: T, ctx: Context<A, M, P, T, W>): undefined;
  /** Called one timeout after the send if the receiver of a message had crashed. */
  onUndelivered?(state: View<S>, port: number, message: Received<M>, ctx: Context<A, M, P, T, W>): undefined;
  /** Called when the node recovers. Fields that are not durable have their initial values. */
  onRestart?(state: View<S>, ctx: Context<A, M, P, T, W>): undefined;
  /** Searches that end within seconds, by name. `check` takes the first if no option says what to search. */
  readonly checking?: CheckPresets<NoInfer<P>>;
  /** Conditions that hold in every run, of one node and of the whole network. */
  readonly invariants?: Invariants<NoInfer<S>, NoInfer<M>, NoInfer<P>>;
}

/** An algorithm without its specific types: the type that drivers and the registry use. */
// biome-ignore lint/suspicious/noExplicitAny: handlers are contravariant in the algorithm's own types
export type AnyAlgorithm = Algorithm<any, any, any, any, any, any>;

/** Returns the algorithm, and lets TypeScript infer the types of its handlers from its declarations. */
export function defineAlgorithm<
  const S extends Fields,
  const M extends Messages,
  const P extends Params,
  const T extends string = never,
  const A extends Assumptions = Assumptions,
  const W extends CustomMeasures = Record<never, never>,
>(algorithm: Algorithm<S, M, P, T, A, W>): Algorithm<S, M, P, T, A, W> {
  return algorithm;
}
