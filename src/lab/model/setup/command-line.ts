/** A setup as the command that simulates it, for a terminal. */
import { simulateLine } from '../../../simulator/plan/replay-line.ts';
import { type LabSetup, optionsOf } from './lab-setup.ts';
import { withoutDefaults } from './parameters.ts';

/** With npx, because the package may be installed for one project only. */
export function commandLineOf(setup: LabSetup): string {
  return `npx ${simulateLine(setup.algorithm, optionsOf(withoutDefaults(setup)))}`;
}
