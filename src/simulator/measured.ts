/** The figure of a run that a law is about; null where it did not happen. */
import type { Measure } from '../kernel/law.ts';
import type { Outcome } from './simulate.ts';

/** The measured value of a measure, or null if it did not happen. */
export function measured(outcome: Outcome, measure: Measure): number | null {
  if (typeof measure === 'object') return outcome.messages.byType[measure.messages] ?? null;
  if (measure === 'election' || measure === 'announcement' || measure === 'upkeep') {
    return outcome.messages[measure] ?? null;
  }
  return outcome.time[measure];
}
