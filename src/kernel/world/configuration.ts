/**
 * A configuration: everything that a network is between two steps. Plain data that never changes, so that saving one is
 * keeping it, and configurations share what they have in common.
 */
import type { TracedMessage } from '../trace.ts';
import type { NodeSnapshot } from './node-step.ts';

/** The state of a whole network between two steps, as immutable data. */
export interface Configuration {
  /** By position. */
  readonly nodes: readonly NodeSnapshot[];
  /** In flight, oldest first. */
  readonly messages: readonly InFlightMessage[];
  /** Messages that reached a dead node and whose sender has yet to hear of it. */
  readonly undelivered: readonly InFlightMessage[];
  /** Ticks or rounds so far. */
  readonly clock: number;
  /** Steps so far. Starts before the first step, where all initiators start together, do not count. */
  readonly steps: number;
  /** How many of the initiators that start together have done so. */
  readonly started: number;
  /** Bounded delay: within a unit messages arrive first, then timers fire and senders hear of dead receivers. */
  readonly turn: 'arrivals' | 'timers';
  /** Faults that may still happen. */
  readonly faults: FaultBudget;
}

/** A message that has been sent and has not arrived. */
export interface InFlightMessage {
  /** By `Topology.link` of the receiver and its port. */
  readonly link: number;
  readonly from: number;
  readonly to: number;
  /** The receiver's. */
  readonly port: number;
  /** The step and the time of sending. */
  readonly sentStep: number;
  readonly sentTime: number;
  readonly message: TracedMessage;
  /** Type and fields. */
  readonly text: string;
}

/** How many faults may still happen. */
export interface FaultBudget {
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  readonly duplications: number;
}

/** The messages that may arrive next, oldest first: on FIFO links the oldest of each link, elsewhere all. */
export function nextToArrive<T extends { readonly link: number }>(
  inFlight: readonly T[],
  fifo: boolean,
): T[] {
  if (!fifo) return [...inFlight];
  const links = new Set<number>();
  return inFlight.filter(({ link }) => links.size < links.add(link).size);
}

/** A copy whose parts may be replaced, until it is a configuration itself. */
export type Draft = { -readonly [K in keyof Configuration]: Configuration[K] } & {
  nodes: NodeSnapshot[];
  messages: InFlightMessage[];
  undelivered: InFlightMessage[];
};

export function draftOf(now: Configuration): Draft {
  const { messages, nodes, undelivered } = now;
  return { ...now, nodes: [...nodes], messages: [...messages], undelivered: [...undelivered] };
}
