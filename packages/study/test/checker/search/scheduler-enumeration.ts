/**
 * A second implementation of the termination test, by enumeration and only for tiny systems. It tries every memoryless
 * scheduler: each chooses a set of actions in each state, and takes one of them at random. Its runs form a Markov chain, and
 * they stay in a bottom component of the chain with positive probability.
 */

/** Where a step leads. If it restarts the step TIMER, that step was not continuously enabled. */
export interface TinyOutcome {
  readonly to: number;
  readonly restarts: boolean;
}

/** By state: the outcomes of its steps, by step; undefined if the step is not enabled. */
export type TinySystem = readonly (readonly (readonly TinyOutcome[] | undefined)[])[];

/** The step that an outcome may restart. */
export const TIMER = 1;

/** The states in which some weakly fair scheduler can keep a run without end. */
export function livelocksByEnumeration(system: TinySystem, isOptional: (step: number) => boolean): number[] {
  const found = new Set<number>();
  forEachScheduler(system, (chosen) => {
    const outcomes = chosen.map((steps, state) => steps.flatMap((step) => system[state][step] ?? []));
    const reach = closure(outcomes.map((each) => each.map(({ to }) => to)));
    for (const state of system.keys()) {
      const members = [...reach[state]];
      // A bottom component with an edge: all that can be reached leads back.
      if (members.length === 0 || !members.every((other) => reach[other].has(state))) continue;
      const isTaken = (step: number): boolean =>
        members.some(
          (other) =>
            chosen[other].includes(step) ||
            (step === TIMER && outcomes[other].some(({ restarts }) => restarts)),
        );
      if (isFair(system, members, isTaken, isOptional)) found.add(state);
    }
  });
  return [...found].sort((a, b) => a - b);
}

/** True if no weakly fair run is infinite, whatever is drawn: no set of states is strongly connected and fair. */
export function isSureByEnumeration(system: TinySystem, isOptional: (step: number) => boolean): boolean {
  return subsets([...system.keys()]).every((members) => {
    const inside = (state: number, step: number): readonly TinyOutcome[] =>
      (system[state][step] ?? []).filter(({ to }) => members.includes(to));
    const reach = closure(
      system.map((steps, state) =>
        members.includes(state) ? steps.flatMap((_, k) => inside(state, k).map(({ to }) => to)) : [],
      ),
    );
    const isConnected = members.every((from) => members.every((to) => reach[from].has(to)));
    const isRestarted = members.some((state) =>
      system[state].some((_, step) => inside(state, step).some(({ restarts }) => restarts)),
    );
    const isTaken = (step: number): boolean =>
      members.some((state) => inside(state, step).length > 0) || (step === TIMER && isRestarted);
    return !isConnected || !isFair(system, members, isTaken, isOptional);
  });
}

function isFair(
  system: TinySystem,
  members: readonly number[],
  isTaken: (step: number) => boolean,
  isOptional: (step: number) => boolean,
): boolean {
  return system[members[0]].every(
    (_, step) =>
      isOptional(step) || isTaken(step) || members.some((state) => system[state][step] === undefined),
  );
}

/** Chooses a non-empty set of enabled steps in each state that has any. */
function forEachScheduler(system: TinySystem, visit: (chosen: readonly number[][]) => void): void {
  const choices = system.map((steps) => {
    const enabled = [...steps.keys()].filter((step) => steps[step] !== undefined);
    return enabled.length === 0 ? [[]] : subsets(enabled);
  });
  const choose = (chosen: readonly number[][]): void => {
    if (chosen.length === system.length) visit(chosen);
    else for (const steps of choices[chosen.length]) choose([...chosen, steps]);
  };
  choose([]);
}

/** All non-empty subsets. */
function subsets(all: readonly number[]): number[][] {
  return Array.from({ length: 2 ** all.length - 1 }, (_, bits) =>
    all.filter((_one, k) => ((bits + 1) >> k) % 2 === 1),
  );
}

/** By state: the states that can be reached in one step or more. */
function closure(next: readonly (readonly number[])[]): Set<number>[] {
  const reach = next.map((targets) => new Set(targets));
  for (const middle of reach.keys()) {
    for (const from of reach) if (from.has(middle)) for (const to of reach[middle]) from.add(to);
  }
  return reach;
}
