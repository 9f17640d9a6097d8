/**
 * What an algorithm says of all its states at any time, looked at after every event. As one look goes through all
 * nodes, in large networks there is one look for as many events as there are nodes.
 */
import type { AnyAlgorithm } from '../kernel/algorithm.ts';
import type { Machine } from '../kernel/machine.ts';

/** Up to so many nodes are looked at after every event. */
const FEW = 1000;

export class Invariants {
  private readonly named: readonly [string, (all: readonly Record<string, unknown>[]) => boolean][];
  private readonly views: readonly Record<string, unknown>[];
  private readonly period: number;
  private events = 0;

  constructor(invariants: NonNullable<AnyAlgorithm['invariants']>, machine: Machine) {
    this.named = Object.entries(invariants);
    this.views = machine.views();
    this.period = this.views.length <= FEW ? 1 : this.views.length;
  }

  /** The name of one that does not hold now; null if all do, or it is not time to look. */
  broken(): string | null {
    if (++this.events % this.period !== 0) return null;
    const found = this.named.find(([, holds]) => !holds(this.views));
    return found === undefined ? null : found[0];
  }
}
