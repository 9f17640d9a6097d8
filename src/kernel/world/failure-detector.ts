/**
 * The failure detector: which nodes find that the coordinator is dead, and start because of it.
 *
 * Trigger 'coordinator dead': every node notices sooner or later, an asleep one while the first coordinator is dead, a
 * follower while its leader is dead. Trigger 'coordinator missed': an asleep node may start while any node is dead.
 */
import { FOLLOWER } from '../decisions.ts';
import type { Setup } from '../setup.ts';

/** What the decision depends on at the node itself, which is alive. */
export interface Survivor {
  readonly awake: boolean;
  readonly role: number;
  readonly leader: number;
  readonly term: number;
  /** The term whose leader it has found dead before. */
  readonly noticed: number;
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
    this.isPossible = dead.length > 0 || setup.algorithm.trigger === 'coordinator missed';
  }

  notices({ awake, role, leader, term, noticed }: Survivor, isDead: (position: number) => boolean): boolean {
    if (!this.isPossible) return false;
    const { anonymous, ids, topology } = this.setup;
    if (!awake && this.first !== undefined) return isDead(this.first);
    if (!awake) {
      for (let at = 0; at < topology.n; at++) if (isDead(at)) return true;
      return false;
    }
    if (anonymous || role !== FOLLOWER || noticed === term) return false;
    const at = ids.indexOf(leader);
    return at >= 0 && isDead(at);
  }
}
