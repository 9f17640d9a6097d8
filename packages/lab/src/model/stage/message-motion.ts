/**
 * How messages move from one position of a run to a later one: those in flight at both positions go on, those that ended go
 * to their receivers, and those that were sent come out of their senders after the others have arrived.
 */
import { causedNothing, handlerRuns } from '@hustings/study/internal/drawing/trace/handlers';
import { formatMessage, type TraceEvent } from '@hustings/study/kernel';
import type { FlyingMessage } from './network-stage.ts';

/** The way of one message during the change. Shares are of its route; times are shares of the duration. */
export interface MessageMotion {
  readonly flying: FlyingMessage;
  readonly from: number;
  readonly to: number;
  readonly begin: number;
  readonly end: number;
  /** What becomes of it. */
  readonly fate: 'flying' | 'delivered' | 'swallowed' | 'lost';
}

/** Arrivals take this share of the duration, departures the rest. */
const ARRIVALS = 0.62;
/** A lost message gets this far. */
const LOST_AT = 0.6;

/** `events` are those between the two positions, after the states of the nodes at the first. */
export function motionsOf(
  before: readonly FlyingMessage[],
  after: readonly FlyingMessage[],
  events: readonly TraceEvent[],
): MessageMotion[] {
  const shares = new Map(before.map(({ message, share }) => [message, share]));
  const left = new Set(after.map(({ message }) => message));
  const fates = fatesOf(events);
  const ended = before
    .filter(({ message }) => !left.has(message))
    .map((flying): MessageMotion => {
      const fate = fates(flying);
      const to = fate === 'lost' ? Math.max(flying.share, LOST_AT) : 1;
      return { flying, from: flying.share, to, begin: 0, end: ARRIVALS, fate };
    });
  const others = after.map((flying): MessageMotion => {
    const share = shares.get(flying.message);
    const times = share === undefined ? { begin: ARRIVALS, end: 1 } : { begin: 0, end: ARRIVALS };
    return { flying, from: share ?? 0, to: flying.share, ...times, fate: 'flying' };
  });
  return [...ended, ...others];
}

/** The share of the route at a time of the change. */
export function shareAt({ begin, end, from, to }: MessageMotion, time: number): number {
  const passed = Math.max(0, Math.min(1, (time - begin) / Math.max(1e-9, end - begin)));
  return from + (to - from) * passed;
}

function fatesOf(events: readonly TraceEvent[]): (flying: FlyingMessage) => MessageMotion['fate'] {
  const runs = handlerRuns(events);
  const found = new Map<string, MessageMotion['fate'][]>();
  events.forEach((event, index) => {
    if (event.type !== 'deliver' && event.type !== 'lost') return;
    const key = keyOf(event.from, event.node, formatMessage(event.message));
    const run = runs.get(index);
    const fate =
      event.type === 'lost' ? 'lost' : run !== undefined && causedNothing(run) ? 'swallowed' : 'delivered';
    found.set(key, [...(found.get(key) ?? []), fate]);
  });
  return ({ message: { from, text, to } }) => found.get(keyOf(from, to, text))?.shift() ?? 'delivered';
}

function keyOf(from: number, to: number, text: string): string {
  return `${from}>${to} ${text}`;
}
