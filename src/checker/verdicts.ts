/**
 * What is wrong with a whole state of an election: the properties that every election has, and the invariants of the
 * algorithm's own.
 */
import { judge } from '../properties/validity.ts';
import type { LocalSteps } from './local-steps.ts';
import type { Violation } from './system.ts';

type Invariant = (all: readonly Record<string, unknown>[]) => boolean;

export class Verdicts {
  private readonly local: LocalSteps;
  private readonly candidates: number;
  private readonly ids: Int32Array | null;
  private readonly invariants: readonly [string, Invariant][];
  private readonly views: readonly Record<string, unknown>[];

  /** `candidates` are the positions below it; `ids` is null where nodes are anonymous. */
  constructor(local: LocalSteps, candidates: number, ids: Int32Array | null) {
    this.local = local;
    this.candidates = candidates;
    this.ids = ids;
    this.invariants = Object.entries(local.machine.algorithm.invariants ?? {});
    this.views = this.invariants.length > 0 ? local.machine.views() : [];
  }

  /**
   * At any moment at most one node has led a term. Looks at all terms that a node ever led: that one has crashed or
   * leads a later term by now does not let another lead the earlier one.
   */
  inspect(nodes: Uint16Array): Violation | null {
    const { states } = this.local;
    for (let at = 1; at < states.length; at++) {
      const { led } = states[at].all[nodes[at]];
      if (led.length === 0) continue;
      for (let other = 0; other < at; other++) {
        const rival = states[other].all[nodes[other]].led;
        const term = led.find((one) => rival.includes(one));
        if (term === undefined) continue;
        const of = term > 0 ? ` term ${term}` : '';
        return { property: 'uniqueness', text: `nodes ${other} and ${at} both lead${of}` };
      }
    }
    return this.brokenInvariant(nodes);
  }

  judgeEnd(nodes: Uint16Array): Violation | null {
    const { local } = this;
    local.load(nodes);
    const { decisions, status } = local.machine;
    return judge(decisions, status, this.candidates, this.ids).fault;
  }

  private brokenInvariant(nodes: Uint16Array): Violation | null {
    if (this.invariants.length === 0) return null;
    this.local.load(nodes);
    const broken = this.invariants.find(([, holds]) => !holds(this.views));
    return broken === undefined ? null : { property: broken[0], text: 'the invariant does not hold' };
  }
}
