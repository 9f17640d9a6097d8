/** Compares a setup with the assumptions of its algorithm. */

import { resolvePlan } from '@hustings/study/internal/simulator/plan/resolve-plan';
import { AssumptionError, type Remedy } from '@hustings/study/kernel';
import { algorithmOf, type LabSetup, optionsOf } from './lab-setup.ts';

/** An assumption that a setup violates and does not name in `despite`. */
export interface SetupIncompatibility {
  readonly assumption: string;
  /** One sentence without a full stop. */
  readonly text: string;
  /** Changes of one option, each of which suffices. */
  readonly remedies: readonly Remedy[];
}

/** The first assumption that is violated, or null. */
export function incompatibilityOf(setup: LabSetup): SetupIncompatibility | null {
  try {
    resolvePlan(algorithmOf(setup), optionsOf(setup));
    return null;
  } catch (error) {
    if (!(error instanceof AssumptionError)) throw error;
    return { assumption: error.assumption, text: error.message, remedies: error.remedies ?? [] };
  }
}
