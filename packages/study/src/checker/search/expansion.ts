/**
 * The steps of a state that the search explores: with partial-order reduction those of a persistent set, otherwise all.
 *
 * Ignoring problem. A step outside the persistent set is postponed. On a cycle of the reduced graph it may be postponed
 * forever, although it is enabled in every state of the cycle, and a violation behind it is missed.
 *
 * Proviso. A state is expanded fully if a step of its persistent set leads to a state of the same or a smaller depth. Depth
 * cannot grow along every edge of a cycle, so every cycle of the reduced graph contains a fully expanded state.
 *
 * Soundness. Let w be a sequence of steps from a state s of the reduced graph to a violation: its last step violates a
 * property, or its last state does and the violation is stable, that is, no further step removes it. The claim is that the
 * reduced graph has a violation too. Proof by induction on the length of w; T is the persistent set of s.
 * - If w contains a step of T, the first such step is independent of the steps before it and can be moved to the front. It
 *   is an edge of the reduced graph, and the rest of w is shorter.
 * - Otherwise take a step of T that is not optional: faults share a budget with those of w, and T has such a step. The step is independent of all
 *   of w, so w is enabled after it and ends in the same violation. Repeat this from the next state. It ends, because the
 *   reduced graph is finite: the path reaches a state where w contains a step of the persistent set, or closes a cycle and so
 *   reaches a fully expanded state, where the first step of w is an edge.
 * Uniqueness is stable: a node keeps every term that it has led. Failures of handlers, changed decisions and invariants of
 * one node are violations of steps. Terminal states are preserved even without the proviso, because a run to one contains a
 * step of T. Not preserved are weakly fair infinite runs, and conditions on several nodes that are not stable.
 *
 * The proviso is not used if termination is checked. A cycle then requires a search of the full graph in any case, and without
 * a cycle no step is postponed forever.
 *
 * Numbers of states grow with depth. So a successor has the same or a smaller depth if and only if its number is below the
 * first number of the next level. This does not depend on the order within a level: a successor in the next level has a larger
 * number, whether or not another state has discovered it before.
 */
import type { SeenStates } from './state-store.ts';
import type { System, Violation, Visit } from './system.ts';

/** Called after a group of visits; returns the smallest number of their successors. */
type Settle = () => number;

export class Expansion {
  /** Some state was expanded only in part: enabled steps of it were left out. */
  isReduced = false;
  /** The persistent set of the state that is expanded now. */
  private readonly persistent: number[] = [];

  constructor(private readonly system: System) {}

  /** Visits the steps of a state that the search explores. `nextLevel` is the first number of the level after this state's. */
  expand(state: Uint16Array, next: Uint16Array, nextLevel: number, visit: Visit, settle: Settle): void {
    const { system } = this;
    const isPersistent = this.expandPersistent(state, next, visit);
    if (!isPersistent) system.expand(state, next, visit);
    const closesCycle = settle() < nextLevel;
    if (!isPersistent) return;
    if (closesCycle && !system.mustTerminate) {
      this.expandOthers(state, next, visit);
      settle();
    } else if (!this.isReduced) {
      this.expandOthers(state, next, () => {
        this.isReduced = true;
      });
    }
  }

  private expandPersistent(state: Uint16Array, next: Uint16Array, visit: Visit): boolean {
    const { persistent, system } = this;
    if (system.expandPersistent === undefined) return false;
    persistent.length = 0;
    return system.expandPersistent(state, next, (step, violation, interrupted) => {
      persistent.push(step);
      visit(step, violation, interrupted);
    });
  }

  /** Visits the steps that are not in the persistent set. */
  private expandOthers(state: Uint16Array, next: Uint16Array, visit: Visit): void {
    this.system.expand(state, next, (step, violation, interrupted) => {
      if (!this.persistent.includes(step)) visit(step, violation, interrupted);
    });
  }
}

/** As Visit, with the number of the successor. */
type VisitEdge = (
  step: number,
  to: number,
  violation: Violation | null,
  interrupted: readonly number[],
) => void;

/** Visits the explored edges of states of a finished search again. */
export class ExploredEdges {
  private readonly expansion: Expansion;

  constructor(
    system: System,
    private readonly search: { readonly levels: readonly number[]; readonly seen: SeenStates },
  ) {
    this.expansion = new Expansion(system);
  }

  /** `state` is the state with this number; `visit` finds the successor in `next`. */
  expand(number: number, state: Uint16Array, next: Uint16Array, visit: VisitEdge): void {
    const { seen } = this.search;
    let least = Number.POSITIVE_INFINITY;
    const visitNumbered: Visit = (step, violation, interrupted = []) => {
      const to = seen.find(next);
      least = Math.min(least, to);
      visit(step, to, violation, interrupted);
    };
    this.expansion.expand(state, next, this.nextLevel(number), visitNumbered, () => least);
  }

  /** The first number of the level after that of a state. */
  private nextLevel(number: number): number {
    const { levels, seen } = this.search;
    let [low, high] = [0, levels.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (levels[middle] > number) high = middle;
      else low = middle + 1;
    }
    return levels[low] ?? seen.count;
  }
}
