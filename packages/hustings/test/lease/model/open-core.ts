/** The core of a candidate with a state that can be saved and loaded, and with random draws that the search chooses. */
import type { CandidateState } from '../../../src/lease/core/candidate-state.ts';
import { LeaseCore } from '../../../src/lease/core/lease-core.ts';

export class OpenCore extends LeaseCore {
  /** The result of every draw, up to its maximum. */
  drawn = 0;

  get saved(): CandidateState {
    return this.state;
  }

  load(state: CandidateState): void {
    this.state = state;
  }

  override choose(_random: number, most: number): number {
    return Math.min(most, this.drawn);
  }
}
