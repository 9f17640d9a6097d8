/** The run at the cursor, as data for a page. */

import { type InFlightMessage, type NodeView, nodeViews, STARTED, type World } from '@hustings/study/driver';
import { nodeSummaryAt } from '@hustings/study/internal/kernel/node-summary-at';
import { judge } from '@hustings/study/internal/properties/validity';
import { appearanceOf, NONE, type Role } from '@hustings/study/kernel';
import type { Judgement } from '@hustings/study/simulator';
import type { Branch } from './branch.ts';
import type { RunStep } from './run-step.ts';

/** A node as a page shows it. */
export interface ShownNode extends NodeView {
  /** awake: it takes part, but has not started by itself. */
  readonly role: 'asleep' | 'awake' | 'candidate' | 'passive' | 'follower' | 'leader';
  readonly isDead: boolean;
  /** What the algorithm declares: phase or term, fragment, ports of the tree. */
  readonly phase: string | null;
  readonly fragment: string | null;
  readonly tree: readonly number[];
}

/** The run at the cursor. */
export interface RunSnapshot {
  readonly position: number;
  /** In units. */
  readonly time: number;
  readonly nodes: readonly ShownNode[];
  readonly messages: readonly InFlightMessage[];
  /** Links that the reader cut, as 'a-b' with the smaller position first. */
  readonly cutLinks: ReadonlySet<string>;
  /** The step that led here; null at the beginning. */
  readonly last: RunStep | null;
  /** The first violation up to here; null if none. */
  readonly violation: RunStep['violation'];
  /** Validity, leader and first fault, as if the run ended here. */
  readonly judgement: Judgement;
  /** The end of a branch at which nothing can happen any more, except faults. */
  readonly isOver: boolean;
}

/** Validity, leader and first fault, as if the run ended here. */
export function judgementOf({ machine, setup }: World): Judgement {
  return judge(machine.decisions, machine.status, setup.nodes, setup.anonymous ? null : setup.ids);
}

/** The nodes of a world as a page shows them. */
export function shownNodes(world: World): ShownNode[] {
  return nodeViews(world).map((view) => {
    const { passive, ...appearance } = appearanceOf(world.setup.algorithm, view.state);
    const isStarted = (world.machine.status[view.position] & STARTED) !== 0;
    const undecided =
      view.status !== 'awake' ? 'asleep' : passive ? 'passive' : isStarted ? 'candidate' : 'awake';
    return { ...view, ...appearance, role: roleOf(view, world) ?? undecided, isDead: view.status === 'dead' };
  });
}

/** Where the algorithm tells whom a node follows now, that counts; otherwise its decision. */
function roleOf({ decision, id, position, state }: NodeView, { setup }: World): Role | undefined {
  const standing = id === null ? null : nodeSummaryAt(setup, position, state);
  if (standing === null) return decision?.role;
  if (standing.leader === NONE) return undefined;
  return standing.leader === id ? 'leader' : 'follower';
}

/** The snapshot that was read last: several parts of a page read the same one. */
export class LastSnapshot {
  private known: {
    readonly branch: Branch;
    readonly version: number;
    readonly snapshot: RunSnapshot;
  } | null = null;

  at(branch: Branch, position: number, read: () => RunSnapshot): RunSnapshot {
    const { known } = this;
    const { version } = branch;
    if (known?.branch === branch && known.version === version && known.snapshot.position === position)
      return known.snapshot;
    const snapshot = read();
    this.known = { branch, version, snapshot };
    return snapshot;
  }
}
