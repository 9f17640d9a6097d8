/**
 * Checks termination: finds a livelock, that is, an infinite run that is weakly fair. Weak fairness: a step that is enabled
 * in every state from some point on is eventually taken.
 *
 * An infinite run of a finite system stays, from some point on, in one strongly connected component (SCC) of the state
 * graph. An SCC has a weakly fair infinite run if and only if every step that is enabled in all its states labels some
 * edge inside it: the run can then visit all edges of the SCC repeatedly. If such a step labels no edge inside the SCC, no
 * subset of the SCC is fair either, because the step is enabled in all states of the subset too, and labels no edge of
 * it. So checking whole SCCs is enough.
 *
 * In a randomized algorithm not every run must end. There the check is that a terminal state is reachable from every state:
 * no bottom SCC, ignoring edges of faults, has an edge. Under a random schedule almost every run then ends. Nothing is
 * claimed for an adversary that sees the random draws.
 */
import { forEachComponent } from './components.ts';
import { ExploredEdges } from './expansion.ts';
import type { Search } from './search.ts';
import type { System } from './system.ts';

/** The edges out of a state: their steps and their targets. */
interface Edges {
  readonly steps: readonly number[];
  readonly to: readonly number[];
}

/**
 * The first state, in the order of the search, of an SCC with a livelock; −1 if there is none. A state that was not
 * expanded, because of a limit or a bound, has no edges.
 */
export function livelockState(system: System, search: Search): number {
  const edgesOf = edgesFrom(system, search);
  const isLivelock = system.draws ? isBottom : isFair;
  let found = -1;
  forEachComponent(
    search.seen.count,
    (number) => edgesOf(number).to,
    (component) => {
      const first = component.reduce((least, number) => Math.min(least, number));
      if ((found < 0 || first < found) && isLivelock(component, edgesOf, (step) => system.isFault(step)))
        found = first;
    },
  );
  return found;
}

/** True if the explored graph has a cycle. */
export function hasCycle(system: System, search: Search): boolean {
  const edgesOf = edgesFrom(system, search);
  let found = false;
  forEachComponent(
    search.seen.count,
    (number) => edgesOf(number).to,
    (component) => {
      found ||= component.length > 1 || edgesOf(component[0]).to.includes(component[0]);
    },
  );
  return found;
}

function edgesFrom(system: System, search: Search): (number: number) => Edges {
  const { seen, searched } = search;
  const explored = new ExploredEdges(system, search);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  return (number) => {
    const steps: number[] = [];
    const to: number[] = [];
    if (number >= searched) return { steps, to };
    seen.read(number, state);
    if (system.exceedsBound(state)) return { steps, to };
    explored.expand(number, state, next, (step, target) => {
      steps.push(step);
      to.push(target);
    });
    return { steps, to };
  };
}

/** True if a weakly fair run can stay in the component. Faults need not happen, so fairness does not apply to them. */
function isFair(
  component: readonly number[],
  edgesOf: (number: number) => Edges,
  isFault: (step: number) => boolean,
): boolean {
  const members = new Set(component);
  const taken = new Set<number>();
  const enabledIn = new Map<number, number>();
  for (const number of component) {
    const { steps, to } = edgesOf(number);
    steps.forEach((step, k) => {
      if (members.has(to[k])) taken.add(step);
    });
    for (const step of new Set(steps.filter((one) => !isFault(one))))
      enabledIn.set(step, (enabledIn.get(step) ?? 0) + 1);
  }
  if (taken.size === 0) return false;
  for (const [step, states] of enabledIn) if (states === component.length && !taken.has(step)) return false;
  return true;
}

/** True if the component has an edge, and no edge leaves it, ignoring faults. */
function isBottom(
  component: readonly number[],
  edgesOf: (number: number) => Edges,
  isFault: (step: number) => boolean,
): boolean {
  const members = new Set(component);
  let hasEdge = false;
  for (const number of component) {
    const { steps, to } = edgesOf(number);
    for (const [k, target] of to.entries()) {
      if (isFault(steps[k])) continue;
      if (!members.has(target)) return false;
      hasEdge = true;
    }
  }
  return hasEdge;
}
