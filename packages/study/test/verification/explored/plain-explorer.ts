/** Explores every state of a plain network, breadth first, and judges them by the definitions of the properties. */
import type { PlainNetwork, PlainState, PlainStep } from './plain-network.ts';
import type { PlainNode } from './plain-node.ts';

export interface Exploration {
  readonly states: number;
  readonly transitions: number;
  readonly terminal: number;
  readonly depth: number;
  /** The properties that are violated after the fewest steps, and that number of steps; null if none is violated. */
  readonly violated: { readonly properties: readonly string[]; readonly steps: number } | null;
}

interface Edge {
  readonly label: string;
  readonly isOptional: boolean;
  readonly to: number;
  readonly restarted: string | null;
}

/** Null with more states than the limit. */
export function explore(network: PlainNetwork, mustTerminate: boolean, limit: number): Exploration | null {
  const numbers = new Map<string, number>();
  const states: PlainState[] = [];
  const depths: number[] = [];
  const edges: Edge[][] = [];
  const numberOf = (state: PlainState, depth: number): number => {
    const text = JSON.stringify(state);
    const known = numbers.get(text);
    if (known !== undefined) return known;
    numbers.set(text, states.length);
    states.push(state);
    depths.push(depth);
    return states.length - 1;
  };
  const violations: { readonly property: string; readonly steps: number }[] = [];
  const counts = { transitions: 0, terminal: 0 };
  for (const { isBreach, to } of network.initials()) {
    numberOf(to, 0);
    if (isBreach) violations.push({ property: 'agreement', steps: 0 });
  }
  for (let number = 0; number < states.length; number++) {
    if (states.length > limit) return null;
    const state = states[number];
    const depth = depths[number];
    // No later state violates a property after fewer steps.
    if (violations.some(({ steps }) => steps < depth)) break;
    if (haveTwoLed(state.nodes)) violations.push({ property: 'uniqueness', steps: depth });
    const steps = network.stepsOf(state);
    counts.transitions += steps.length;
    edges.push(steps.map((step) => ({ ...withoutState(step), to: numberOf(step.to, depth + 1) })));
    if (steps.some(({ isBreach }) => isBreach)) violations.push({ property: 'agreement', steps: depth + 1 });
    if (steps.every(({ isOptional }) => isOptional)) {
      counts.terminal++;
      const property = faultOf(state.nodes);
      if (property !== null) violations.push({ property, steps: depth });
    }
  }
  // Termination is judged if nothing else is violated.
  if (violations.length === 0 && mustTerminate) {
    const livelock = firstFairCycle(edges);
    if (livelock >= 0) violations.push({ property: 'termination', steps: depths[livelock] });
  }
  const least = Math.min(...violations.map(({ steps }) => steps));
  const first = violations.filter(({ steps }) => steps === least).map(({ property }) => property);
  return {
    ...counts,
    states: states.length,
    depth: Math.max(...depths),
    violated: violations.length === 0 ? null : { properties: [...new Set(first)], steps: least },
  };
}

function withoutState({ isOptional, label, restarted }: PlainStep): Omit<Edge, 'to'> {
  return { isOptional, label, restarted };
}

function haveTwoLed(nodes: readonly PlainNode[]): boolean {
  const all = nodes.flatMap(({ led }) => led);
  return new Set(all).size < all.length;
}

/** The property that is violated if nothing happens any more; null if all live nodes have decided on one live leader. */
function faultOf(nodes: readonly PlainNode[]): string | null {
  const live = nodes.filter(({ dead }) => !dead);
  const decisions = live.flatMap(({ decision }) => (decision === null ? [] : [decision]));
  if (live.length === 0 || decisions.length < live.length) return 'termination';
  const term = Math.max(...decisions.map((one) => one.term));
  const latest = decisions.filter((one) => one.term === term);
  if (latest.filter(({ leads }) => leads).length !== 1) return 'uniqueness';
  const isAgreed = latest.length === live.length && new Set(latest.map(({ leader }) => leader)).size === 1;
  return isAgreed ? null : 'agreement';
}

/**
 * The first state from which a fair scheduler can run forever, whatever is drawn; −1 if there is none. A set of states in which
 * the scheduler can stay: from each state it takes steps all of whose outcomes stay. Found by removing, again and again, states
 * without such a step and steps that may leave; the rest are the maximal sets. One of them is fair if each step that all of its
 * states enable is taken, or interrupted, in it.
 */
function firstFairCycle(edges: readonly (readonly Edge[])[]): number {
  const actions = edges.map(actionsOf);
  const work: (readonly number[])[] = stronglyConnected([...edges.keys()], (number) =>
    edges[number].map(({ to }) => to),
  );
  let first = -1;
  for (let component = work.pop(); component !== undefined; component = work.pop()) {
    let inside = new Set(component);
    const stays = (number: number) =>
      actions[number].filter(({ to }) => to.every((one) => inside.has(one.to)));
    for (;;) {
      const left = [...inside].filter((number) => stays(number).length > 0);
      if (left.length === inside.size) break;
      inside = new Set(left);
    }
    if (inside.size === 0) continue;
    const parts = stronglyConnected([...inside], (number) =>
      stays(number).flatMap(({ to }) => to.map((one) => one.to)),
    );
    if (parts.length > 1) {
      work.push(...parts);
      continue;
    }
    const members = [...inside];
    const taken = new Set(
      members.flatMap(stays).flatMap(({ label, to }) => [label, ...to.map(({ restarted }) => restarted)]),
    );
    // Steps that the first state enables, and all others too.
    const always = edges[members[0]].filter(
      ({ isOptional, label }) =>
        !isOptional &&
        members.every((number) => edges[number].some((edge) => edge.label === label && !edge.isOptional)),
    );
    const isFair = always.every(({ label }) => taken.has(label));
    const least = Math.min(...inside);
    if (isFair && (first < 0 || least < first)) first = least;
  }
  return first;
}

interface Action {
  readonly label: string;
  /** One for each outcome of the draws. */
  readonly to: readonly Edge[];
}

function actionsOf(edges: readonly Edge[]): Action[] {
  return [...new Set(edges.map(({ label }) => label))].map((label) => {
    return { label, to: edges.filter((edge) => edge.label === label) };
  });
}

/** Kosaraju's algorithm, without recursion. */
function stronglyConnected(
  numbers: readonly number[],
  successors: (number: number) => readonly number[],
): number[][] {
  const isIn = new Set(numbers);
  const next = new Map(numbers.map((number) => [number, successors(number).filter((to) => isIn.has(to))]));
  const before = new Map<number, number[]>(numbers.map((number) => [number, []]));
  for (const [number, all] of next) for (const to of all) before.get(to)?.push(number);
  const finished: number[] = [];
  const seen = new Set<number>();
  for (const root of numbers) visit(root, next, seen, (number) => finished.push(number));
  const assigned = new Set<number>();
  const components: number[][] = [];
  for (const root of finished.reverse()) {
    const component: number[] = [];
    visit(root, before, assigned, (number) => component.push(number));
    if (component.length > 0) components.push(component);
  }
  return components;
}

function visit(
  root: number,
  next: ReadonlyMap<number, readonly number[]>,
  seen: Set<number>,
  finish: (number: number) => void,
): void {
  if (seen.has(root)) return;
  seen.add(root);
  const stack = [{ number: root, k: 0 }];
  for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
    const to = next.get(top.number)?.[top.k++];
    if (to === undefined) {
      stack.pop();
      finish(top.number);
    } else if (!seen.has(to)) {
      seen.add(to);
      stack.push({ number: to, k: 0 });
    }
  }
}
