/**
 * The failure detector: which nodes find that the coordinator is dead, and start because of it.
 *
 * Trigger 'coordinator dead': a node that is asleep may start while the first coordinator is dead, and a follower while its
 * leader is dead. Trigger 'coordinator missed': a node that is asleep may start while any node is dead.
 *
 * Some live node is certain to start, and one is enough for an algorithm: the suspicion of a node is optional while a live
 * node has already started for a term as new as this node would. It is certain again when all of those have crashed. If every
 * node were certain to start, a node that is never told of the result would ask for it by itself, and the missing
 * announcement would go unnoticed.
 */
import type { AnyAlgorithm } from '../algorithm.ts';
import { FOLLOWER } from '../decisions.ts';
import { NONE } from '../field.ts';
import type { Setup } from '../setup.ts';

/** What drivers that explore all schedules assume about failure detection, for their reports. */
export const FAILURE_DETECTION =
  'every live initiator starts, and if all of them crash, some live node does; suspicion by others is optional.';

/** What the decision depends on at the node itself, which is alive. */
export interface Survivor {
  readonly awake: boolean;
  readonly role: number;
  readonly leader: number;
  readonly term: number;
  /** As in NodeSnapshot. */
  readonly startedFor: number;
}

export class FailureDetector {
  /** Whether any node can ever notice a crash. */
  readonly isPossible: boolean;
  private readonly setup: Setup;
  private readonly first: number | undefined;

  /** `dead` lists the positions that are dead from the beginning. */
  constructor(setup: Setup, dead: readonly number[]) {
    this.setup = setup;
    this.first = dead[0];
    const { trigger = 'start' } = setup.algorithm;
    this.isPossible = trigger === 'coordinator missed' || (trigger !== 'start' && dead.length > 0);
  }

  /** True if the node may start. */
  notices(
    { awake, role, leader, term, startedFor }: Survivor,
    isDead: (position: number) => boolean,
  ): boolean {
    if (!this.isPossible) return false;
    const { anonymous, ids, topology } = this.setup;
    if (!awake && this.first !== undefined) return isDead(this.first);
    if (!awake) {
      for (let at = 0; at < topology.n; at++) if (isDead(at)) return true;
      return false;
    }
    if (anonymous || role !== FOLLOWER || startedFor > term) return false;
    const at = ids.indexOf(leader);
    return at >= 0 && isDead(at);
  }
}

/** The term for which a node starts: 0 if it is asleep, otherwise the one after its leader's. NONE without a failure detector. */
export function termToStartFor({ trigger = 'start' }: AnyAlgorithm, role: number, term: number): number {
  if (trigger === 'start') return NONE;
  return role === FOLLOWER ? term + 1 : 0;
}
