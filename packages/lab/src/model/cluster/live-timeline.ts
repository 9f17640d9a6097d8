/** The latest steps of a running cluster as a space-time diagram shows them. The axis counts steps; idle time is folded. */
import { messageType } from '@hustings/cluster/internal/record/upkeep-step';
import {
  type Leadership,
  type MessagePurpose,
  type Piece,
  type Span,
  type Timeline,
  timelineOf,
} from '@hustings/study/drawing';
import { parseStep } from '@hustings/study/driver';
import { Topology, type TracedMessage, type TraceEvent } from '@hustings/study/kernel';
import { isLiveStep, type LiveEvent, type LiveStep, type ReachEntry } from './live-event.ts';

/** What the diagram needs of the algorithm; without it every message counts as one of the election. */
export interface LivePurposes {
  readonly announcements: readonly string[];
  readonly upkeep: readonly string[];
}

/** The diagram, and its steps in words. */
export interface LiveTimeline {
  readonly ids: Int32Array;
  readonly timeline: Timeline;
  /** The messages that are drawn, by purpose. */
  readonly counts: Readonly<Record<MessagePurpose, number>>;
}

/** A pause of this length is drawn as idle time. */
const IDLE_MS = 1_000;
/** In steps: long enough to be folded. */
const IDLE_STEPS = 4;
/** Nothing is drawn there; all members enter an epoch. */
const UNDRAWN: readonly LiveEvent['entry']['type'][] = ['epoch', 'silent', 'answers'];
const UNDRAWN_STEPS = 0.2;

/** `members` are all members of the cluster now. A member that is no longer one has a row while it has events. */
export function liveTimeline(
  events: readonly LiveEvent[],
  members: readonly number[],
  purposes: LivePurposes,
): LiveTimeline {
  const ids = Int32Array.from(new Set([...members, ...events.map(({ id }) => id)])).sort();
  const topology = Topology.complete(ids);
  const times = timesOf(events);
  const at = (id: number): number => ids.indexOf(id);
  const messages = messagesOf(events, times, purposes.upkeep);
  const trace = events.flatMap((event, k): TraceEvent[] => {
    const place = { time: times[k], node: at(event.id) };
    if (isLiveStep(event)) return eventsOf(event, place, messages, at);
    const { type } = event.entry;
    return type === 'gone' || type === 'back'
      ? [{ ...place, type: type === 'gone' ? 'crash' : 'recover' }]
      : [];
  });
  const drawn = timelineOf(trace, { topology, ...purposes, foldsUpkeep: false });
  const counts = { election: 0, announcement: 0, upkeep: 0 };
  for (const { purpose } of drawn.transfers) counts[purpose]++;
  const timeline = {
    ...drawn,
    leaderships: leadershipsOf(events, times, at, drawn.end),
    phases: phasesOf(events, times),
    hasPlainPhases: true,
    pieces: drawn.pieces.map((piece) => withUpkeep(piece, events, times)),
    lifelines: drawn.lifelines.map((spans, node) => awakeBefore(spans, events, ids[node])),
  };
  return { ids, timeline, counts };
}

function timesOf(events: readonly LiveEvent[]): number[] {
  let time = 0;
  return events.map(({ at, entry }, k) => {
    const isIdle = entry.type === 'upkeep' || (k > 0 && at - events[k - 1].at > IDLE_MS);
    time += isIdle ? IDLE_STEPS : UNDRAWN.includes(entry.type) ? UNDRAWN_STEPS : 1;
    return time;
  });
}

/** A member whose first steps are not known was awake before. */
function awakeBefore(spans: readonly Span[], events: readonly LiveEvent[], id: number): readonly Span[] {
  const first = events.filter(isLiveStep).find((event) => event.id === id);
  if (first === undefined || (first.entry.clock[id] ?? 0) <= 1) return spans;
  return spans.map((span, k) => (k === 0 && span.state === 'asleep' ? { ...span, state: 'awake' } : span));
}

/** Names the folded upkeep of an idle stretch. */
function withUpkeep(piece: Piece, events: readonly LiveEvent[], times: readonly number[]): Piece {
  const folded = events.flatMap(({ entry }, k) =>
    entry.type === 'upkeep' && times[k] >= piece.from && times[k] <= piece.until ? [entry] : [],
  );
  if (piece.fold === null || folded.length === 0) return piece;
  const count = folded.reduce((sum, { messages }) => sum + messages, 0);
  const text = count < 10_000 ? String(count) : `${Math.floor(count / 1000)}k`;
  const sign = folded.some(({ isPartial }) => isPartial) ? '>' : '×';
  return { ...piece, fold: 'upkeep', label: `upkeep ${sign} ${text}` };
}

