/** The core of a candidate, whose memory can be taken out and put back, and whose lots are chosen from outside. */
import type { CandidateState } from '../../../src/lease/core/candidate-state.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';

export class OpenCore extends LeaseCore {
  /** Every draw gives this, or the most that it can. */
  drawn = 0;

  get saved(): CandidateState {
    return this.state;
  }

  load(state: CandidateState): void {
    this.state = state;
  }

  protected override choose(_random: number, most: number): number {
    return Math.min(most, this.drawn);
  }
}
