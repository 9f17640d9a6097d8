/** The measured algorithms and networks. */
import { registry } from '@hustings/study/algorithms';
import type { SimulateOptions } from '@hustings/study/simulator';

export interface AlgorithmCase {
  readonly algorithm: string;
  readonly options: SimulateOptions;
  /** Why the algorithm is more than five times slower than the fastest ring, if it is. */
  readonly reason: string | null;
}

const FULL = 1_000_000;
const QUICK = 50_000;

const TWO_SIDES =
  'a node hears from two sides, so each round is dealt out to its receivers before it is handled';

const MANY_PORTS = 'a node has many ports, so each round is dealt out to its receivers before it is handled';

const TIMERS = 'each message sets a timer, and timers take the general loop, event by event';

const CROWD = 'crashes and timers take the general loop, and a thousand messages reach a node at one instant';

/** The number of nodes, if a million would need too many messages, and the reason for a slow run. */
const OWN: Readonly<Record<string, { nodes: number; quick: number; reason: string | null }>> = {
  lelann: { nodes: 3_000, quick: 400, reason: 'every initiator writes down every id that passes' },
  'all-circulate': { nodes: 3_000, quick: 400, reason: null },
  'peterson-bidirectional': { nodes: FULL, quick: QUICK, reason: TWO_SIDES },
  franklin: { nodes: FULL, quick: QUICK, reason: TWO_SIDES },
  'randomized-chang-roberts': { nodes: FULL, quick: QUICK, reason: TWO_SIDES },
  'time-slice': { nodes: FULL, quick: QUICK, reason: 'timers take the general loop, event by event' },
  'hirschberg-sinclair': { nodes: FULL, quick: QUICK, reason: TWO_SIDES },
  'ring-list': {
    nodes: 300,
    quick: 60,
    reason: 'each message carries the list of the live, which every process copies, and sets a timer',
  },
  'ring-max': {
    nodes: 30_000,
    quick: 3_000,
    reason: TIMERS,
  },
  'itai-rodeh': {
    nodes: FULL,
    quick: QUICK,
    reason: 'a token has four fields, and its nodes draw random numbers',
  },
  'itai-rodeh-bounded': {
    nodes: FULL,
    quick: QUICK,
    reason: 'a token has three fields, and its nodes draw random numbers',
  },
  'itai-rodeh-unknown': { nodes: 200, quick: 60, reason: 'a node looks at every probe of every estimate' },
  'itai-rodeh-echo': { nodes: 30_000, quick: 3_000, reason: MANY_PORTS },
  'flood-max': { nodes: 30_000, quick: 3_000, reason: MANY_PORTS },
  'flood-max-rounds': {
    nodes: 1_000,
    quick: 300,
    reason: 'nodes know the diameter, for which all their distances are measured first; and they set timers',
  },
  'echo-election': { nodes: 30_000, quick: 3_000, reason: MANY_PORTS },
  ghs: {
    nodes: 10_000,
    quick: 1_000,
    reason: 'a node keeps sets of its ports, and looks through all of them for the lightest edge',
  },
  'tree-election': { nodes: FULL, quick: QUICK, reason: MANY_PORTS },
  sun: { nodes: 50_000, quick: 5_000, reason: TIMERS },
  divided: { nodes: 50_000, quick: 5_000, reason: TIMERS },
  'sun-divided': { nodes: 50_000, quick: 5_000, reason: MANY_PORTS },
  bully: { nodes: 1_000, quick: 200, reason: CROWD },
  'bully-ids': { nodes: 1_000, quick: 200, reason: CROWD },
  'bully-grant': { nodes: 1_000, quick: 200, reason: CROWD },
  'bully-successor': { nodes: 1_000, quick: 200, reason: CROWD },
  raft: {
    nodes: 1_000,
    quick: 200,
    reason:
      'timers take the general loop, lists the careful one, and a thousand answers reach a node at one instant',
  },
};

export function nodesFor(quick: boolean): number {
  return quick ? QUICK : FULL;
}

export function algorithmCases(quick: boolean): AlgorithmCase[] {
  return registry.map(({ name }) => {
    const own = OWN[name];
    const nodes = own === undefined ? nodesFor(quick) : quick ? own.quick : own.nodes;
    return { algorithm: name, options: { nodes }, reason: own?.reason ?? null };
  });
}
