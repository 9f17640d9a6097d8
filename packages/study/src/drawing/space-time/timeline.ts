/**
 * A run as a space-time diagram shows it, without coordinates: messages, marks, lifelines, phases. It is computed once;
 * scenes of any window of time are computed from it. Everything refers to events by their index in the trace.
 */
import type { Topology } from '../../kernel/network/topology.ts';
import type { TraceEvent } from '../../kernel/trace.ts';
import { type Flight, flightsOf, lanesOf } from '../trace/flights.ts';
import { causedNothing, type HandlerRun, handlerRuns } from '../trace/handlers.ts';
import { purposeOf } from '../trace/purpose.ts';
import { type AppearanceOf, lifelinesOf, type Span } from './lifelines.ts';
import { type MessageTypeInfo, messageTypesOf } from './message-style.ts';
import { isWithinFold, type Piece, piecesOf } from './time-scale.ts';
import type { Mark, MarkKind, Transfer } from './transfer.ts';

/** A time in which a node leads. */
export interface Leadership {
  readonly node: number;
  readonly from: number;
  readonly until: number;
}

/** The first entry of a phase. */
export interface PhaseStart {
  readonly text: string;
  /** When the first node entered it. */
  readonly from: number;
}

/** All that a diagram of a run shows. */
export interface Timeline {
  readonly topology: Topology;
  /** The time of the last event, at least one unit. */
  readonly end: number;
  readonly transfers: readonly Transfer[];
  readonly marks: readonly Mark[];
  readonly lifelines: readonly (readonly Span[])[];
  readonly leaderships: readonly Leadership[];
  readonly phases: readonly PhaseStart[];
  /** Whether all phases have the same background. Otherwise every second one has that of folded time. */
  readonly hasPlainPhases?: boolean | undefined;
  /** From 0 to the end, folded and not. */
  readonly pieces: readonly Piece[];
  /** The types of the messages that are shown. */
  readonly types: readonly MessageTypeInfo[];
  /** The names of the timers that fired. */
  readonly timers: ReadonlySet<string>;
}

/** What a picture needs to know of the algorithm. */
export interface TimelineOptions {
  readonly topology: Topology;
  /** The message types of the announcement. */
  readonly announcements: readonly string[];
  /** The message types of upkeep; none by default. */
  readonly upkeep?: readonly string[] | undefined;
  /** What the algorithm declares about the state of a node. Needs a trace with states. */
  readonly appearance?: AppearanceOf | undefined;
  /** Whether a node with this state leads; by default one that has decided so. Needs a trace with states. */
  readonly leads?: LeadsBy | undefined;
  /** Whether long stretches of upkeep are folded; true by default. */
  readonly foldsUpkeep?: boolean | undefined;
}

/** Whether a node leads in this state. */
export type LeadsBy = (node: number, state: Readonly<Record<string, unknown>>) => boolean;

/** Reads a trace once. With states (the option `states` of a run) it also shows what is swallowed, passive, and in which phase. */
export function timelineOf(events: readonly TraceEvent[], options: TimelineOptions): Timeline {
  const { foldsUpkeep = true, topology, upkeep = [] } = options;
  const runs = handlerRuns(events);
  const isUpkeep = (type: string): boolean => upkeep.includes(type);
  const flights = flightsOf(events, topology).map((flight) => {
    const { type } = flight.message;
    const purpose = purposeOf(type, options);
    const run = flight.ending === null ? undefined : runs.get(flight.ending);
    const isLoud = run !== undefined && (run.isDecision || !run.sent.every(isUpkeep));
    return {
      ...flight,
      purpose,
      isSwallowed: purpose !== 'upkeep' && run !== undefined && causedNothing(run),
      isQuiet: foldsUpkeep && purpose === 'upkeep' && !isLoud,
    };
  });
  // Not Math.max with all of them as arguments: a run of 100,000 events has more than a call takes.
  const latest = (most: number, time: number): number => Math.max(most, time);
  const end = flights.map(shownUntil).reduce(
    latest,
    events.reduce((most, { time }) => latest(most, time), 1),
  );
  const marks = marksOf(events, runs, isUpkeep, options.appearance).map((mark) => ({
    ...mark,
    isQuiet: foldsUpkeep && mark.isQuiet,
  }));
  const pieces = piecesOf(flights, marks, end);
  const isFolded = (isQuiet: boolean, from: number, until: number): boolean =>
    isQuiet && isWithinFold(pieces, from, until);
  const lanes = lanesOf(flights);
  const transfers = flights.map((flight, k) => ({
    ...flight,
    isFolded: isFolded(flight.isQuiet, flight.sent, flight.ended ?? flight.sent),
    lane: lanes[k],
  }));
  return {
    ...{ topology, end, transfers, pieces },
    marks: marks.map((mark) => ({ ...mark, isFolded: isFolded(mark.isQuiet, mark.time, mark.time) })),
    lifelines: lifelinesOf(events, topology.n, end, options.appearance),
    leaderships: leadershipsOf(events, end, options.leads),
    phases: phasesOf(events, options.appearance),
    types: messageTypesOf(transfers.filter((transfer) => !transfer.isFolded)),
    timers: new Set(marks.filter(({ kind }) => kind === 'timer').map(({ text }) => text)),
  };
}

