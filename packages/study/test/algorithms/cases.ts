/**
 * What single algorithms need beside the defaults that follow from their model: NAME.cases.ts beside the test, optional.
 * The tests of pages, searches and random elections read it.
 */
import type { CheckOptions } from '../../src/checker/index.ts';
import type { AnyAlgorithm, Setting } from '../../src/kernel/index.ts';
import type { SimulateOptions } from '../../src/simulator/index.ts';

/** Random elections: sizes that fit the parameters, and how many nodes may fail. */
export interface ScenarioCases {
  /** A size near the one that was drawn. */
  readonly nodes?: (n: number, drawn: number) => number;
  readonly ids?: (n: number, drawn: number) => number[];
  readonly set?: (n: number, drawn: number) => Record<string, Setting>;
  /** Whether the algorithm claims to elect a leader with these options; by default it does. */
  readonly claims?: (options: SimulateOptions) => boolean;
  /** The largest number of nodes that are dead at the same time. */
  readonly mayFail?: (n: number) => number;
}

export interface Cases {
  /** The assumptions that no run may violate: by default its network, unique ids, and no fault, but neither FIFO nor timing. */
  readonly refuses?: string;
  /** The run that the page draws: 6 nodes in lockstep by default. */
  readonly run?: SimulateOptions;
  /** The sizes of the page's cost table, and the options of single sizes. */
  readonly sizes?: readonly number[];
  readonly settings?: Readonly<Record<string, SimulateOptions>>;
  /** Further options of the searches without an assumption. */
  readonly breaks?: CheckOptions;
  /** The searches of docs/checked.md: the largest networks that take a second or two. */
  readonly searches?: readonly CheckOptions[];
  /** The algorithm as it is searched, where that differs. */
  readonly searchedAs?: (algorithm: AnyAlgorithm) => AnyAlgorithm;
  readonly scenario?: ScenarioCases;
}

export const everything = { orders: 'all', initiators: 'subsets' } as const;
export const orders = { orders: 'all' } as const;
/** Without the invariants of the network, for which every state must be visited. */
export const reduced = { invariants: 'node' } as const;
export const detectors = { order: 'ascending', initiators: 'subsets' } as const;

/** The largest id is dead at first: only then does a search let every node find that its coordinator has crashed. */
export function coordinatorDead(algorithm: AnyAlgorithm): AnyAlgorithm {
  return { ...algorithm, trigger: 'coordinator dead' };
}
