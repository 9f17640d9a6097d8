/**
 * Who finds that there is no coordinator, and starts for it: the same in a search and when a run of it is replayed.
 *
 * Where the occasion is a dead coordinator, sooner or later every node notices: one that sleeps while the first is dead,
 * and one that follows somebody who is. Where it is one that is missed, whoever sleeps while anybody is dead may be the
 * one that misses it.
 */
import { FOLLOWER } from '../../kernel/decisions.ts';
import type { Setup } from '../../kernel/setup.ts';

/** What it depends on of the node itself, which is alive. */
export interface Survivor {
  readonly awake: boolean;
  readonly role: number;
  readonly leader: number;
  readonly term: number;
  /** The term whose leader it has found dead before. */
  readonly noticed: number;
}

export class FailureDetector {
  /** A death may be noticed at all. */
  readonly isPossible: boolean;
  private readonly setup: Setup;
  private readonly first: number | undefined;

  /** `dead` are so from the beginning. */
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
