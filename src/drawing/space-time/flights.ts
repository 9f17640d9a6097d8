/** The messages of a run from its events: sender, receiver, times and fate of each. */
import type { Topology } from '../../kernel/network/topology.ts';
import { formatMessage, type TracedMessage, type TraceEvent } from '../../kernel/trace.ts';

export interface Flight {
  /** Positions. */
  readonly from: number;
  readonly to: number;
  /** In units. */
  readonly sent: number;
  /** When it arrived or was lost; null if it was still in flight at the end. */
  readonly ended: number | null;
  readonly fate: 'delivered' | 'receiver dead' | 'link lossy' | 'network partitioned' | 'in flight';
  /** Across the end of the ring clockwise (1) or counter-clockwise (−1); otherwise 0. */
  readonly wraps: 1 | 0 | -1;
  readonly message: TracedMessage;
}

type Ending = Extract<TraceEvent, { sent: number }>;

interface Sending {
  readonly event: Extract<TraceEvent, { type: 'send' }>;
  isOpen: boolean;
}

export function flightsOf(events: readonly TraceEvent[], topology: Topology): Flight[] {
  const sendings = new Map<string, Sending[]>();
  const flights: Flight[] = [];
  const keyOf = (from: number, to: number, sent: number, message: TracedMessage) =>
    `${from}>${to}@${sent} ${formatMessage(message)}`;
  const end = (event: Ending) => {
    const { from, node: to, sent, message, time } = event;
    const candidates = sendings.get(keyOf(from, to, sent, message)) ?? [];
    // The send event of a duplicate is already taken.
    const sending = candidates.find(({ isOpen }) => isOpen) ?? candidates.at(-1);
    if (sending === undefined) return;
    sending.isOpen = false;
    const fate = event.type === 'lost' ? event.reason : 'delivered';
    flights.push({ from, to, sent, ended: time, fate, wraps: wrapOf(sending.event, topology), message });
  };
  for (const event of events) {
    if (event.type === 'deliver' || event.type === 'lost') end(event);
    if (event.type !== 'send') continue;
    const key = keyOf(event.node, event.to, event.time, event.message);
    const list = sendings.get(key) ?? [];
    list.push({ event, isOpen: true });
    sendings.set(key, list);
  }
  for (const { event, isOpen } of [...sendings.values()].flat()) {
    if (!isOpen) continue;
    const { node: from, to, time: sent, message } = event;
    const wraps = wrapOf(event, topology);
    flights.push({ from, to, sent, ended: null, fate: 'in flight', wraps, message });
  }
  return flights.sort((a, b) => a.sent - b.sent);
}

/** A ring topology, or a graph that is a ring. */
export function isRing({ kind, name }: Topology): boolean {
  return kind === 'ring' || name === 'ring';
}

/** On a ring, port 1 leads to the next position and port 0 to the previous one. As a graph, two nodes are no ring. */
function wrapOf({ node, port, to }: Sending['event'], topology: Topology): Flight['wraps'] {
  const last = topology.n - 1;
  if (!isRing(topology)) return 0;
  if (topology.kind === 'ring map') return to > node ? 0 : 1;
  if (topology.kind !== 'ring') return last < 2 || Math.abs(node - to) < last ? 0 : node === 0 ? -1 : 1;
  if (port === 1) return node === last ? 1 : 0;
  return node === 0 ? -1 : 0;
}
