/** A search as the page asks for it: the setup of the sentence, and the options of the page Check. */

import {
  type CheckOptions,
  type CheckResult,
  COST_MEASURES,
  type CostMeasure,
} from '@hustings/study/checker';
import type { LabSetup } from '../setup/lab-setup.ts';
import type { ExtraParameters } from '../setup/url-state.ts';

/** The options of a search beside the setup. Names are those of `hustings check`. */
export interface CheckChoices {
  readonly orders: 'one' | 'all';
  readonly initiators: 'all' | 'subsets';
  readonly crashes: number;
  readonly recoveries: number;
  readonly losses: number;
  /** False lets messages overtake one another. */
  readonly fifo: boolean | undefined;
  /** Also finds the most expensive run. */
  readonly worst: CostMeasure | undefined;
  readonly stateLimit: number;
  /** The largest values of counters, by name. */
  readonly bound: Readonly<Record<string, number>> | undefined;
  readonly reduce: 'none' | undefined;
}

export interface CheckRequest {
  readonly setup: LabSetup;
  readonly choices: CheckChoices;
}

/** What the page knows while a search runs. */
export interface CheckProgress {
  readonly states: number;
  /** States that are not expanded yet. */
  readonly waiting: number;
  readonly expected: number | null;
  readonly ms: number;
}

/** A state of a graph that is drawn. */
export interface DrawnGraphState {
  readonly depth: number;
  readonly isTerminal: boolean;
  readonly violation: string | null;
  readonly text: string;
}

export interface CheckReply {
  readonly result: CheckResult;
  /** The ids that were searched, by position; null for all orders, and if nodes are anonymous. */
  readonly ids: readonly number[] | null;
  readonly ms: number;
  /** The number of states at each depth, over all instances. */
  readonly widths: readonly number[];
  /** Null if the state space is too large to be drawn, or was searched for several instances. */
  readonly graph: {
    readonly states: readonly DrawnGraphState[];
    readonly edges: readonly { readonly from: number; readonly to: number; readonly step: string }[];
  } | null;
}

/** State spaces grow exponentially: the page searches fewer states than the command line by default. */
export const DEFAULT_STATE_LIMIT = 2_000_000;
/** The largest network whose schedules are searched: a larger one has more states than a browser can hold. */
export const MAX_CHECKED_NODES = 32;
/** A larger graph is not drawn. */
export const MAX_DRAWN_STATES = 500;

/** The options for check(). A crash that the sentence plans becomes one that may happen at any time. */
export function checkOptions({ setup, choices }: CheckRequest): CheckOptions {
  const { ids, nodes, order, seed, set, topology } = setup;
  const { bound, crashes, fifo, initiators, losses, orders, recoveries, reduce, stateLimit, worst } = choices;
  // A default is left out: an algorithm may have a preset, which is searched if nothing else is chosen.
  return {
    ...{ ids, nodes, order, seed, set, topology },
    ...{ bound, fifo, reduce, stateLimit, worst },
    orders: orders === 'one' ? undefined : orders,
    crashes: crashes || undefined,
    losses: losses || undefined,
    recoveries: recoveries || undefined,
    initiators: Array.isArray(setup.initiators)
      ? setup.initiators.map((each) => (typeof each === 'number' ? each : each.position))
      : initiators === 'all'
        ? undefined
        : initiators,
  };
}

/** Reads the parameters of the page from its link. */
export function checkChoices(setup: LabSetup, extra: ExtraParameters): CheckChoices {
  const count = (name: string, fallback: number): number => {
    const value = Number(extra[name] ?? fallback);
    return Number.isInteger(value) && value >= 0 ? value : fallback;
  };
  const planned = Array.isArray(setup.crash) ? setup.crash.length : 0;
  const isNoFifo = extra.fifo === 'no' || setup.schedule === 'random:nofifo';
  return {
    orders: extra.orders === 'all' ? 'all' : 'one',
    initiators: extra.starts === 'subsets' ? 'subsets' : 'all',
    crashes: count('crashes', planned),
    recoveries: count('recoveries', 0),
    losses: count('losses', 0),
    fifo: isNoFifo ? false : undefined,
    worst: COST_MEASURES.find((measure) => measure === extra.worst),
    stateLimit: count('limit', DEFAULT_STATE_LIMIT),
    bound: readBound(extra.bound),
    reduce: extra.reduce === 'none' ? 'none' : undefined,
  };
}

/** 'round=2,hops=5' by name. */
function readBound(text: string | undefined): CheckChoices['bound'] {
  const pairs = (text ?? '').split(',').flatMap((part) => {
    const [name, value] = part.split('=');
    return name !== '' && Number.isInteger(Number(value)) ? [[name, Number(value)] as const] : [];
  });
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
}
