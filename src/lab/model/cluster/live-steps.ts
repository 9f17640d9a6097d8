/**
 * The latest steps of a running cluster in one order, for its space-time diagram.
 *
 * Guarantees: the steps of a member keep their order, and a message arrives after it was sent, as far as both steps are
 * known. A bounded number of steps is kept; long stretches of upkeep are thinned out before anything else is forgotten.
 */
import { causalOrder } from '../../../cluster/record/merge.ts';
import type { BeginLine, StepLine } from '../../../cluster/record/parse-trace.ts';
import type { TraceLine } from '../../../cluster/record/trace-line.ts';
import { compareEpochs, type Epoch } from '../../../cluster/view/clique.ts';

/** Something that happened at a member. */
export interface LiveEvent {
  readonly id: number;
  /** The wall clock in milliseconds: of the member, or of the lab for a member that is gone. */
  readonly at: number;
  readonly entry: StepLine | ({ readonly type: 'epoch' } & Epoch) | { readonly type: 'gone' | 'back' };
}

/** A step of a member. */
export interface LiveStep extends LiveEvent {
  readonly entry: StepLine;
}

export function isLiveStep(event: LiveEvent): event is LiveStep {
  return event.entry.type === 'step';
}

/** The most events that are kept. */
const MOST_EVENTS = 240;
/** Of a stretch of upkeep the first events are kept, and the last of all. */
const UPKEEP_KEPT = 8;
const UPKEEP_TAIL = 40;

interface Source {
  events: LiveEvent[];
  incarnation: number | null;
  /** Steps and epochs that are known: a stream that connects again repeats what it keeps. */
  ownSteps: number;
  epoch: Epoch | null;
  isGone: boolean;
}

export class LiveSteps {
  /** Lines that the members left out, since this began. */
  dropped = 0;
  private readonly sources = new Map<number, Source>();

  /** `isUpkeep` says which types of messages are upkeep. */
  constructor(private readonly isUpkeep: (type: string) => boolean) {}

  /** Lines of one member, in their order. */
  add(id: number, dropped: number, lines: readonly TraceLine[], nowMs: number): void {
    const source = this.sourceOf(id);
    // What was written before the lab listened is not missing.
    if (source.incarnation !== null) this.dropped += dropped;
    for (const line of lines) {
      if (line.type === 'begin') this.begin(id, source, line, lines, nowMs);
      else if (line.type === 'epoch') {
        if (source.epoch !== null && compareEpochs(source.epoch, line) >= 0) continue;
        source.epoch = line;
        source.events.push({ id, at: timeAfter(line, lines) ?? nowMs, entry: line });
      } else {
        const own = line.clock[id] ?? 0;
        if (own <= source.ownSteps) continue;
        source.ownSteps = own;
        source.events.push({ id, at: line.at, entry: line });
      }
    }
  }

  /** The lab can no longer reach the process of a member. */
  noteGone(id: number, nowMs: number): void {
    const source = this.sourceOf(id);
    if (source.isGone || source.incarnation === null) return;
    source.isGone = true;
    source.events.push({ id, at: nowMs, entry: { type: 'gone' } });
  }

  /** The kept events in one order. Forgets the others. */
  ordered(): LiveEvent[] {
    const kept = this.thinned(inOrder([...this.sources.values()].map(({ events }) => events)));
    const known = new Set(kept);
    for (const source of this.sources.values()) source.events = source.events.filter((one) => known.has(one));
    return kept;
  }

  private begin(
    id: number,
    source: Source,
    line: BeginLine,
    lines: readonly TraceLine[],
    nowMs: number,
  ): void {
    if (source.incarnation === line.incarnation) {
      source.isGone = false;
      return;
    }
    const at = timeAfter(line, lines) ?? nowMs;
    if (source.incarnation !== null && !source.isGone)
      source.events.push({ id, at, entry: { type: 'gone' } });
    if (source.incarnation !== null) source.events.push({ id, at, entry: { type: 'back' } });
    Object.assign(source, { incarnation: line.incarnation, ownSteps: 0, epoch: null, isGone: false });
  }

  private sourceOf(id: number): Source {
    const known = this.sources.get(id);
    if (known !== undefined) return known;
    const source: Source = { events: [], incarnation: null, ownSteps: 0, epoch: null, isGone: false };
    this.sources.set(id, source);
    return source;
  }

  private thinned(events: readonly LiveEvent[]): LiveEvent[] {
    let quiet = 0;
    const kept = events.filter((event, k) => {
      quiet = this.isQuiet(event) ? quiet + 1 : 0;
      return quiet <= UPKEEP_KEPT || k >= events.length - UPKEEP_TAIL;
    });
    return kept.slice(-MOST_EVENTS);
  }

  /** A heartbeat, its answer, and a timer that sends no more than that. */
  private isQuiet(event: LiveEvent): boolean {
    if (!isLiveStep(event)) return false;
    const { decided, sent, step } = event.entry;
    const isCalm = decided === undefined && sent.every(({ message }) => this.isUpkeep(typeOf(message)));
    const [, delivered] = /^deliver \d+ > \d+ (\S+)/.exec(step) ?? [];
    return isCalm && (step.startsWith('timer ') || (delivered !== undefined && this.isUpkeep(delivered)));
  }
}

/** The type of a message from its text. */
export function typeOf(message: string): string {
  return message.split(' ', 1)[0];
}

function inOrder(queues: readonly (readonly LiveEvent[])[]): LiveEvent[] {
  const sends = new Map<string, LiveEvent>();
  for (const event of queues.flat().filter(isLiveStep)) {
    for (const { key } of event.entry.sent) sends.set(key, event);
  }
  const causeOf = ({ entry }: LiveEvent): LiveEvent | undefined =>
    entry.type === 'step' && entry.of !== undefined ? sends.get(entry.of) : undefined;
  return causalOrder(queues, (queue) => queue.map(({ at }) => at), causeOf);
}

/** The time of the first step after a line. */
function timeAfter(line: TraceLine, lines: readonly TraceLine[]): number | undefined {
  return lines.slice(lines.indexOf(line)).find((one) => one.type === 'step')?.at;
}
