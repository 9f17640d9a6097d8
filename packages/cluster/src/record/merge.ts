/**
 * Merges the recordings of all members into one order.
 *
 * Guarantees: the steps of a member keep their order, and a delivery comes after the step that sent its message; so does a crash
 * that may have swallowed the delivery. Among the steps that these rules leave open, wall clocks choose; they decide nothing
 * else. A process that stops and starts again has a `crash` before its next `begin`.
 * A recording that no run can have written is refused with the file and the line: a message that nobody sent, a delivery
 * before its own cause, a line that is missing.
 */
import { InputError } from '@hustings/study/kernel';
import {
  type BeginLine,
  type PlacedLine,
  parseTrace,
  placeText,
  refuseLine,
  type StepLine,
  sortedJson,
  type TracePlace,
  type TraceText,
} from './parse-trace.ts';
import type { TraceLine } from './trace-line.ts';

/** One event of a recorded run. */
export interface RecordedEvent extends TracePlace {
  readonly id: number;
  readonly incarnation: number;
  /** The line, or the crash before the incarnation `next`. */
  readonly entry: TraceLine | { readonly type: 'crash'; readonly next: BeginLine };
}

/** A step of a member. */
export interface RecordedStep extends RecordedEvent {
  readonly entry: StepLine;
}

/** The recordings of a cluster in one order. */
export interface MergedRecording {
  /** The first line of the first file: what all members have in common. */
  readonly begin: BeginLine;
  readonly events: readonly RecordedEvent[];
  /** The step that sent each message, by its key. */
  readonly sends: ReadonlyMap<string, RecordedStep>;
  /** The first delivery of each message, by its key. */
  readonly deliveries: ReadonlyMap<string, RecordedStep>;
}

/** True for a line about a step. */
export function isStepEvent(event: RecordedEvent): event is RecordedStep {
  return event.entry.type === 'step';
}

/** True if the step delivers a message of another member. */
export function isDelivery({ entry }: RecordedStep): boolean {
  return entry.of !== undefined && entry.step.startsWith('deliver ');
}

/** Merges recordings; throws if there are none, or if they cannot be of one run. */
export function mergeRecording(texts: readonly TraceText[]): MergedRecording {
  const queues = texts.map((text) => eventsOf(parseTrace(text))).filter((events) => events.length > 0);
  const begins = queues.map(([first]) => first.entry as BeginLine);
  if (queues.length === 0) throw new InputError('the recordings are empty; give those of a run');
  checkCommon(queues);
  for (const queue of queues) checkGaps(queue);
  const sends = new Map<string, RecordedStep>();
  const deliveries = new Map<string, RecordedStep>();
  const steps = queues.flat().filter(isStepEvent);
  for (const event of steps) {
    for (const { key } of event.entry.sent) {
      const other = sends.get(key);
      if (other !== undefined) refuseLine(event, `message ${key} was already sent in ${placeText(other)}`);
      sends.set(key, event);
    }
  }
  for (const event of steps) {
    const { of } = event.entry;
    if (of === undefined) continue;
    if (!sends.has(of)) refuseLine(event, `no recorded step sent message ${of}`);
    if (isDelivery(event) && !deliveries.has(of)) deliveries.set(of, event);
  }
  const causesOf = ({ entry }: RecordedEvent): RecordedStep[] =>
    causeKeys(entry).flatMap((key) => sends.get(key) ?? []);
  const events = causalOrder(queues, timesOf, causesOf, (event, cause) =>
    refuseLine(event, `it comes before its own cause, ${placeText(cause)}`),
  );
  for (const event of steps) checkClock(event, sends);
  return { begin: begins[0], events, sends, deliveries };
}

function causeKeys(entry: RecordedEvent['entry']): readonly string[] {
  if (entry.type === 'step') return entry.of === undefined ? [] : [entry.of];
  return (entry.type === 'crash' ? entry.next.after : undefined) ?? [];
}

/** The events of one member, with crashes. */
function eventsOf(lines: readonly PlacedLine[]): RecordedEvent[] {
  let begin: BeginLine | null = null;
  return lines.flatMap((placed): RecordedEvent[] => {
    const { entry } = placed;
    const previous = begin;
    if (entry.type === 'begin') begin = entry;
    if (begin === null) return refuseLine(placed, "it comes before the line 'begin' of its incarnation");
    const { id, incarnation } = begin;
    if (previous !== null && previous.id !== id)
      refuseLine(placed, `it is of member ${id}, in the recording of member ${previous.id}`);
    if (entry.type !== 'begin' || previous === null) return [{ ...placed, id, incarnation }];
    const crash = { type: 'crash', next: entry } as const;
    return [
      { ...placed, id, incarnation: previous.incarnation, entry: crash },
      { ...placed, id, incarnation },
    ];
  });
}

