/** The value of a run in the measure of a law. */
import type { Measure } from '../kernel/law.ts';
import type { Outcome } from './simulate.ts';

/** Null if the event, such as a decision, did not happen. */
export function measured(outcome: Outcome, measure: Measure): number | null {
  if (typeof measure === 'object') return outcome.messages.byType[measure.messages] ?? null;
  if (measure === 'election' || measure === 'announcement' || measure === 'upkeep') {
    return outcome.messages[measure] ?? null;
  }
  return outcome.time[measure];
}
