/** A setup as the command that simulates it, for a terminal. */
import { DEFAULT_NODES } from '@hustings/study/driver';
import { simulateLine } from '@hustings/study/internal/simulator/plan/replay-line';
import { type LabSetup, optionsOf } from './lab-setup.ts';
import { withoutDefaults } from './parameters.ts';

/** With npx, because the package may be installed for one project only. */
export function commandLineOf(setup: LabSetup): string {
  return `npx ${simulateLine(setup.algorithm, optionsOf(withoutDefaults(setup.nodes === DEFAULT_NODES ? { ...setup, nodes: undefined } : setup)))}`;
}
