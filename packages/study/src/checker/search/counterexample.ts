/**
 * Reconstructs the counterexample of a violation: a shortest run to it, and among these one with the fewest context
 * switches between nodes, which is easier to read.
 */
import { ExploredEdges } from './expansion.ts';
import type { FoundViolation } from './explorer.ts';
import { type Search, STATES_IN_SLICE } from './search.ts';
import { type Slices, unlessInterrupted } from './slices.ts';
import type { SeenStates } from './state-store.ts';
import type { System } from './system.ts';

/** A step on a shortest run. */
interface Edge {
  readonly step: number;
  readonly to: number;
}

/** Minimizing context switches expands all states once more, which is too slow beyond this number. */
const MAX_STATES = 3_000_000;

/** The steps of the counterexample as text. An interrupt leaves a run that is as short, and has more switches. */
export function* describeRun(
  system: System,
  search: Search,
  finding: FoundViolation,
  isInterrupted?: (() => boolean) | undefined,
): Slices<string[]> {
  const fewest =
    search.seen.exact && finding.state < MAX_STATES
      ? yield* unlessInterrupted(fewestSwitchesPath(system, search, finding), isInterrupted)
      : null;
  const path = fewest ?? firstPath(search.seen, finding.state);
  return yield* describePath(system, search, path, finding);
}

/** The states from an initial state to the given one, along the parents of the breadth-first search. */
function firstPath(seen: SeenStates, number: number): number[] {
  const path: number[] = [];
  for (let at = number; at >= 0; at = seen.parentOf(at)) path.push(at);
  return path.reverse();
}

/** Goes backwards level by level and keeps the states on shortest runs; then goes forwards and counts switches. */
function* fewestSwitchesPath(
  system: System,
  search: Search,
  { state: end, step: last }: FoundViolation,
): Slices<number[]> {
  const { seen, levels } = search;
  const explored = new ExploredEdges(system, search);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  const edgesToEnd = new Map<number, Edge[]>([[end, []]]);
  let level = levels.findLastIndex((first) => first <= end);
  for (; level > 0; level--) {
    for (let number = levels[level - 1]; number < levels[level]; number++) {
      const edges: Edge[] = [];
      seen.read(number, state);
      explored.expand(number, state, next, (step, to) => {
        if (to >= levels[level] && edgesToEnd.has(to)) edges.push({ step, to });
      });
      if (edges.length > 0) edgesToEnd.set(number, edges);
      if (number % STATES_IN_SLICE === 0) yield;
    }
  }
  const lastActor = last === null ? -1 : system.actor(last);
  return fewestSwitches(system, edgesToEnd, end, lastActor);
}

/** A linked list, because partial paths share their beginnings: copies of a long path would fill the memory. */
interface PartialPath {
  readonly switches: number;
  readonly state: number;
  readonly before: PartialPath | null;
}

/** `edgesToEnd` has, by state, the edges that lie on a shortest run to the end. */
function fewestSwitches(
  system: System,
  edgesToEnd: ReadonlyMap<number, readonly Edge[]>,
  end: number,
  lastActor: number,
): number[] {
  const states = [...edgesToEnd.keys()].sort((a, b) => a - b);
  /** By state and by the node that acted last. */
  const best = new Map<number, Map<number, PartialPath>>();
  const offer = (number: number, actor: number, offered: PartialPath): void => {
    const known = best.get(number) ?? new Map<number, PartialPath>();
    const current = known.get(actor);
    if (current === undefined || offered.switches < current.switches) known.set(actor, offered);
    best.set(number, known);
  };
  const reached = new Set([...edgesToEnd.values()].flat().map(({ to }) => to));
  for (const number of states) {
    if (!reached.has(number)) offer(number, -1, { switches: 0, state: number, before: null });
    for (const [actor, before] of best.get(number) ?? []) {
      for (const { step, to } of edgesToEnd.get(number) ?? []) {
        const next = system.actor(step);
        const isSwitch = next >= 0 && actor >= 0 && next !== actor;
        const switches = before.switches + (isSwitch ? 1 : 0);
        offer(to, next < 0 ? actor : next, { switches, state: to, before });
      }
    }
  }
  const ends = [...(best.get(end) ?? [])].map(([actor, path]) => {
    const isSwitch = lastActor >= 0 && actor >= 0 && lastActor !== actor;
    return { ...path, switches: path.switches + (isSwitch ? 1 : 0) };
  });
  return statesOf(ends.reduce((least, one) => (one.switches < least.switches ? one : least)));
}

function statesOf(end: PartialPath): number[] {
  const states: number[] = [];
  for (let path: PartialPath | null = end; path !== null; path = path.before) states.push(path.state);
  return states.reverse();
}

/** The initial state with this number. */
function* initialState(system: System, seen: SeenStates, number: number): Slices<Uint16Array> {
  let count = 0;
  for (const { state } of system.initials()) {
    if (seen.find(state) === number) return state;
    if (++count % STATES_IN_SLICE === 0) yield;
  }
  throw new Error(`state ${number} is no initial state`);
}

/** Recomputes each state from the one before, because a fingerprint store does not keep states. */
function* describePath(
  system: System,
  search: Search,
  path: readonly number[],
  { step: last }: FoundViolation,
): Slices<string[]> {
  const { seen } = search;
  const explored = new ExploredEdges(system, search);
  const [root, ...rest] = path;
  let state = yield* initialState(system, seen, root);
  const next = new Uint16Array(system.width);
  const steps: string[] = [];
  let actor = -1;
  for (const [k, target] of rest.entries()) {
    let found: { step: number; state: Uint16Array } | null = null;
    explored.expand(path[k], state, next, (step, to) => {
      // Prefers a step without a context switch.
      if (to !== target || (found !== null && system.actor(step) !== actor)) return;
      found = { step, state: Uint16Array.from(next) };
    });
    const { step, state: after } = found as unknown as { step: number; state: Uint16Array };
    steps.push(system.describe(state, step));
    if (system.actor(step) >= 0) actor = system.actor(step);
    state = after;
  }
  return last === null ? steps : [...steps, system.describe(state, last)];
}
