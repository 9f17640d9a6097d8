/**
 * The network at one moment of a run, without coordinates: the state of every node, the messages in flight, and what has
 * just happened. A frame is taken after an event, at the end of its instant.
 */
import type { Appearance } from '../../kernel/appearance.ts';
import type { Role } from '../../kernel/context.ts';
import type { Topology } from '../../kernel/network/topology.ts';
import { isStep, type TracedMessage, type TraceEvent } from '../../kernel/trace.ts';
import { type Flight, flightsOf } from '../trace/flights.ts';
import { causedNothing, type HandlerRun, handlerRuns } from '../trace/handlers.ts';

/** awake: it takes part, but has not started by itself. */
export type NodeRole = 'asleep' | 'awake' | 'candidate' | 'passive' | 'follower' | 'leader';

export interface FrameNode extends Appearance {
  readonly role: NodeRole;
  readonly isDead: boolean;
}

export interface FrameMessage {
  readonly from: number;
  readonly to: number;
  /** The sender's port. */
  readonly port: number;
  readonly message: TracedMessage;
  /** flying: on its way; swallowed: has just arrived and changed nothing; lost: has just been lost. */
  readonly state: 'flying' | 'swallowed' | 'lost';
  /** From 0 to 1: how much of its time has passed. Null if it never arrives. */
  readonly progress: number | null;
}

export interface NetworkFrame {
  /** The number of steps that have been taken: starts, deliveries, timers, crashes and recoveries. */
  readonly step: number;
  readonly time: number;
  readonly nodes: readonly FrameNode[];
  readonly messages: readonly FrameMessage[];
  /** Pairs of positions, as 'a>b', over which a message has been sent so far. */
  readonly used: ReadonlySet<string>;
}

/** What is needed to follow a run. */
export interface RunRecord {
  /** With states, if the algorithm declares what pictures may show. */
  readonly events: readonly TraceEvent[];
  readonly topology: Topology;
  /** Evaluates the declarations of the algorithm. */
  appearance(state: Readonly<Record<string, unknown>>): Appearance;
}

/** At `count` equal numbers of steps, from the first instant to the end; or at up to four moments at which nodes decide. */
export type FrameChoice = number | 'decisions';

/** The indexes after which frames are taken; -1 is before the first step. Instants are not divided. */
export function frameIndexes(events: readonly TraceEvent[], choice: FrameChoice): number[] {
  const last = events.length - 1;
  const endOfInstant = (index: number): number => {
    let end = index;
    while (end < last && events[end + 1].time === events[index].time) end++;
    return end;
  };
  const unique = (indexes: readonly number[]): number[] => [...new Set(indexes)].sort((a, b) => a - b);
  if (choice === 'decisions') {
    const momentsOf = (role: Role | 'any') =>
      unique(
        events.flatMap((event, index) => {
          const isChosen = event.type === 'decide' && (role === 'any' || event.role === role);
          return isChosen ? [endOfInstant(index)] : [];
        }),
      );
    return decisionFrames(momentsOf('any'), momentsOf('leader'));
  }
  if (choice === 1) return [last];
  const steps = events.flatMap((event, index) => (isStep(event) ? [index] : []));
  const ends = unique(steps.map(endOfInstant));
  if (ends.length <= choice) return ends;
  // The first instant is shown: it is where messages leave.
  return unique(
    Array.from({ length: choice }, (_, k) => {
      const step = steps[Math.round((k * (steps.length - 1)) / (choice - 1))];
      return endOfInstant(step);
    }),
  );
}

const MAX_DECISIONS = 4;

/** Moments that differ: the last, those at which a node becomes leader, then those with most decisions between them. */
function decisionFrames(moments: readonly number[], leading: readonly number[]): number[] {
  if (moments.length <= MAX_DECISIONS) return [...moments];
  const chosen = [moments.length - 1];
  for (const candidates of [leading.map((moment) => moments.indexOf(moment)), moments.map((_, k) => k)]) {
    while (chosen.length < MAX_DECISIONS) {
      const apart = candidates.map((one) => Math.min(...chosen.map((other) => Math.abs(one - other))));
      const most = Math.max(...apart);
      if (most === 0) break;
      chosen.push(candidates[apart.indexOf(most)]);
    }
  }
  return chosen.sort((a, b) => a - b).map((k) => moments[k]);
}

/** Follows a run once and takes all frames. */
export function framesAt(record: RunRecord, indexes: readonly number[]): NetworkFrame[] {
  const { events, topology } = record;
  const flights = flightsOf(events, topology);
  const runs = handlerRuns(events);
  const nodes: { -readonly [K in keyof FrameNode]: FrameNode[K] }[] = Array.from(
    { length: topology.n },
    () => ({
      role: 'asleep',
      isDead: false,
      passive: false,
      phase: null,
      fragment: null,
      tree: [],
    }),
  );
  const used = new Set<string>();
  const frames: NetworkFrame[] = [];
  let step = 0;
  let next = 0;
  const take = (index: number): void => {
    const time = events[Math.max(0, index)]?.time ?? 0;
    frames.push({
      step,
      time,
      nodes: nodes.map((node) => ({ ...node })),
      messages: flights.flatMap((flight) => messageAt(flight, index, time, events, runs)),
      used: new Set(used),
    });
  };
  while (indexes[next] === -1) {
    take(-1);
    next++;
  }
  events.forEach((event, index) => {
    if (isStep(event)) step++;
    const node = nodes[event.node];
    if (event.type === 'send') used.add(`${event.node}>${event.to}`);
    else if (event.type === 'state') Object.assign(node, record.appearance(event.state));
    else if (event.type === 'decide') node.role = event.role;
    else if (event.type === 'crash') [node.isDead, node.role] = [true, 'asleep'];
    else if (event.type === 'recover') [node.isDead, node.role] = [false, 'awake'];
    else if (event.type === 'start') node.role = 'candidate';
    else if (event.type === 'deliver' && node.role === 'asleep') node.role = 'awake';
    while (indexes[next] === index) {
      take(index);
      next++;
    }
  });
  return frames.map((frame) => ({ ...frame, nodes: frame.nodes.map(shownAs) }));
}

/** Passive is a role of an undecided node that is awake. */
function shownAs(node: FrameNode): FrameNode {
  const isUndecided = node.role === 'candidate' || node.role === 'awake';
  return isUndecided && node.passive ? { ...node, role: 'passive' } : node;
}

function messageAt(
  flight: Flight,
  index: number,
  time: number,
  events: readonly TraceEvent[],
  runs: ReadonlyMap<number, HandlerRun>,
): FrameMessage[] {
  const { sending, ending, from, to, message, sent, ended, fate } = flight;
  if (sending > index) return [];
  const event = events[sending];
  const port = event.type === 'send' ? event.port : 0;
  if (ending === null || ending > index) {
    const progress = ended === null ? null : ended === sent ? 0 : (time - sent) / (ended - sent);
    return [{ from, to, port, message, state: 'flying', progress }];
  }
  if (ended !== time) return [];
  if (fate !== 'delivered') return [{ from, to, port, message, state: 'lost', progress: 1 }];
  const run = runs.get(ending);
  const isSwallowed = run !== undefined && causedNothing(run);
  return isSwallowed ? [{ from, to, port, message, state: 'swallowed', progress: 1 }] : [];
}