/** Where each message was sent, by its name, and what became of it. */
interface LiveMessages {
  readonly sends: ReadonlyMap<string, { readonly time: number; readonly to: number | null }>;
  readonly arrived: ReadonlySet<string>;
  /** The receiver is gone without it. */
  isToGone(key: string): boolean;
  /** It is upkeep, and its delivery may be in upkeep that is folded. */
  isBeforeFold(key: string): boolean;
}

function messagesOf(
  events: readonly LiveEvent[],
  times: readonly number[],
  upkeep: readonly string[],
): LiveMessages {
  const sends = new Map<string, { readonly time: number; readonly to: number | null }>();
  const arrived = new Set<string>();
  const gone = new Set<number>();
  const toGone = new Set<string>();
  const open = new Set<string>();
  const beforeFold = new Set<string>();
  events.forEach(({ entry, id }, k) => {
    if (entry.type === 'gone') {
      gone.add(id);
      for (const [key, { to }] of sends) if (to === id) toGone.add(key);
    } else if (entry.type === 'back') gone.delete(id);
    else if (entry.type === 'upkeep') for (const key of open) beforeFold.add(key);
    if (entry.type !== 'step') return;
    if (entry.of !== undefined && entry.step.startsWith('deliver ')) arrived.add(entry.of);
    for (const { key, message, to } of entry.sent) {
      sends.set(key, { time: times[k], to });
      if (upkeep.includes(messageType(message))) open.add(key);
      if (to !== null && gone.has(to)) toGone.add(key);
    }
  });
  return {
    ...{ sends, arrived },
    isToGone: (key) => toGone.has(key) && !arrived.has(key),
    isBeforeFold: (key) => beforeFold.has(key) && !arrived.has(key),
  };
}

type Place = Pick<TraceEvent, 'time' | 'node'>;

function eventsOf(
  { entry, id }: LiveStep,
  place: Place,
  messages: LiveMessages,
  at: (id: number) => number,
): TraceEvent[] {
  const step = parseStep(entry.step);
  const caused: TraceEvent[] = [];
  if (step.type === 'start' || step.type === 'recover') caused.push({ ...place, type: step.type });
  else if (step.type === 'timer') caused.push({ ...place, type: 'timer', timer: step.timer });
  else if (step.type === 'deliver' || step.type === 'notice') {
    const send = entry.of === undefined ? undefined : messages.sends.get(entry.of);
    const other = step.type === 'deliver' ? senderOf(entry.of) : (send?.to ?? id);
    const message = messageOf(step.message);
    const type = step.type === 'deliver' ? 'deliver' : 'undelivered';
    // A message of the member to itself has no name.
    if (other !== null && at(other) >= 0)
      caused.push({ ...place, type, from: at(other), port: 0, sent: send?.time ?? 0, message });
  }
  for (const { key, message: text, to } of entry.sent) {
    if (to === null || to === id || at(to) < 0 || messages.isBeforeFold(key)) continue;
    const message = messageOf(text);
    caused.push({ ...place, type: 'send', to: at(to), port: 0, message });
    if (!messages.isToGone(key)) continue;
    const lost = { time: place.time + 1, node: at(to), from: place.node, port: 0, sent: place.time, message };
    caused.push({ ...lost, type: 'lost', reason: 'receiver dead' });
  }
  const { decided } = entry;
  if (decided !== undefined) {
    const role = decided.role === 'leader' ? 'leader' : 'follower';
    caused.push({ ...place, type: 'decide', role, leader: decided.leader, term: decided.term });
  }
  return caused;
}

/** The name of a message begins with the id of its sender. */
export function senderOf(key: string | undefined): number | null {
  const id = Number.parseInt(key ?? '', 10);
  return Number.isNaN(id) ? null : id;
}

/** `token id=4` as fields. */
function messageOf(text: string): TracedMessage {
  const [type, ...fields] = text.split(' ');
  const values = fields.map((field): [string, unknown] => {
    const [name, value = ''] = field.split('=');
    return [name, /^-?\d+$/.test(value) ? Number(value) : value];
  });
  return { type, ...Object.fromEntries(values) };
}

/**
 * A lead ends when the member stands elsewhere, where the algorithm tells that; otherwise with a decision to follow, or with
 * the next epoch of the leader. It also ends with its process, and while that does not answer.
 */
