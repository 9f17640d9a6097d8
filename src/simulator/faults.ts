/**
 * What goes wrong in a run: nodes that crash and come back, messages that are lost or come twice, networks that
 * part and heal. All of it is planned before the run or drawn from the run's seed.
 *
 * A message that reaches a dead node, or crosses a partition when it would arrive, is lost; loss and duplication
 * are drawn when it is sent.
 */
import type { Random } from '../kernel/random.ts';

/** A crash or a recovery: a position and a time. */
export interface NodeFault {
  readonly position: number;
  /** In units. */
  readonly time: number;
}

/** Links between different groups carry nothing from one time until another, in units. */
export interface Partition {
  readonly groups: readonly (readonly number[])[];
  readonly from: number;
  readonly until: number;
}

/** The faults of a run. */
export interface FaultPlan {
  readonly crashes: readonly NodeFault[];
  readonly recoveries: readonly NodeFault[];
  /** Chances per message. */
  readonly loss: number;
  readonly duplication: number;
  /** In units: what is sent then or later is not lost. */
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
  private readonly die: Random;
  /** The group of each position, by partition; a position in no group is a group of its own. */
  private readonly groups: readonly Int32Array[];

  constructor(plan: FaultPlan, n: number, die: Random) {
    this.plan = plan;
    this.die = die;
    this.groups = plan.partitions.map(({ groups }) => {
      const group = Int32Array.from({ length: n }, (_, position) => -1 - position);
      groups.forEach((members, index) => {
        for (const position of members) group[position] = index;
      });
      return group;
    });
  }

  /** Does the link lose what is sent at this time, in units? */
  loses(time: number): boolean {
    return this.plan.loss > 0 && time < this.plan.lossUntil && this.die.chance(this.plan.loss);
  }

  doubles(): boolean {
    return this.plan.duplication > 0 && this.die.chance(this.plan.duplication);
  }

  /** Is the link between two positions cut at this time, in units? */
  parted(one: number, other: number, time: number): boolean {
    for (let index = 0; index < this.groups.length; index++) {
      const { from, until } = this.plan.partitions[index];
      const group = this.groups[index];
      if (time >= from && time < until && group[one] !== group[other]) return true;
    }
    return false;
  }
}
