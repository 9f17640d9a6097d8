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
  'itai-rodeh-unknown': { sizes: [4, 8, 16], run: { nodes: 3 } },
  'flood-max': { run: { nodes: 5, topology: 'ring', initiators: [0, 2] } },
  'itai-rodeh-echo': { run: { nodes: 4, topology: 'ring', initiators: [0, 2] } },
  'time-slice': { run: { nodes: 4 } },
  'ring-list': { run: { nodes: 5, initiators: [0], crash: [{ position: 3, time: 0 }] } },
  'ring-max': { run: { nodes: 5, initiators: [0, 2], crash: [{ position: 3, time: 0 }] } },
  sun: { run: { nodes: 8, initiators: [1] } },
  divided: { run: { nodes: 6, initiators: [1] } },
  'sun-divided': { run: { nodes: 8, initiators: [1] } },
  'bully-ids': { run: { nodes: 6, order: 'ascending', initiators: [1] } },
  'bully-grant': { run: { nodes: 6, order: 'ascending', initiators: [1] } },
  'bully-successor': { run: { nodes: 6, order: 'ascending', initiators: [1] } },
  raft: {
    run: { nodes: 3, initiators: [0], set: { spread: 0 }, until: 30 },
    sizes: [8, 64],
    settings: {
      8: { initiators: [0], set: { spread: 0 } },
      64: { initiators: [0], set: { spread: 0 } },
    },
  },
  'echo-election': { run: { nodes: 5, topology: 'ring', initiators: [0, 2] }, check: { topology: 'line' } },
};
