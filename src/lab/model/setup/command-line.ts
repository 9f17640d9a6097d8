/** A setup as the command that simulates it, for a terminal. */
import { DEFAULT_NODES } from '../../../kernel/setup.ts';
import { simulateLine } from '../../../simulator/plan/replay-line.ts';
import { type LabSetup, optionsOf } from './lab-setup.ts';
import { withoutDefaults } from './parameters.ts';

/** With npx, because the package may be installed for one project only. */
export function commandLineOf(setup: LabSetup): string {
  return `npx ${simulateLine(setup.algorithm, optionsOf(withoutDefaults(setup.nodes === DEFAULT_NODES ? { ...setup, nodes: undefined } : setup)))}`;
}
