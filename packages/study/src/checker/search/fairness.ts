/**
 * Checks termination under weak fairness: a step that is enabled in every state from some point on is eventually taken. A
 * step that is optional, such as a fault, is exempt. A step is not continuously enabled if other steps interrupt it again and
 * again: a timer that is restarted forever need not fire. So below, a step that is interrupted counts as one that is taken.
 *
 * Without random draws: no weakly fair run is infinite. An infinite run of a finite system stays, from some point on, in one
 * strongly connected component (SCC) of the state graph. An SCC has a weakly fair infinite run if and only if every
 * step that is enabled in all its states labels some edge inside it: the run can then visit all edges of the SCC
 * repeatedly. If such a step labels no edge inside the SCC, no subset of the SCC is fair either, because the step is
 * enabled in all states of the subset too, and labels no edge of it. So checking whole SCCs is enough.
 *
 * With random draws: under every weakly fair scheduler, which may see all earlier draws, runs end with probability 1. The
 * system is a Markov decision process. Almost every infinite run of a scheduler takes, from some point on, exactly the
 * actions of one end component again and again (see end-components.ts). The run is weakly fair if and only if every step that
 * is enabled in all states of the end component is the step of one of its actions. Conversely, a scheduler that takes all
 * actions of such a fair end component in turn stays in it with probability 1, and is weakly fair. So runs end with
 * probability 1 if and only if no fair end component is reachable. As for SCCs, if a maximal end component is not fair, no end
 * component in it is: maximal ones are enough. An SCC that is not fair has no fair end component for the same reason, so
 * only fair SCCs are examined for end components. If no SCC is fair, every weakly fair run ends, whatever is drawn.
 */
import { components } from './components.ts';
import { type Action, endComponents } from './end-components.ts';
import { ExploredEdges } from './expansion.ts';
import type { Search } from './search.ts';
import type { Slices } from './slices.ts';
import type { System } from './system.ts';

/** How the runs of a system end. */
export interface TerminationVerdict {
  /** The first state, in the order of the search, from which a weakly fair scheduler can stay in an end component; or −1. */
  readonly livelock: number;
  /** Every weakly fair run ends, whatever is drawn. */
  readonly isSure: boolean;
}

/** A state that was not expanded, because of a limit or a bound, has no edges. */
export function* judgeTermination(system: System, search: Search): Slices<TerminationVerdict> {
  const actionsOf = actionsFrom(system, search);
  const isFair = (states: ReadonlySet<number>, isInside: typeof someInside): boolean =>
    isFairIn(states, actionsOf, isInside, (step) => system.isOptional(step));
  let livelock = -1;
  let isSure = true;
  for (const component of cycles(search, actionsOf)) {
    if (component === null) yield;
    if (component === null || !isFair(new Set(component), someInside)) continue;
    isSure = false;
    for (const states of endComponents(component, actionsOf)) {
      const first = [...states].reduce((least, number) => Math.min(least, number));
      if ((livelock < 0 || first < livelock) && isFair(states, allInside)) livelock = first;
    }
  }
  return { livelock, isSure };
}

/** True if the explored graph has a cycle. */
export function* hasCycle(system: System, search: Search): Slices<boolean> {
  for (const component of cycles(search, actionsFrom(system, search))) {
    if (component !== null) return true;
    yield;
  }
  return false;
}

/** The SCCs that have an edge, and null after each slice of the computation. */
function* cycles(
  { seen }: Search,
  actionsOf: (number: number) => readonly Action[],
): Generator<readonly number[] | null> {
  const loops = new Set<number>();
  const successors = (number: number): readonly number[] => {
    const targets = actionsOf(number).flatMap(({ to }) => to);
    if (targets.includes(number)) loops.add(number);
    return targets;
  };
  for (const component of components(seen.count, successors)) {
    if (component === null || component.length > 1 || loops.has(component[0])) yield component;
  }
}

function actionsFrom(system: System, search: Search): (number: number) => readonly Action[] {
  const { seen, searched } = search;
  const explored = new ExploredEdges(system, search);
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  return (number) => {
    if (number >= searched) return [];
    seen.read(number, state);
    if (system.exceedsBound(state)) return [];
    const actions: { step: number; to: number[]; interrupted: (readonly number[])[] }[] = [];
    explored.expand(number, state, next, (step, to, _violation, interrupted) => {
      const known = actions.findLast((action) => action.step === step);
      known?.to.push(to);
      known?.interrupted.push(interrupted);
      if (known === undefined) actions.push({ step, to: [to], interrupted: [interrupted] });
    });
    return actions;
  };
}

/** True if a weakly fair run can stay in the states and take all actions that are inside. */
function isFairIn(
  states: ReadonlySet<number>,
  actionsOf: (number: number) => readonly Action[],
  isInside: typeof someInside,
  isOptional: (step: number) => boolean,
): boolean {
  /** Steps that are taken or interrupted. */
  const taken = new Set<number>();
  /** By step, the number of states that enable it. */
  const enabledIn = new Map<number, number>();
  for (const number of states) {
    for (const { interrupted, step, to } of actionsOf(number)) {
      if (isInside(states, to)) {
        taken.add(step);
        for (const [k, target] of to.entries()) {
          if (states.has(target)) for (const other of interrupted[k]) taken.add(other);
        }
      }
      if (!isOptional(step)) enabledIn.set(step, (enabledIn.get(step) ?? 0) + 1);
    }
  }
  for (const [step, count] of enabledIn) if (count === states.size && !taken.has(step)) return false;
  return true;
}

/** An edge of an SCC: the draws may lead elsewhere. */
function someInside(states: ReadonlySet<number>, to: readonly number[]): boolean {
  return to.some((target) => states.has(target));
}

/** An action of an end component. */
function allInside(states: ReadonlySet<number>, to: readonly number[]): boolean {
  return to.every((target) => states.has(target));
}
