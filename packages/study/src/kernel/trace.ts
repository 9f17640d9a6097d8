/**
 * The events of a run and their text form, shared by all drivers.
 *
 * Guarantees: in a simulation the same algorithm, options and seed give the same lines, byte for byte.
 */
import type { Role } from './context.ts';

/** The type and the fields of a message by name. */
export type TracedMessage = Readonly<Record<string, unknown>> & { readonly type: string };

/** Why a message did not arrive. */
export type MessageLossReason = 'receiver dead' | 'link lossy' | 'network partitioned';

/** `time` is in units; `node`, `from` and `to` are positions. */
export type TraceEvent = { readonly time: number; readonly node: number } & (
  | { readonly type: 'start' | 'crash' | 'recover' }
  | {
      readonly type: 'send';
      readonly to: number;
      readonly port: number;
      readonly message: TracedMessage;
      /** The link duplicates it: it arrives twice. */
      readonly isDuplicated?: true;
    }
  | {
      readonly type: 'deliver' | 'undelivered';
      /** The other end: the sender, or the crashed receiver. */
      readonly from: number;
      readonly port: number;
      readonly sent: number;
      readonly message: TracedMessage;
    }
  | {
      readonly type: 'lost';
      readonly from: number;
      readonly sent: number;
      readonly reason: MessageLossReason;
      readonly message: TracedMessage;
    }
  | { readonly type: 'timer'; readonly timer: string }
  /** Only with the option `states`: the fields at the start, and after each handler or crash, before its sends. */
  | { readonly type: 'state'; readonly state: Readonly<Record<string, unknown>> }
  | { readonly type: 'decide'; readonly role: Role; readonly leader: number | null; readonly term: number }
);

const HANDLED: readonly TraceEvent['type'][] = ['start', 'deliver', 'timer', 'undelivered', 'recover'];
const TRANSITIONS: readonly TraceEvent['type'][] = [...HANDLED, 'crash'];
const STEPS: readonly TraceEvent['type'][] = [...TRANSITIONS, 'lost'];

/** True if a handler of the node runs at this event. What the node sends, decides and stores next belongs to it. */
export function runsHandler({ type }: TraceEvent): boolean {
  return HANDLED.includes(type);
}

/** True if the node changes at this event: a handler runs, or it crashes. */
export function isTransition({ type }: TraceEvent): boolean {
  return TRANSITIONS.includes(type);
}

/** True if the event is a step of the run: a transition of a node, or the loss of a message. */
export function isStep({ type }: TraceEvent): boolean {
  return STEPS.includes(type);
}

/** Is called with every event of a run, in order. */
export type Observer = (event: TraceEvent) => void;

/** A message as one line of text. */
export function formatMessage({ type, ...fields }: TracedMessage): string {
  return `${type} ${formatFields(fields)}`.trim();
}

/** The fields of a state or a message as text: 'id=3 hops=1'. */
export function formatFields(fields: Readonly<Record<string, unknown>>): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${formatValue(value)}`)
    .join(' ');
}

function formatValue(value: unknown): string {
  return Array.isArray(value) ? `[${value.join(',')}]` : String(value);
}

/** One event as one line. A file of such lines is also a schedule. */
export function formatEvent(event: TraceEvent): string {
  return `${event.time.toFixed(3)} ${describe(event)}`;
}

function describe(event: TraceEvent): string {
  const { node } = event;
  switch (event.type) {
    case 'send':
      return `send ${node} > ${event.to} ${formatMessage(event.message)}`;
    case 'deliver':
      return `deliver ${event.from} > ${node} ${formatMessage(event.message)}`;
    case 'lost':
      return `lost ${event.from} > ${node} ${formatMessage(event.message)} (${event.reason})`;
    case 'undelivered':
      return `undelivered ${node} > ${event.from} ${formatMessage(event.message)}`;
    case 'timer':
      return `timer ${node} ${event.timer}`;
    case 'state':
      return `state ${node} ${formatFields(event.state)}`.trimEnd();
    case 'decide': {
      const named = event.role === 'follower' && event.leader !== null ? ` of ${event.leader}` : '';
      return `decide ${node} ${event.role}${named}${event.term > 0 ? ` term ${event.term}` : ''}`;
    }
    default:
      return `${event.type} ${node}`;
  }
}
