/** What an algorithm assumes about its network, its links and its nodes. */

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
  /** The shape: 'one-way ring', 'ring', 'tree', 'connected' (any network) or 'complete'. */
  readonly network: Network;
  /** asynchronous: any delay; bounded-delay: a round trip ends within the timeout; synchronous: all nodes act in rounds. */
  readonly timing: TimingModel;
  /** Each node has an id of its own ('unique'), or none ('anonymous'). */
  readonly ids: 'unique' | 'anonymous';
  /** True if each link must deliver messages in the order in which they were sent. If false, they may overtake each other. */
  readonly fifo: boolean;
  /** What a node knows at the start: 'n', 'diameter', 'neighbours' (their ids); in synchronous rounds also 'time'. */
  readonly knows?: readonly Knowledge[];
  /** The faults that the algorithm tolerates: 'crash', 'recover', 'loss', 'duplication', 'partition'. */
  readonly faults?: readonly Fault[];
  /** A Monte Carlo algorithm: it may elect no leader or several, with a known probability. */
  readonly mayErr?: true;
}
