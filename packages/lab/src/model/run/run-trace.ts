/** The events of one branch, for drawings and counters. Computed once; what a position needs is looked up. */

import type { InFlightMessage } from '@hustings/study/driver';
import { formatMessage, type TracedMessage, type TraceEvent } from '@hustings/study/kernel';
import { type Branch, leadingStarts } from './branch.ts';
import { Causality } from './causality.ts';
import { messageKey } from './message-key.ts';
import type { RunStep } from './run-step.ts';

/** What the horizontal axis of a drawing counts: units of time, or steps. Starts before the first other step count as 0. */
export type Axis = 'units' | 'steps';

/** The place of a position of a branch on an axis. */
export function placeOnAxis(
  path: readonly RunStep[],
  axis: Axis,
  position: number,
  leading = leadingStarts(path),
): number {
  if (position === 0) return 0;
  return axis === 'units' ? path[position - 1].time : Math.max(0, position - leading);
}

/** The events of one branch. */
export class RunTrace {
  readonly version: number;
  private readonly path: readonly RunStep[];
  private readonly together: number;
  private readonly leading: number;
  private readonly byAxis = new Map<Axis, readonly TraceEvent[]>();
  private endsOfSteps: Uint32Array | null = null;
  private sentCounts: Uint32Array | null = null;
  private sentBits: Float64Array | null = null;
  private firstViolation: number | null = null;
  private causes: Causality | null = null;
  private endsOfMessages: Map<string, number[]> | null = null;

  constructor(
    private readonly initial: readonly TraceEvent[],
    branch: Branch,
    /** The message types, in the order of the algorithm's codec. */
    readonly types: readonly string[],
    private readonly bitsOf: (message: TracedMessage) => number,
  ) {
    this.version = branch.version;
    this.path = [...branch.path];
    this.together = branch.together;
    this.leading = leadingStarts(this.path);
  }

  /** All events, at times on the axis. The initial states come first. */
  events(axis: Axis): readonly TraceEvent[] {
    const known = this.byAxis.get(axis);
    if (known !== undefined) return known;
    const all = [...this.initial];
    this.path.forEach(({ events }, index) => {
      const time = this.at(axis, index + 1);
      for (const event of events) {
        if ('sent' in event) all.push({ ...event, time, sent: this.at(axis, this.positionOf(event.sent)) });
        else all.push({ ...event, time });
      }
    });
    this.byAxis.set(axis, all);
    return all;
  }

  /** The place of a position on the axis. */
  at(axis: Axis, position: number): number {
    return placeOnAxis(this.path, axis, position, this.leading);
  }

  /** The last position at or before a place on the axis. */
  positionAt(axis: Axis, place: number): number {
    let [low, high] = [0, this.path.length];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.at(axis, middle) <= place) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  /** How many events of `events` are before a position. */
  eventsBefore(position: number): number {
    this.endsOfSteps ??= this.countEvents();
    return this.endsOfSteps[position];
  }

  /** The position after the step that an event belongs to. */
  positionOfEvent(index: number): number {
    this.endsOfSteps ??= this.countEvents();
    let [low, high] = [0, this.path.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.endsOfSteps[middle] > index) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The messages sent before a position, by type. */
  sentBefore(position: number): Record<string, number> {
    this.sentCounts ??= this.countSent();
    const { sentCounts, types } = this;
    return Object.fromEntries(types.map((type, k) => [type, sentCounts[position * types.length + k]]));
  }

  /** The bits of all messages sent before a position. */
  bitsBefore(position: number): number {
    this.sentBits ??= this.countBits();
    return this.sentBits[position];
  }

  /** The first violation before a position. */
  violationBefore(position: number): RunStep['violation'] {
    if (this.firstViolation === null) {
      const found = this.path.findIndex(({ violation }) => violation !== null);
      this.firstViolation = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return this.firstViolation < position ? this.path[this.firstViolation].violation : null;
  }

  /** The position at which a message was sent: after the step that sent it. */
  sentPosition({ sentStep }: InFlightMessage): number {
    return this.positionOf(sentStep);
  }

  /**
   * The position after the step in which a message in flight at `position` arrives or is lost; null if it stays in flight.
   * The first of several equal messages to arrive is meant.
   */
  endPosition(message: InFlightMessage, position: number): number | null {
    this.endsOfMessages ??= this.collectEnds();
    const ends = this.endsOfMessages.get(messageKey(message));
    return ends?.find((end) => end > position) ?? null;
  }

  /** Reads the ends of all messages, so that the first jump takes no longer than the others. */
  prepare(): void {
    this.endsOfMessages ??= this.collectEnds();
  }

  /** What caused each message, and what it caused. */
  causality(): Causality {
    this.causes ??= new Causality(this.events('steps'));
    return this.causes;
  }

  /** The index of the send event of a message in flight at `position`; null if it is not in the trace. */
  sendEvent(message: InFlightMessage): number | null {
    const end = this.eventsBefore(this.sentPosition(message));
    const start = message.sentStep === 0 ? 0 : this.eventsBefore(this.sentPosition(message) - 1);
    const events = this.events('steps');
    for (let index = start; index < end; index++) {
      const event = events[index];
      if (event.type !== 'send' || event.node !== message.from || event.to !== message.to) continue;
      if (formatMessage(event.message) === message.text) return index;
    }
    return null;
  }

  /** Steps of the world that come together count as one. */
  private positionOf(worldStep: number): number {
    return worldStep === 0 ? this.together : worldStep + this.together;
  }

  private countEvents(): Uint32Array {
    const ends = new Uint32Array(this.path.length + 1);
    ends[0] = this.initial.length;
    this.path.forEach(({ events }, k) => {
      ends[k + 1] = ends[k] + events.length;
    });
    return ends;
  }

  private countSent(): Uint32Array {
    const width = this.types.length;
    const counts = new Uint32Array((this.path.length + 1) * width);
    this.path.forEach(({ events }, k) => {
      counts.copyWithin((k + 1) * width, k * width, (k + 1) * width);
      for (const event of events) {
        if (event.type === 'send') counts[(k + 1) * width + this.types.indexOf(event.message.type)]++;
      }
    });
    return counts;
  }

  private countBits(): Float64Array {
    const bits = new Float64Array(this.path.length + 1);
    this.path.forEach(({ events }, k) => {
      bits[k + 1] = bits[k];
      for (const event of events) if (event.type === 'send') bits[k + 1] += this.bitsOf(event.message);
    });
    return bits;
  }

  private collectEnds(): Map<string, number[]> {
    const all = new Map<string, number[]>();
    this.path.forEach(({ events }, k) => {
      for (const event of events) {
        if (event.type !== 'deliver' && event.type !== 'lost') continue;
        const { from, message, node: to, sent: sentStep } = event;
        const key = messageKey({ from, to, sentStep, text: formatMessage(message) });
        const ends = all.get(key);
        if (ends === undefined) all.set(key, [k + 1]);
        else ends.push(k + 1);
      }
    });
    return all;
  }
}
