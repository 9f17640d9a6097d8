/**
 * What is searched for docs/checked.md: for each algorithm, by name, the largest elections that take a second or two.
 * First every order of the ids and every set of initiators, then one more node or two with less that varies, then
 * what else the algorithm assumes: faults, or links that keep no order.
 */
import type { CheckOptions } from '../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';

const everything = { orders: 'all', initiators: 'subsets' } as const;
const orders = { orders: 'all' } as const;
const detectors = { order: 'ascending', initiators: 'subsets' } as const;

const plainRaft = {
  timeout: 2,
  spread: 0,
  heartbeats: 2,
  prevote: false,
  checkQuorum: false,
  lease: false,
} as const;
const fullRaft = { ...plainRaft, prevote: true, checkQuorum: true, lease: true } as const;

export const CONFIGURATIONS: Readonly<Record<string, readonly CheckOptions[]>> = {
  lelann: [{ nodes: 6, ...everything }],
  'chang-roberts': [
    { nodes: 5, ...everything },
    { nodes: 6, ...orders },
    { nodes: 12, order: 'random' },
    { nodes: 5, ...everything, set: { filter: true } },
  ],
  'all-circulate': [
    { nodes: 5, ...everything },
    { nodes: 6, ...orders },
    { nodes: 5, ...everything, set: { compete: 'initiators' } },
  ],
  'hirschberg-sinclair': [
    { nodes: 4, ...everything },
    { nodes: 7, order: 'random' },
    { nodes: 4, ...everything, set: { veto: true } },
    { nodes: 4, ...everything, set: { compare: 'phase' } },
  ],
  'peterson-bidirectional': [
    { nodes: 4, ...everything },
    { nodes: 5, ...orders },
    { nodes: 6, order: 'random' },
    { nodes: 4, ...everything, set: { eager: true } },
  ],
  peterson: [
    { nodes: 5, ...everything },
    { nodes: 6, ...orders },
    { nodes: 12, order: 'random' },
  ],
  'dolev-klawe-rodeh': [
    { nodes: 5, ...everything },
    { nodes: 6, ...orders },
    { nodes: 12, order: 'random' },
  ],
  'time-slice': [{ nodes: 8, ...orders }],
  'randomized-chang-roberts': [
    { nodes: 4, ...everything },
    { nodes: 6, order: 'random' },
  ],
  // Rounds have no end where lots may tie for ever; where messages overtake, the reduction looks beyond any bound.
  'itai-rodeh': [
    { nodes: 3, initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, reduce: 'none' },
    { nodes: 4, initiators: 'subsets', set: { c: 2 }, bound: { round: 4 }, fifo: true },
    { nodes: 5, initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, fifo: true },
  ],
  'itai-rodeh-bounded': [
    { nodes: 3, initiators: 'subsets', set: { c: 2, N: 3 }, bound: { round: 2 }, reduce: 'none' },
    { nodes: 5, initiators: 'subsets', set: { c: 2, N: 5 }, bound: { round: 2 }, fifo: true },
  ],
  'itai-rodeh-unknown': [{ nodes: 1 }, { nodes: 2, set: { c: 2 } }],
  'ring-list': [
    { nodes: 4, ...everything },
    { nodes: 3, order: 'descending', initiators: 'subsets', losses: 2 },
  ],
  'ring-max': [
    { nodes: 4, ...everything },
    { nodes: 3, order: 'descending', initiators: 'subsets', losses: 2 },
  ],
  sun: [
    { nodes: 4, ...everything },
    { nodes: 4, order: 'ascending', initiators: [0], crashes: 1 },
    { nodes: 3, order: 'ascending', initiators: [0], crashes: 1, recoveries: 1 },
    { nodes: 3, order: 'ascending', initiators: [0], losses: 1 },
  ],
  divided: [
    { nodes: 3, ...everything },
    { nodes: 4, order: 'ascending', initiators: [0], crashes: 1 },
    { nodes: 3, order: 'ascending', initiators: [0], losses: 1 },
  ],
  'sun-divided': [
    { nodes: 3, ...everything },
    { nodes: 4, ...detectors, set: { u: 2, depth: 2 } },
    { nodes: 8, order: 'ascending', initiators: [1], set: { u: 2, depth: 2 } },
  ],
  'itai-rodeh-echo': [
    { nodes: 3, topology: 'ring', initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, reduce: 'none' },
    { nodes: 3, topology: 'ring', initiators: 'subsets', set: { c: 2 }, bound: { round: 3 }, fifo: true },
    { nodes: 4, topology: 'star', initiators: 'subsets', set: { c: 2 }, bound: { round: 2 }, fifo: true },
  ],
  'flood-max': [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'line', ...everything },
    { nodes: 4, topology: 'ring', initiators: 'subsets' },
  ],
  'flood-max-rounds': [
    { nodes: 7, topology: 'ring', ...orders },
    { nodes: 7, topology: 'line', ...orders },
  ],
  'echo-election': [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'ring', initiators: 'subsets' },
    { nodes: 3, topology: 'complete', ...everything, set: { announce: 'echo' } },
  ],
  ghs: [
    { nodes: 3, topology: 'complete', ...everything },
    { nodes: 4, topology: 'ring', ...everything },
  ],
  'tree-election': [
    { nodes: 4, topology: 'star', ...everything },
    { nodes: 4, topology: 'line', ...everything },
    { nodes: 5, topology: 'line', initiators: 'subsets' },
    { nodes: 7, topology: 'star' },
  ],
  bully: [
    { nodes: 4, ...detectors, crashes: 1 },
    { nodes: 5, order: 'ascending', crashes: 2 },
    { nodes: 3, ...detectors, crashes: 1, recoveries: 1 },
  ],
  'bully-ids': [
    { nodes: 4, order: 'ascending', crashes: 1 },
    { nodes: 3, ...detectors, crashes: 1, recoveries: 1 },
  ],
  'bully-grant': [
    { nodes: 4, order: 'ascending', crashes: 1 },
    { nodes: 3, ...detectors, crashes: 1, recoveries: 1 },
  ],
  'bully-successor': [
    { nodes: 4, order: 'ascending', crashes: 1 },
    { nodes: 3, ...detectors, crashes: 1, recoveries: 1 },
  ],
  // Terms and rounds have no end; a message may stay under way for ever, which is as good as lost.
  raft: [
    {
      nodes: 3,
      order: 'ascending',
      crashes: 1,
      recoveries: 1,
      set: plainRaft,
      bound: { term: 1, round: 1 },
      reduce: 'none',
    },
    {
      nodes: 4,
      order: 'ascending',
      initiators: [0, 1],
      set: plainRaft,
      bound: { term: 1, round: 1 },
      reduce: 'none',
    },
    { nodes: 2, order: 'ascending', set: fullRaft, bound: { term: 2, round: 2 }, reduce: 'none' },
  ],
};

/** With the largest dead at first: only then does a search let all notice that their coordinator has died. */
const coordinatorDead = (algorithm: AnyAlgorithm): AnyAlgorithm => ({
  ...algorithm,
  trigger: 'coordinator dead',
});

/** Where an algorithm is searched a little changed: the reason stands with the change. */
export const SEARCHED_AS: Readonly<Record<string, (algorithm: AnyAlgorithm) => AnyAlgorithm>> = {
  sun: coordinatorDead,
  divided: coordinatorDead,
};
