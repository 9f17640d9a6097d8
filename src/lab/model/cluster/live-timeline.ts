/** The latest steps of a running cluster as a space-time diagram shows them. The axis counts steps; idle time is folded. */
import { type Leadership, type Timeline, timelineOf } from '../../../drawing/space-time/timeline.ts';
import type { MessagePurpose } from '../../../drawing/trace/purpose.ts';
import { Topology } from '../../../kernel/network/topology.ts';
import type { TracedMessage, TraceEvent } from '../../../kernel/trace.ts';
import { parseStep } from '../../../kernel/world/step.ts';
import { isLiveStep, type LiveEvent, type LiveStep } from './live-steps.ts';

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
/** All members enter an epoch, and nothing is drawn there. */
const EPOCH_STEPS = 0.2;

/** `members` are all members of the cluster, ascending. */
export function liveTimeline(
  events: readonly LiveEvent[],
  members: readonly number[],
  purposes: LivePurposes,
): LiveTimeline {
  const ids = Int32Array.from(members);
  const topology = Topology.complete(ids);
  const times = timesOf(events);
  const sends = new Map<string, { readonly time: number; readonly to: number | null }>();
  events.forEach((event, k) => {
    if (!isLiveStep(event)) return;
    for (const { key, to } of event.entry.sent) sends.set(key, { time: times[k], to });
  });
  const at = (id: number): number => members.indexOf(id);
  const trace = events.flatMap((event, k): TraceEvent[] => {
    const place = { time: times[k], node: at(event.id) };
    if (place.node < 0) return [];
    if (isLiveStep(event)) return eventsOf(event, place, sends, at);
    if (event.entry.type === 'epoch') return [];
    return [{ ...place, type: event.entry.type === 'gone' ? 'crash' : 'recover' }];
  });
  const drawn = timelineOf(trace, { topology, ...purposes });
  const leaderships = leadershipsOf(events, times, at, drawn.end);
  const counts = { election: 0, announcement: 0, upkeep: 0 };
  for (const { purpose } of drawn.transfers) counts[purpose]++;
  return { ids, timeline: { ...drawn, leaderships, phases: epochsOf(events, times) }, counts };
}

function timesOf(events: readonly LiveEvent[]): number[] {
  let time = 0;
  return events.map(({ at, entry }, k) => {
    const isIdle = k > 0 && at - events[k - 1].at > IDLE_MS;
    time += isIdle ? IDLE_STEPS : entry.type === 'epoch' ? EPOCH_STEPS : 1;
    return time;
  });
}

type Place = Pick<TraceEvent, 'time' | 'node'>;

function eventsOf(
  { entry, id }: LiveStep,
  place: Place,
  sends: ReadonlyMap<string, { readonly time: number; readonly to: number | null }>,
  at: (id: number) => number,
): TraceEvent[] {
  const step = parseStep(entry.step);
  const caused: TraceEvent[] = [];
  if (step.type === 'start' || step.type === 'recover') caused.push({ ...place, type: step.type });
  else if (step.type === 'timer') caused.push({ ...place, type: 'timer', timer: step.timer });
  else if (step.type === 'deliver' || step.type === 'notice') {
    const send = entry.of === undefined ? undefined : sends.get(entry.of);
    const other = step.type === 'deliver' ? senderOf(entry.of) : (send?.to ?? id);
    const message = messageOf(step.message);
    const type = step.type === 'deliver' ? 'deliver' : 'undelivered';
    // A message of the member to itself has no name.
    if (other !== null && at(other) >= 0)
      caused.push({ ...place, type, from: at(other), port: 0, sent: send?.time ?? 0, message });
  }
  for (const { message, to } of entry.sent) {
    if (to === null || to === id || at(to) < 0) continue;
    caused.push({ ...place, type: 'send', to: at(to), port: 0, message: messageOf(message) });
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

/** A lead ends with a decision to follow, with the next epoch of the leader, and with its process. */
function leadershipsOf(
  events: readonly LiveEvent[],
  times: readonly number[],
  at: (id: number) => number,
  end: number,
): Leadership[] {
  const since = new Map<number, number>();
  const found: Leadership[] = [];
  events.forEach(({ entry, id }, k) => {
    const isDecision = entry.type === 'step' && entry.decided !== undefined;
    if (entry.type === 'step' && !isDecision) return;
    const from = since.get(id);
    if (entry.type === 'step' && entry.decided?.role === 'leader') since.set(id, from ?? times[k]);
    else if (from !== undefined) {
      found.push({ node: at(id), from, until: times[k] });
      since.delete(id);
    }
  });
  for (const [id, from] of since) found.push({ node: at(id), from, until: end });
  return found.filter(({ node }) => node >= 0);
}

/** Each epoch from the first member that enters it. */
function epochsOf(events: readonly LiveEvent[], times: readonly number[]): Timeline['phases'] {
  const first = new Map<string, number>();
  events.forEach(({ entry }, k) => {
    if (entry.type !== 'epoch') return;
    const text = `epoch ${entry.number}`;
    if (!first.has(text)) first.set(text, times[k]);
  });
  return [...first].map(([text, from]) => ({ text, from }));
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

/** What happened, in a few words, without the name of the member. */
export function liveText({ entry }: LiveEvent): string {
  if (entry.type === 'epoch') return `enters epoch ${entry.number} with ${entry.members.join(', ')}`;
  if (entry.type !== 'step') return entry.type === 'gone' ? 'is gone' : 'is back';
  const { decided, sent } = entry;
  const texts = [causeText(entry)];
  for (const { message, to } of sent) texts.push(`sends ${message} to ${to ?? 'itself'}`);
  if (decided !== undefined) {
    texts.push(decided.role === 'leader' ? 'is elected' : `follows ${decided.leader ?? 'a leader'}`);
  }
  return texts.join(', ');
}

function causeText({ of, step }: LiveStep['entry']): string {
  const parsed = parseStep(step);
  if (parsed.type === 'deliver') return `receives ${parsed.message} from ${senderOf(of) ?? 'itself'}`;
  if (parsed.type === 'notice') return `learns that ${parsed.message} was not delivered`;
  if (parsed.type === 'timer') return `timer ${parsed.timer} fires`;
  return parsed.type === 'recover' ? 'recovers' : 'starts';
}
