/** The core of a candidate, whose memory can be taken out and put back, and whose lots are chosen from outside. */
import type { CandidateState } from '../../../src/lease/core/candidate-state.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';

export class OpenCore extends LeaseCore {
  /** Every draw gives this, or the most that it can. */
  lot = 0;

  get saved(): CandidateState {
    return this.state;
  }

  load(state: CandidateState): void {
    this.state = { ...state, term: state.term === null ? null : { ...state.term } };
  }

  protected override draw(most: number): number {
    return Math.min(most, this.lot);
  }
}
