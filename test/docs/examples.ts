/** What the page of an algorithm shows, where the plain choice would not do. */
import type { CheckOptions } from '../../src/checker/index.ts';
import type { SimulateOptions } from '../../src/simulator/index.ts';

interface Example {
  /** The run that is drawn; 6 nodes in lockstep unless it says otherwise. */
  readonly run?: SimulateOptions;
  /** Sizes of the table of costs, and what single sizes need. */
  readonly sizes?: readonly number[];
  readonly settings?: Readonly<Record<string, SimulateOptions>>;
  /** What a search needs. */
  readonly check?: CheckOptions;
}

export const examples: Readonly<Record<string, Example>> = {
  'echo-election': { run: { nodes: 5, topology: 'ring', initiators: [0, 2] }, check: { topology: 'line' } },
};