function leadershipsOf(
  events: readonly LiveEvent[],
  times: readonly number[],
  at: (id: number) => number,
  end: number,
): Leadership[] {
  const since = new Map<number, number>();
  const silent = new Set<number>();
  const found: Leadership[] = [];
  events.forEach(({ entry, id }, k) => {
    const from = since.get(id);
    const leads = leadsAfter(entry, id, from !== undefined, silent.has(id));
    if (leads && from === undefined) since.set(id, times[k]);
    else if (!leads && from !== undefined) {
      found.push({ node: at(id), from, until: times[k] });
      since.delete(id);
    }
    if (entry.type === 'silent' && from !== undefined) silent.add(id);
    else if (entry.type !== 'upkeep') silent.delete(id);
  });
  for (const [id, from] of since) found.push({ node: at(id), from, until: end });
  return found;
}

function leadsAfter(entry: LiveEvent['entry'], id: number, leads: boolean, wasSilent: boolean): boolean {
  if (entry.type === 'upkeep') return leads;
  if (entry.type !== 'step') return entry.type === 'answers' && wasSilent;
  if (entry.standing !== undefined) return entry.standing.leader === id;
  return entry.decided === undefined ? leads : entry.decided.role === 'leader';
}

/** Each epoch and each term from the first member that enters it. */
function phasesOf(events: readonly LiveEvent[], times: readonly number[]): Timeline['phases'] {
  const phases: { readonly text: string; readonly from: number }[] = [];
  const known = new Set<string>();
  let newest = 0;
  events.forEach(({ entry }, k) => {
    const term = entry.type === 'step' ? (entry.standing?.term ?? 0) : 0;
    const text = entry.type === 'epoch' ? `epoch ${entry.number}` : term > newest ? `term ${term}` : null;
    newest = Math.max(newest, term);
    if (text === null || known.has(text)) return;
    known.add(text);
    phases.push({ text, from: times[k] });
  });
  return phases;
}

/** The part of a timeline that fits into `room` pixels and ends at a time. */
export function windowBefore(
  { pieces }: Timeline,
  until: number,
  room: number,
  { unit, fold }: { readonly unit: number; readonly fold: number },
): { readonly from: number; readonly until: number } {
  let left = room;
  let from = until;
  for (const piece of pieces.toReversed()) {
    if (piece.from >= until) continue;
    const length = Math.min(piece.until, until) - piece.from;
    const width = piece.fold === null ? length * unit : fold;
    if (width > left) return { from: piece.fold === null ? from - left / unit : from, until };
    left -= width;
    from = piece.from;
  }
  return { from: 0, until };
}

const REACH_TEXTS: Readonly<Record<ReachEntry['type'], string>> = {
  gone: 'is gone',
  back: 'is back',
  silent: 'does not answer',
  answers: 'answers again',
};

/** What happened, in a few words, without the name of the member. */
export function liveText({ entry, id, stood }: LiveEvent): string {
  if (entry.type === 'epoch') return `enters epoch ${entry.number} with ${entry.members.join(', ')}`;
  if (entry.type === 'upkeep')
    return `${entry.isPartial ? 'more than ' : ''}${entry.messages} messages of upkeep`;
  if (entry.type !== 'step') return REACH_TEXTS[entry.type];
  const { decided, sent, standing } = entry;
  const texts = [causeText(entry)];
  for (const { message, to } of sent) texts.push(`sends ${message} to ${to ?? 'itself'}`);
  if (decided !== undefined) {
    texts.push(decided.role === 'leader' ? 'is elected' : `follows ${decided.leader ?? 'a leader'}`);
  } else if (standing !== undefined && stood !== undefined) texts.push(turnText(id, stood, standing));
  return texts.join(', ');
}

type LiveStanding = NonNullable<LiveEvent['stood']>;

function turnText(id: number, before: LiveStanding, now: LiveStanding): string {
  const term = before.term === now.term ? '' : `enters term ${now.term}`;
  const turn =
    before.leader === now.leader
      ? ''
      : before.leader === id
        ? 'steps down'
        : now.leader === null
          ? `no longer follows ${before.leader}`
          : `follows ${now.leader} again`;
  return [term, turn].filter((text) => text !== '').join(', ');
}

function causeText({ of, step }: LiveStep['entry']): string {
  const parsed = parseStep(step);
  if (parsed.type === 'deliver') return `receives ${parsed.message} from ${senderOf(of) ?? 'itself'}`;
  if (parsed.type === 'notice') return `learns that ${parsed.message} was not delivered`;
  if (parsed.type === 'timer') return `timer ${parsed.timer} fires`;
  return parsed.type === 'recover' ? 'recovers' : 'starts';
}
