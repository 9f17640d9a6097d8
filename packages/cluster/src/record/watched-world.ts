/** A world that tells each step that it takes, but not those of a search. */
import { type DrawSequences, type Step, type StepOutcome, World } from '@hustings/study/driver';

export class WatchedWorld extends World {
  /** Called after each step. */
  onStep: (outcome: StepOutcome) => void = () => {};
  private searches = 0;

  override apply(step: Step, draw?: (sides: number, index: number) => number): StepOutcome {
    const outcome = super.apply(step, draw);
    if (this.searches === 0) this.onStep(outcome);
    return outcome;
  }

  override branch<T>(step: Step, visit: (outcome: StepOutcome, draws: DrawSequences) => T): T[] {
    this.searches++;
    try {
      return super.branch(step, visit);
    } finally {
      this.searches--;
    }
  }
}
