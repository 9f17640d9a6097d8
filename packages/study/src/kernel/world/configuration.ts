/**
 * A configuration: the state of a whole network between two steps. It is immutable data, so saving one means keeping a
 * reference, and configurations share their common parts.
 */
import type { TracedMessage } from '../trace.ts';
import type { NodeSnapshot } from './node-step.ts';

/** The state of a whole network between two steps, as immutable data. */
export interface Configuration {
  /** By position. */
  readonly nodes: readonly NodeSnapshot[];
  /** In flight, oldest first. */
  readonly messages: readonly InFlightMessage[];
  /**
   * Messages that reached a crashed node, and whose sender is not yet notified. With an unreliable failure detector: all
   * messages whose sender is not notified.
   */
  readonly undelivered: readonly InFlightMessage[];
  /** Ticks or rounds so far. */
  readonly clock: number;
  /** Steps so far. If all initiators start together, their starts do not count. */
  readonly steps: number;
  /** The number of initiators that have started, if all start together. */
  readonly started: number;
  /** Bounded delay: within a unit, first messages arrive, then timers fire and senders are notified. */
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
  /** The port of the receiver. */
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

/** The messages that may arrive next, oldest first: the oldest of each FIFO link, or all. */
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
