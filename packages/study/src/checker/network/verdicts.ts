/**
 * Checks a state of a search: uniqueness and the invariants of the network in every state, all properties of an election in
 * terminal states.
 */
import type { NetworkMessage, NetworkNode } from '../../kernel/invariant.ts';
import type { InvariantMonitor } from '../../properties/invariants.ts';
import { findTwoLeaders, judge } from '../../properties/validity.ts';
import type { Violation } from '../search/system.ts';
import type { NodeTransitions } from './node-transitions.ts';

export class Verdicts {
  /** By position and number of the state. */
  private readonly snapshots: readonly NetworkNode[][];
  private readonly nodesNow: NetworkNode[] = [];

  /** Positions from `candidates` on are auxiliary processes; `ids` is null in an anonymous network. */
  constructor(
    private readonly local: NodeTransitions,
    private readonly candidates: number,
    private readonly ids: Int32Array | null,
    private readonly invariants: InvariantMonitor | null,
  ) {
    this.snapshots = local.states.map(() => []);
  }

  /**
   * Uniqueness: at most one node has led each term. All terms that a node has led count, even if it has crashed or leads a later
   * term. Invariants of one node are checked with its steps; see node-transitions.ts.
   */
  inspect(
    state: Uint16Array,
    firstNode: number,
    messages: (state: Uint16Array) => readonly NetworkMessage[],
  ): Violation | null {
    const { states } = this.local;
    let leaders = 0;
    for (let at = 0; at < states.length; at++)
      if (states[at].all[state[firstNode + at]].led.length > 0) leaders++;
    const ledBy = (at: number): readonly number[] => states[at].all[state[firstNode + at]].led;
    const found = leaders < 2 ? null : findTwoLeaders(states.length, ledBy);
    if (found !== null || this.invariants === null || !this.invariants.hasNetwork) return found;
    for (let at = 0; at < states.length; at++) {
      this.nodesNow[at] = this.nodeIn(this.invariants, at, state[firstNode + at]);
    }
    return this.invariants.violatedNow(() => messages(state), this.nodesNow);
  }

  judgeEnd(nodes: Uint16Array): Violation | null {
    const { local } = this;
    local.load(nodes);
    const { decisions, status } = local.machine;
    return judge(decisions, status, this.candidates, this.ids).fault;
  }

  private nodeIn(invariants: InvariantMonitor, at: number, state: number): NetworkNode {
    this.snapshots[at][state] ??= invariants.snapshot(at, this.local.states[at].all[state].record);
    return this.snapshots[at][state];
  }
}
