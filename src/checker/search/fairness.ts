/**
 * Does every run end? Under weak fairness: a step that is enabled from some moment on for ever is taken at last.
 *
 * A run that never ends stays, from some moment on, in one strongly connected component of the states. There it is
 * fair if and only if every step that is enabled in all states of the component is taken on some way within it: a run
 * can then go round through all of it again and again. If one such step is not, no part of the component is better: in
 * all of its states the step is enabled too, and within it the step is not taken either. So it is enough to look at
 * whole components.
 *
 * Where nodes draw lots, not every run must end, and what is asked is less: that the end can be reached from every state,
 * that is, that no component which cannot be left, but by a fault, is anything but an end. If the schedule too is a
 * matter of chance, almost every run then ends; against one that looks at the lots nothing is said.
 */
import { forEachComponent } from './components.ts';
import type { Search } from './search.ts';
import type { System } from './system.ts';

interface Ways {
  readonly steps: readonly number[];
  readonly to: readonly number[];
}

/**
 * The first state, in the order of the search, of a component in which runs stay for ever; −1 if there is none. From
 * states that were not looked into, for a limit or a bound, anything may come: they count as ways out.
 */
export function endlessState(system: System, search: Search): number {
  const ways = waysOut(system, search);
  const stays = system.draws ? staysSurely : staysFairly;
  let endless = -1;
  forEachComponent(
    search.seen.count,
    (number) => ways(number).to,
    (component) => {
      const first = component.reduce((least, number) => Math.min(least, number));
      if ((endless < 0 || first < endless) && stays(component, ways, (step) => system.isFault(step)))
        endless = first;
    },
  );
  return endless;
}

/** Can a run come back to a state? */
export function goesRound(system: System, search: Search): boolean {
  const ways = waysOut(system, search);
  let found = false;
  forEachComponent(
    search.seen.count,
    (number) => ways(number).to,
    (component) => {
      found ||= component.length > 1 || ways(component[0]).to.includes(component[0]);
    },
  );
  return found;
}

function waysOut(system: System, { seen, searched }: Search): (number: number) => Ways {
  const state = new Uint16Array(system.width);
  const next = new Uint16Array(system.width);
  return (number) => {
    const steps: number[] = [];
    const to: number[] = [];
    if (number >= searched) return { steps, to };
    seen.read(number, state);
    if (system.exceedsBound(state)) return { steps, to };
    system.expand(state, next, (step) => {
      steps.push(step);
      to.push(seen.find(next));
    });
    return { steps, to };
  };
}

function staysFairly(
  component: readonly number[],
  ways: (number: number) => Ways,
  isFault: (step: number) => boolean,
): boolean {
  const members = new Set(component);
  const taken = new Set<number>();
  const enabledIn = new Map<number, number>();
  for (const number of component) {
    const { steps, to } = ways(number);
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

/** A fault may be a way out, but it need not happen. */
function staysSurely(
  component: readonly number[],
  ways: (number: number) => Ways,
  isFault: (step: number) => boolean,
): boolean {
  const members = new Set(component);
  let moves = false;
  for (const number of component) {
    const { steps, to } = ways(number);
    for (const [k, target] of to.entries()) {
      if (isFault(steps[k])) continue;
      if (!members.has(target)) return false;
      moves = true;
    }
  }
  return moves;
}
