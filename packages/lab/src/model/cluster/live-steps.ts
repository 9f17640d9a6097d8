/**
 * The latest steps of a running cluster in one order, for its space-time diagram.
 *
 * Guarantees: the steps of a member keep their order, and a message arrives after it was sent, as far as both steps are
 * known. A bounded number of events is kept. Upkeep is folded before anything else is forgotten.
 */
import { causalOrder } from '@hustings/cluster/internal/record/merge';
import type { BeginLine, StepLine } from '@hustings/cluster/internal/record/parse-trace';
import type { TraceLine } from '@hustings/cluster/internal/record/trace-line';
import { type IsUpkeep, isSameStanding } from '@hustings/cluster/internal/record/upkeep-step';
import { compareEpochs, type Epoch } from '@hustings/cluster/internal/view/clique';
import { type LiveEvent, type ReachEntry, sendersOf } from './live-event.ts';
import { foldUpkeep, isQuiet, withoutOpenRound } from './live-upkeep.ts';

/** The most events that are kept. */
const MAX_EVENTS = 240;

interface Source {
  events: LiveEvent[];
  /** The starts of this member that are known, in their order; a change of the member list is a start as well. */
  readonly starts: string[];
  /** An earlier start is repeated: a stream that connects again sends what it keeps. */
  isRepeating: boolean;
  /** Steps and epochs that are known. */
  ownSteps: number;
  epoch: Epoch | null;
  standing: StepLine['standing'];
  reach: 'here' | 'gone' | 'silent';
}

export class LiveSteps {
  /** Steps that the members left out, since this began. */
  dropped = 0;
  private readonly sources = new Map<number, Source>();

  constructor(private readonly isUpkeep: IsUpkeep) {}

  /** Lines of one member, in their order. Returns whether they have more than upkeep. */
  add(id: number, lines: readonly TraceLine[], nowMs: number): boolean {
    const source = this.sourceOf(id);
    const isKnown = source.starts.length > 0;
    const known = source.events.length;
    for (const line of lines) {
      if (line.type === 'begin') this.begin(id, source, line, timeAfter(line, lines) ?? nowMs);
      else if (source.isRepeating) continue;
      else if (line.type === 'epoch') {
        if (source.epoch !== null && compareEpochs(source.epoch, line) >= 0) continue;
        source.epoch = line;
        source.events.push({ id, at: timeAfter(line, lines) ?? nowMs, entry: line });
      } else this.step(id, source, line, isKnown);
    }
    return source.events.slice(known).some((event) => !isQuiet(event, this.isUpkeep));
  }

  /** Whether the lab can reach the process of a member; `atMs` is since when. Returns whether that is new. */
  noteReach(id: number, reach: Source['reach'], atMs: number): boolean {
    const source = this.sourceOf(id);
    const before = source.reach;
    // A process that was gone is back with its first line.
    if (before === reach || source.starts.length === 0 || before === 'gone') return false;
    this.push(id, source, reach === 'here' ? 'answers' : reach, atMs);
    source.reach = reach;
    return true;
  }

  /** The kept events in one order, up to the last complete round of upkeep. Forgets the others. */
  ordered(): LiveEvent[] {
    const all = inOrder([...this.sources.values()].map(({ events }) => events));
    const kept = foldUpkeep(all, this.isUpkeep).slice(-MAX_EVENTS);
    for (const [id, source] of this.sources) source.events = kept.filter((event) => event.id === id);
    return withoutOpenRound(kept, this.isUpkeep);
  }

  private begin(id: number, source: Source, { incarnation, list }: BeginLine, at: number): void {
    const start = `${incarnation}.${list?.version ?? 0}.${list?.origin ?? 0}`;
    const last = source.starts.at(-1);
    source.isRepeating = start !== last && source.starts.includes(start);
    if (source.isRepeating) return;
    const isSameProcess = last === undefined || last.startsWith(`${incarnation}.`);
    if (!isSameProcess && source.reach !== 'gone') this.push(id, source, 'gone', at);
    if (!isSameProcess || source.reach === 'gone') this.push(id, source, 'back', at);
    source.reach = 'here';
    if (start === last) return;
    source.starts.push(start);
    Object.assign(source, { ownSteps: 0, epoch: null });
    if (!isSameProcess) source.standing = undefined;
  }

  private step(id: number, source: Source, line: StepLine, isKnown: boolean): void {
    const own = line.clock[id] ?? 0;
    if (own <= source.ownSteps) return;
    const missing = own - source.ownSteps - 1;
    // What was written before the lab listened was not left out.
    if (isKnown) this.dropped += missing;
    source.ownSteps = own;
    const { standing: stood } = source;
    source.standing = line.standing;
    const isTurn = stood !== undefined && !isSameStanding(stood, line.standing);
    const about = { ...(isTurn && { stood }), ...(missing > 0 && { isAfterGap: true }) };
    const event: LiveEvent = { id, at: line.at, entry: line, ...about };
    // A process that is stopped keeps its last lines until it runs again.
    const isLater = ({ at, entry }: LiveEvent): boolean =>
      at > line.at && (entry.type === 'silent' || entry.type === 'answers');
    const before = source.events.findLastIndex((one) => !isLater(one)) + 1;
    source.events.splice(before, 0, event);
  }

  private push(id: number, source: Source, type: ReachEntry['type'], at: number): void {
    source.events.push({ id, at, entry: { type } });
  }

  private sourceOf(id: number): Source {
    const known = this.sources.get(id);
    if (known !== undefined) return known;
    const source: Source = {
      ...{ events: [], starts: [], isRepeating: false, ownSteps: 0, epoch: null },
      ...{ standing: undefined, reach: 'here' },
    };
    this.sources.set(id, source);
    return source;
  }
}

function inOrder(queues: readonly (readonly LiveEvent[])[]): LiveEvent[] {
  const all = queues.flat();
  const known = new Set(all);
  const senders = sendersOf(all);
  const causesOf = ({ entry }: LiveEvent): readonly LiveEvent[] => {
    if (entry.type === 'upkeep') return entry.after !== null && known.has(entry.after) ? [entry.after] : [];
    const sender = entry.type === 'step' && entry.of !== undefined ? senders.get(entry.of) : undefined;
    return sender === undefined ? [] : [sender];
  };
  return causalOrder(queues, (queue) => queue.map(({ at }) => at), causesOf);
}

/** The time of the first step after a line. */
function timeAfter(line: TraceLine, lines: readonly TraceLine[]): number | undefined {
  return lines.slice(lines.indexOf(line)).find((one) => one.type === 'step')?.at;
}
