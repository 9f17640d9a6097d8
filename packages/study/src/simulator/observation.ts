/** How long a run is observed: until nothing is pending, until the caller cuts it, or for one or more horizons. */
import type { Random } from '../kernel/random.ts';
import type { Plan } from './plan/plan.ts';
import { TICKS } from './schedules/schedule.ts';

/** How long a run is observed. */
export class Observation {
  /** In ticks; infinite without `until` or a horizon. */
  until: number;
  /** A node has drawn a random number. */
  private hasDrawn = false;
  /** Zero if the run must not be extended. */
  private readonly horizon: number;

  constructor({ cutShort, until }: Pick<Plan, 'cutShort' | 'until'>) {
    this.until = until === null ? Number.POSITIVE_INFINITY : Math.round(until * TICKS);
    this.horizon = cutShort || until === null ? 0 : this.until;
  }

  /** The time at which the run stops, in units. */
  get end(): number {
    return this.until / TICKS;
  }

  /** The draws of the nodes, from 1 to k. */
  drawsOf(random: Random): (k: number) => number {
    return (k) => {
      this.hasDrawn = true;
      return 1 + random.below(k);
    };
  }

  /**
   * Adds a horizon, if a node has drawn a random number. Such a run can be without a leader at any fixed time, so a leader
   * that is missing at the horizon refutes nothing; without draws the horizon is a claim of the author.
   */
  extend(): boolean {
    if (!this.hasDrawn || this.horizon === 0) return false;
    this.until += this.horizon;
    return true;
  }
}
