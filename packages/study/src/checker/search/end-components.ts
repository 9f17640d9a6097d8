/**
 * The maximal end components of a Markov decision process (de Alfaro, Formal verification of probabilistic systems, 1997).
 *
 * An action is a step of a state, with all outcomes of its random draws. An end component is a set of states with at least
 * one action, such that all outcomes of its actions lie in it, and its actions connect every state to every other. So a
 * scheduler that takes only its actions never leaves it, whatever is drawn. Without random draws the maximal end components are the
 * strongly connected components (SCCs) that have an edge.
 *
 * An end component lies within one SCC. An action with an outcome outside the SCC belongs to no end component in it. If such
 * an action has an outcome inside too, its removal may break the SCC into smaller ones, so these are examined in turn.
 */
import { forEachComponent } from './components.ts';

/** A step of a state, and the states that its outcomes lead to. */
export interface Action {
  readonly step: number;
  readonly to: readonly number[];
  /** By outcome: the steps whose enabledness it interrupts; see `Visit`. */
  readonly interrupted: readonly (readonly number[])[];
}

/** The maximal end components in an SCC, as sets of states. Their actions are those with all outcomes in the set. */
export function* endComponents(
  component: readonly number[],
  actionsOf: (number: number) => readonly Action[],
): Generator<ReadonlySet<number>> {
  const waiting = [component];
  for (let members = waiting.pop(); members !== undefined; members = waiting.pop()) {
    const states = new Set(members);
    let hasAction = false;
    let mayBreak = false;
    const successors = members.map((number) =>
      actionsOf(number).flatMap(({ to }) => {
        const isClosed = to.every((target) => states.has(target));
        hasAction ||= isClosed;
        mayBreak ||= !isClosed && to.some((target) => states.has(target));
        return isClosed ? to : [];
      }),
    );
    if (!hasAction) continue;
    const parts = mayBreak ? partsOf(members, successors) : [members];
    if (parts.length === 1) yield states;
    else waiting.push(...parts);
  }
}

/** The SCCs of the states in `members`; `successors` are by place in `members`. */
function partsOf(
  members: readonly number[],
  successors: readonly (readonly number[])[],
): (readonly number[])[] {
  const placeOf = new Map(members.map((number, place) => [number, place]));
  const parts: number[][] = [];
  forEachComponent(
    members.length,
    (place) => successors[place].map((target) => placeOf.get(target) as number),
    (part) => parts.push(part.map((place) => members[place])),
  );
  return parts;
}