/** What is lost or in flight has no arrival: it is drawn as if it took one unit, and ends on the way. */
function shownUntil({ ended, fate, sent }: Flight): number {
  return fate === 'link lossy' || fate === 'network partitioned' || ended === null ? sent + 0.5 : ended;
}

function marksOf(
  events: readonly TraceEvent[],
  runs: ReadonlyMap<number, HandlerRun>,
  isUpkeep: (type: string) => boolean,
  appearance: AppearanceOf | undefined,
): Omit<Mark, 'isFolded'>[] {
  const marks: Omit<Mark, 'isFolded'>[] = [];
  const awake = new Set<number>();
  const passive = new Set<number>();
  const decided = new Set<string>();
  events.forEach((event, index) => {
    const { node, time, type } = event;
    const add = (kind: MarkKind, text = '', isQuiet = false) =>
      marks.push({ kind, event: index, node, time, text, isQuiet });
    if (type === 'start' || type === 'deliver' || type === 'recover') awake.add(node);
    if (type === 'start' || type === 'crash' || type === 'recover' || type === 'undelivered') add(type);
    else if (type === 'timer') {
      const run = runs.get(index);
      const isLoud = run !== undefined && (run.isDecision || run.sent.some((each) => !isUpkeep(each)));
      add('timer', event.timer, !isLoud);
    } else if (type === 'decide') {
      decided.add(`${node}@${time}`);
      add(event.role, event.term > 0 ? `term ${event.term}` : '');
    } else if (type === 'state') {
      // The initial state of a node that is still asleep says nothing.
      const isNow = awake.has(node) && (appearance?.(event.state).passive ?? false);
      if (isNow && !passive.has(node)) add('passive');
      if (isNow) passive.add(node);
      else passive.delete(node);
    }
  });
  // A decision says more than turning passive with it.
  return marks.filter(({ kind, node, time }) => kind !== 'passive' || !decided.has(`${node}@${time}`));
}

function leadershipsOf(events: readonly TraceEvent[], end: number, leadsBy?: LeadsBy): Leadership[] {
  const leads = new Map<number, number>();
  const found: Leadership[] = [];
  for (const event of events) {
    const { node, time, type } = event;
    const since = leads.get(node);
    const isNow =
      leadsBy === undefined
        ? type === 'decide' && event.role === 'leader'
        : type === 'state' && leadsBy(node, event.state);
    if (isNow) leads.set(node, since ?? time);
    else if (
      since !== undefined &&
      (type === 'crash' || type === (leadsBy === undefined ? 'decide' : 'state'))
    ) {
      found.push({ node, from: since, until: time });
      leads.delete(node);
    }
  }
  for (const [node, from] of leads) found.push({ node, from, until: end });
  return found;
}

/** Empty if several begin at once: they are then phases of single nodes and not of the run. */
function phasesOf(events: readonly TraceEvent[], appearance: AppearanceOf | undefined): PhaseStart[] {
  if (appearance === undefined) return [];
  const first = new Map<string, number>();
  for (const event of events) {
    if (event.type !== 'state') continue;
    const text = appearance(event.state).phase;
    if (text !== null && !first.has(text)) first.set(text, event.time);
  }
  const phases = [...first].map(([text, from]) => ({ text, from }));
  return new Set(first.values()).size === phases.length && phases.length > 1 ? phases : [];
}
