/** The messages of a run from its events: sender, receiver, times and fate of each. */
import type { Topology } from '../../kernel/network/topology.ts';
import { formatMessage, type TracedMessage, type TraceEvent } from '../../kernel/trace.ts';

/** A message from its sending to its arrival. */
export interface Flight {
  /** The index of its send event, and of the event that ended it; null if it was still in flight at the end. */
  readonly sending: number;
  readonly ending: number | null;
  /** Positions. */
  readonly from: number;
  readonly to: number;
  /** In units. */
  readonly sent: number;
  /** When it arrived or was lost; null if it was still in flight at the end. */
  readonly ended: number | null;
  readonly fate: 'delivered' | 'receiver dead' | 'link lossy' | 'network partitioned' | 'in flight';
  /** A second delivery of the same message. */
  readonly isDuplicate: boolean;
  /** Across the end of the ring clockwise (1) or counter-clockwise (−1); otherwise 0. */
  readonly wraps: 1 | 0 | -1;
  readonly message: TracedMessage;
}

type SendEvent = Extract<TraceEvent, { type: 'send' }>;

interface Sending {
  readonly event: SendEvent;
  readonly index: number;
  isOpen: boolean;
}

/** In order of their sending. */
export function flightsOf(events: readonly TraceEvent[], topology: Topology): Flight[] {
  const sendings = new Map<string, Sending[]>();
  const flights: Flight[] = [];
  const keyOf = (from: number, to: number, sent: number, message: TracedMessage) =>
    `${from}>${to}@${sent} ${formatMessage(message)}`;
  const flightOf = ({ event, index }: Sending) => ({
    sending: index,
    from: event.node,
    to: event.to,
    sent: event.time,
    message: event.message,
    wraps: wrapOf(event, topology),
  });
  events.forEach((event, index) => {
    if (event.type === 'send') {
      const key = keyOf(event.node, event.to, event.time, event.message);
      const list = sendings.get(key) ?? [];
      list.push({ event, index, isOpen: true });
      sendings.set(key, list);
    }
    if (event.type !== 'deliver' && event.type !== 'lost') return;
    const { from, node: to, sent, message, time } = event;
    const candidates = sendings.get(keyOf(from, to, sent, message)) ?? [];
    const open = candidates.find(({ isOpen }) => isOpen);
    // The send event of a duplicate is already taken.
    const sending = open ?? candidates.at(-1);
    if (sending === undefined) return;
    sending.isOpen = false;
    const fate = event.type === 'lost' ? event.reason : 'delivered';
    flights.push({
      ...flightOf(sending),
      ending: index,
      ended: time,
      fate,
      isDuplicate: open === undefined,
    });
  });
  for (const sending of [...sendings.values()].flat()) {
    if (!sending.isOpen) continue;
    flights.push({
      ...flightOf(sending),
      ending: null,
      ended: null,
      fate: 'in flight',
      isDuplicate: false,
    });
  }
  return flights.sort((a, b) => a.sending - b.sending);
}

/** A ring topology, or a graph that is a ring. */
export function isRing({ kind, name }: Topology): boolean {
  return kind === 'ring' || name === 'ring';
}

/** On a ring, port 1 leads to the next position and port 0 to the previous one. As a graph, two nodes are no ring. */
function wrapOf({ node, port, to }: SendEvent, topology: Topology): Flight['wraps'] {
  const last = topology.n - 1;
  if (!isRing(topology)) return 0;
  if (topology.kind === 'ring map') return to > node ? 0 : 1;
  if (topology.kind !== 'ring') return last < 2 || Math.abs(node - to) < last ? 0 : node === 0 ? -1 : 1;
  if (port === 1) return node === last ? 1 : 0;
  return node === 0 ? -1 : 0;
}

/** The distance of two messages with the same ends and times, and the width of all of them, in units of the text size. */
const LANE = 0.4;
const LANES = 0.7;

/** The distance of each message from the line between its ends: those with the same ends and times lie side by side. */
export function lanesOf(flights: readonly Flight[]): number[] {
  const bundles = new Map<string, number[]>();
  flights.forEach(({ ended, from, sent, to, wraps }, k) => {
    const key = `${from}>${to} ${wraps} ${sent} ${ended}`;
    const bundle = bundles.get(key);
    if (bundle === undefined) bundles.set(key, [k]);
    else bundle.push(k);
  });
  const lanes: number[] = new Array(flights.length).fill(0);
  for (const bundle of bundles.values()) {
    const last = bundle.length - 1;
    const distance = Math.min(LANE, LANES / Math.max(last, 1));
    bundle.forEach((flight, k) => {
      lanes[flight] = (k - last / 2) * distance;
    });
  }
  return lanes;
}
