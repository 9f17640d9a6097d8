/**
 * The run that leads to what a search has found: a shortest one, and of these one with the fewest switches from one
 * node to another, because a reader follows one node at a time.
 */
import type { FoundViolation, Search } from './search.ts';
import type { SeenStates } from './state-store.ts';
import type { System } from './system.ts';

/** A step on some shortest run. */
interface Edge {
  readonly step: number;
  readonly to: number;
}

/** More states than this are not gone through again for the sake of the reader. */
const MOST_STATES = 3_000_000;

/** The steps in words. */
export function describeRun(system: System, search: Search, finding: FoundViolation): string[] {
  const path =
    search.seen.exact && finding.state < MOST_STATES
      ? calmestPath(system, search, finding)
      : firstPath(search.seen, finding.state);
  return describePath(system, search.seen, path, finding);
}

/** The states from the beginning to a given one, as they were found. */
function firstPath(seen: SeenStates, number: number): number[] {
  const path: number[] = [];
  for (let at = number; at >= 0; at = seen.parentOf(at)) path.push(at);
  return path.reverse();
}

/** Goes back level by level from the end, keeping what lies on shortest runs; then forwards, counting switches. */
function calmestPath(
  system: System,
  { seen, levels }: Search,
  { state: end, step: last }: FoundViolation,
): number[] {
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  const onWay = new Map<number, Edge[]>([[end, []]]);
  let level = levels.findLastIndex((first) => first <= end);
  for (; level > 0; level--) {
    for (let number = levels[level - 1]; number < levels[level]; number++) {
      const ways: Edge[] = [];
      seen.read(number, state);
      system.expand(state, next, (step) => {
        const to = seen.find(next);
        if (to >= levels[level] && onWay.has(to)) ways.push({ step, to });
      });
      if (ways.length > 0) onWay.set(number, ways);
    }
  }
  const lastActor = last === null ? -1 : system.actor(last);
  return fewestSwitches(system, onWay, end, lastActor);
}

interface Stand {
  readonly switches: number;
  readonly path: readonly number[];
}

/** `onWay` holds, by state, the steps that go on towards the end; a step leads one level on. */
function fewestSwitches(
  system: System,
  onWay: ReadonlyMap<number, readonly Edge[]>,
  end: number,
  lastActor: number,
): number[] {
  const roots = [...onWay.keys()].sort((a, b) => a - b);
  /** By state and by who acted last. */
  const best = new Map<number, Map<number, Stand>>();
  const offer = (number: number, actor: number, stand: Stand): void => {
    const known = best.get(number) ?? new Map<number, Stand>();
    const rival = known.get(actor);
    if (rival === undefined || stand.switches < rival.switches) known.set(actor, stand);
    best.set(number, known);
  };
  const reached = new Set([...onWay.values()].flat().map(({ to }) => to));
  for (const number of roots) {
    if (!reached.has(number)) offer(number, -1, { switches: 0, path: [number] });
    for (const [actor, { switches, path }] of best.get(number) ?? []) {
      for (const { step, to } of onWay.get(number) ?? []) {
        const next = system.actor(step);
        const isSwitch = next >= 0 && actor >= 0 && next !== actor;
        offer(to, next < 0 ? actor : next, { switches: switches + (isSwitch ? 1 : 0), path: [...path, to] });
      }
    }
  }
  const ends = [...(best.get(end) ?? [])].map(([actor, { switches, path }]) => {
    const isSwitch = lastActor >= 0 && actor >= 0 && lastActor !== actor;
    return { switches: switches + (isSwitch ? 1 : 0), path };
  });
  return [...ends.reduce((calmest, one) => (one.switches < calmest.switches ? one : calmest)).path];
}

/** Carries the state along, because a search by fingerprints keeps none to read again. */
function describePath(
  system: System,
  seen: SeenStates,
  path: readonly number[],
  { step: last }: FoundViolation,
): string[] {
  const [root, ...rest] = path;
  let state = system.initials().find((one) => seen.find(one.state) === root)?.state as Uint16Array;
  const next = new Uint16Array(system.width);
  const steps: string[] = [];
  let actor = -1;
  for (const target of rest) {
    let found: { step: number; state: Uint16Array } | null = null;
    system.expand(state, next, (step) => {
      // Of several steps that lead there, the one that needs no switch.
      if (seen.find(next) !== target || (found !== null && system.actor(step) !== actor)) return;
      found = { step, state: Uint16Array.from(next) };
    });
    const { step, state: after } = found as unknown as { step: number; state: Uint16Array };
    steps.push(system.describe(state, step));
    if (system.actor(step) >= 0) actor = system.actor(step);
    state = after;
  }
  return last === null ? steps : [...steps, system.describe(state, last)];
}
