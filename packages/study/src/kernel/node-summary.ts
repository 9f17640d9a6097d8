/**
 * The summary of a node in an election that never ends: whom it follows now, in which term, and what proves that it leads. A
 * decision is a fact about its term and is never taken back. A summary changes: a leader steps down, a follower loses its
 * leader.
 */
import type { Params, Settings } from './params.ts';

/** What the summary of a node may use beside the state of the node. */
export interface SummaryFacts<P extends Params = Params> {
  readonly id: number;
  readonly n: number;
  readonly params: Settings<P>;
}

/** The leader and the term of a node now. */
export interface NodeSummary {
  /** The id of its leader: its own while it leads, NONE while it knows no leader. */
  readonly leader: number;
  /** Its term, with or without a leader. */
  readonly term: number;
  /** Null if nothing proves that no other node leads: then two nodes may lead at the same time, in different terms. */
  readonly lease: SummaryLease | null;
}

/**
 * The requests of a node in its term, and their answers. A node that grants a request supports no other for some time after
 * its answer. So the support of a majority lasts at least that long from the sending of the request.
 */
export interface SummaryLease {
  /** The number of the latest request that the node has sent to all others. It rises within a term. */
  readonly round: number;
  /** The largest round that a majority, the node itself included, has granted in this term; 0 if there is none. */
  readonly granted: number;
  /** How long a node that has granted a request supports no other. */
  readonly units: number;
}