/**
 * All starts have the settings of one run. Those with the same list also have its members, and the unit, which depends on them. But
 * only a member file is an input: two lists under one name that a leader gave are a violation, which the replay finds.
 */
function checkCommon(queues: readonly (readonly RecordedEvent[])[]): void {
  const firsts = new Map<string, RecordedEvent & { readonly entry: BeginLine }>();
  const files = new Map<number, string>();
  for (const event of queues.flat()) {
    const { entry, file, id } = event;
    if (entry.type !== 'begin') continue;
    const { origin, version } = entry.list ?? { origin: 0, version: 0 };
    const compare = (group: string, fields: readonly (keyof BeginLine)[]): void => {
      const first = firsts.get(group) ?? { ...event, entry };
      firsts.set(group, first);
      for (const field of fields) {
        const [own, other] = [entry, first.entry].map((one) => sortedJson(one[field]));
        if (own !== other)
          refuseLine(
            event,
            `its ${field} must be ${other}, as in ${placeText(first)}, not ${own}: they are of different runs`,
          );
      }
    };
    compare('all', ['cluster', 'algorithm', 'params', 'edges']);
    if (origin === 0) compare(`${version}`, ['members', 'unitMs']);
    else compare(`${version} ${origin} ${entry.members}`, ['unitMs']);
    if (!entry.members.includes(id)) refuseLine(event, `member ${id} is not in its member list`);
    if ((files.get(id) ?? file) !== file)
      refuseLine(event, `member ${id} has another recording, ${files.get(id)}`);
    files.set(id, file);
  }
}

/** A member counts its steps without a gap. */
function checkGaps(queue: readonly RecordedEvent[]): void {
  let steps = 0;
  for (const event of queue) {
    if (event.entry.type === 'begin') steps = 0;
    if (!isStepEvent(event)) continue;
    const own = event.entry.clock[event.id] ?? 0;
    steps++;
    if (own !== steps)
      refuseLine(event, `it is step ${own} of its incarnation, but step ${steps} is missing`);
  }
}

/** A member knows what the sender of its message knew. */
function checkClock(event: RecordedStep, sends: ReadonlyMap<string, RecordedStep>): void {
  const { clock, of } = event.entry;
  const known = Object.entries((of === undefined ? undefined : sends.get(of))?.entry.clock ?? {});
  if (known.some(([id, count]) => id !== String(event.id) && count > (clock[id] ?? 0)))
    refuseLine(event, `its clock is not later than that of message ${of}`);
}

/**
 * One order of all queues in which each keeps its own, and every event comes after its causes. Where that leaves a choice,
 * the earliest comes first. `refuse` is called with an event that comes before its own cause; it goes first if that returns.
 */
export function causalOrder<E>(
  queues: readonly (readonly E[])[],
  timesIn: (queue: readonly E[]) => readonly number[],
  causesOf: (event: E) => readonly E[],
  refuse: (event: E, cause: E) => void = () => {},
): E[] {
  const next = queues.map(() => 0);
  const times = queues.map(timesIn);
  const emitted = new Set<E>();
  const missing = (event: E): E | undefined => causesOf(event).find((cause) => !emitted.has(cause));
  const total = queues.reduce((sum, queue) => sum + queue.length, 0);
  while (emitted.size < total) {
    let chosen = -1;
    let waiting = -1;
    for (const [k, queue] of queues.entries()) {
      const event = queue[next[k]];
      if (event === undefined) continue;
      const isEarlier = (than: number): boolean => than < 0 || times[k][next[k]] < times[than][next[than]];
      if (isEarlier(waiting)) waiting = k;
      if (isEarlier(chosen) && missing(event) === undefined) chosen = k;
    }
    if (chosen < 0) {
      const event = queues[waiting][next[waiting]];
      refuse(event, missing(event) as E);
      chosen = waiting;
    }
    emitted.add(queues[chosen][next[chosen]++]);
  }
  return [...emitted];
}

/** The time of each event: of what is no step, that of the next step. */
function timesOf(queue: readonly RecordedEvent[]): number[] {
  let time = Number.POSITIVE_INFINITY;
  return queue
    .toReversed()
    .map((event) => {
      if (isStepEvent(event)) time = event.entry.at;
      return time;
    })
    .reverse();
}
