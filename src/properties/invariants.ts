/** What an algorithm says of all its states at any time, looked at in what a machine holds now. */
import type { Machine } from '../kernel/machine/machine.ts';

type Invariant = (all: readonly Record<string, unknown>[]) => boolean;

export class Invariants {
  private readonly named: readonly [string, Invariant][];
  private readonly views: readonly Record<string, unknown>[];

  private constructor(machine: Machine, named: readonly [string, Invariant][]) {
    this.named = named;
    this.views = machine.views();
  }

  /** Null where the algorithm says nothing. */
  static of(machine: Machine): Invariants | null {
    const named = Object.entries(machine.algorithm.invariants ?? {}) as [string, Invariant][];
    return named.length === 0 ? null : new Invariants(machine, named);
  }

  /** One that does not hold now. */
  broken(): { readonly property: string; readonly text: string } | null {
    const found = this.named.find(([, holds]) => !holds(this.views));
    return found === undefined ? null : { property: found[0], text: 'the invariant does not hold' };
  }
}
