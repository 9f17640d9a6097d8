/**
 * What is wrong with a whole state of an election: the properties that every election has, and the invariants of the
 * algorithm's own.
 */

import type { NetworkMessage, NetworkNode } from '../../kernel/invariant.ts';
import type { InvariantMonitor } from '../../properties/invariants.ts';
import { judge } from '../../properties/validity.ts';
import type { Violation } from '../search/system.ts';
import type { NodeTransitions } from './node-transitions.ts';

export class Verdicts {
  private readonly local: NodeTransitions;
  private readonly candidates: number;
  private readonly ids: Int32Array | null;
  private readonly invariants: InvariantMonitor | null;
  /** By position and number of the state. */
  private readonly snapshots: readonly NetworkNode[][];
  private readonly moment: NetworkNode[] = [];

  /** `candidates` are the positions below it; `ids` is null where nodes are anonymous. */
  constructor(
    local: NodeTransitions,
    candidates: number,
    ids: Int32Array | null,
    invariants: InvariantMonitor | null,
  ) {
    this.local = local;
    this.candidates = candidates;
    this.ids = ids;
    this.invariants = invariants;
    this.snapshots = local.states.map(() => []);
  }

  /**
   * At any moment at most one node has led a term. Looks at all terms that a node ever led: that one has crashed or
   * leads a later term by now does not let another lead the earlier one.
   */
  inspect(nodes: Uint16Array, messages: () => readonly NetworkMessage[]): Violation | null {
    const { states } = this.local;
    const ledBy = (at: number): readonly number[] => states[at].all[nodes[at]].led;
    return findTwoLeaders(states.length, ledBy) ?? this.violatedInvariant(nodes, messages);
  }

  judgeEnd(nodes: Uint16Array): Violation | null {
    const { local } = this;
    local.load(nodes);
    const { decisions, status } = local.machine;
    return judge(decisions, status, this.candidates, this.ids).fault;
  }

  /** Of the network: those of one node belong to its steps, see node-transitions.ts. */
  private violatedInvariant(nodes: Uint16Array, messages: () => readonly NetworkMessage[]): Violation | null {
    if (this.invariants === null || !this.invariants.hasNetwork) return null;
    for (let at = 0; at < nodes.length; at++) this.moment[at] = this.nodeIn(this.invariants, at, nodes[at]);
    return this.invariants.violatedNow(messages, this.moment);
  }

  private nodeIn(invariants: InvariantMonitor, at: number, state: number): NetworkNode {
    this.snapshots[at][state] ??= invariants.snapshot(at, this.local.states[at].all[state].record);
    return this.snapshots[at][state];
  }
}

/** Two nodes of n that have led one term, by the terms that each has led. */
export function findTwoLeaders(n: number, ledBy: (at: number) => readonly number[]): Violation | null {
  for (let at = 1; at < n; at++) {
    const led = ledBy(at);
    if (led.length === 0) continue;
    for (let other = 0; other < at; other++) {
      const rival = ledBy(other);
      const term = led.find((one) => rival.includes(one));
      if (term === undefined) continue;
      const of = term > 0 ? ` term ${term}` : '';
      return { property: 'uniqueness', text: `nodes ${other} and ${at} both lead${of}` };
    }
  }
  return null;
}
