/** What an algorithm takes for granted about its network, its links and its nodes. */

/** The shape of the network. */
export type Network = 'one-way ring' | 'ring' | 'tree' | 'connected' | 'complete';
/** How long messages take: any finite time, at most a known time, or exactly one round. */
export type TimingModel = 'asynchronous' | 'bounded-delay' | 'synchronous';
/** What a node may know about the network. */
export type Knowledge = 'n' | 'diameter' | 'neighbours' | 'time';
/** What may go wrong in a run. */
export type Fault = 'crash' | 'recover' | 'loss' | 'duplication' | 'partition';

/** The model of an algorithm. A run that does not satisfy it is refused. */
export interface Assumptions {
  readonly network: Network;
  /** async: any delay; timely: a round trip is over within the time-out; rounds: all clocks start at 0. */
  readonly timing: TimingModel;
  readonly ids: 'unique' | 'anonymous';
  /** Links keep the order of what is sent on them. */
  readonly fifo: boolean;
  /** What a node knows at the start: the size, the diameter, the ids behind its ports; in rounds also the time. */
  readonly knows?: readonly Knowledge[];
  /** What may go wrong without harm. */
  readonly faults?: readonly Fault[];
  /** A Monte Carlo algorithm: validity may fail, with a known chance. */
  readonly mayErr?: true;
}
