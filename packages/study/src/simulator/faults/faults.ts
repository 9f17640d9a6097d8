/**
 * The faults of a run: crashes and recoveries of nodes, losses and duplications of messages, partitions of the network. All
 * are planned before the run or drawn from its seed.
 *
 * A message is lost if its receiver is crashed or partitioned from its sender when it arrives. Loss and duplication are drawn
 * when it is sent.
 */
import type { Random } from '../../kernel/random.ts';

/** A crash or a recovery: a position and a time. */
export interface NodeFault {
  readonly position: number;
  /** In units. */
  readonly time: number;
}

/** Messages between different groups are lost from one time until another, in units. */
export interface Partition {
  readonly groups: readonly (readonly number[])[];
  readonly from: number;
  readonly until: number;
}

/** The faults of a run. */
export interface FaultPlan {
  readonly crashes: readonly NodeFault[];
  readonly recoveries: readonly NodeFault[];
  /** Probabilities per message. */
  readonly loss: number;
  readonly duplication: number;
  /** No message that is sent at this time or later is lost; in units. */
  readonly lossUntil: number;
  readonly partitions: readonly Partition[];
}

export function isFaultless(plan: FaultPlan): boolean {
  return (
    plan.crashes.length === 0 &&
    plan.recoveries.length === 0 &&
    plan.loss === 0 &&
    plan.duplication === 0 &&
    plan.partitions.length === 0
  );
}

export class FaultModel {
  private readonly plan: FaultPlan;
  private readonly random: Random;
  /** The group of each position, by partition. A position in no group is a group of its own. */
  private readonly groups: readonly Int32Array[];

  constructor(plan: FaultPlan, n: number, random: Random) {
    this.plan = plan;
    this.random = random;
    this.groups = plan.partitions.map(({ groups }) => {
      const group = Int32Array.from({ length: n }, (_, position) => -1 - position);
      groups.forEach((members, index) => {
        for (const position of members) group[position] = index;
      });
      return group;
    });
  }

  get hasPartitions(): boolean {
    return this.groups.length > 0;
  }

  /** True if a message may be lost or duplicated when it is sent. */
  get isLossy(): boolean {
    return this.plan.loss > 0 || this.plan.duplication > 0;
  }

  /** Draws whether a message that is sent at this time, in units, is lost. */
  loses(time: number): boolean {
    return this.plan.loss > 0 && time < this.plan.lossUntil && this.random.chance(this.plan.loss);
  }

  duplicates(): boolean {
    return this.plan.duplication > 0 && this.random.chance(this.plan.duplication);
  }

  /** True if a partition separates the two positions at this time, in units. */
  isPartitioned(one: number, other: number, time: number): boolean {
    for (let index = 0; index < this.groups.length; index++) {
      const { from, until } = this.plan.partitions[index];
      const group = this.groups[index];
      if (time >= from && time < until && group[one] !== group[other]) return true;
    }
    return false;
  }
}
