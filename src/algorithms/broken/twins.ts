/**
 * Wrong twins: copies of right algorithms with one line changed, to show what that line is for, and that the checker
 * sees. A twin's file keeps the name and the head of the right one, so that nothing but the line differs; here it gets
 * a name of its own.
 */
import type { AnyAlgorithm, Setting } from '../../kernel/index.ts';
import { bully as hasty } from './bully-hasty.ts';
import { changRoberts as unkilled } from './chang-roberts-unkilled.ts';
import { echoElection as extinct } from './echo-extinct.ts';
import { echoElection as miscounting } from './echo-miscounting.ts';
import { floodMax as overtaken } from './flood-max-unordered.ts';
import { itaiRodehBounded as halved } from './itai-rodeh-halved.ts';
import { itaiRodeh as uncounted } from './itai-rodeh-uncounted.ts';
import { itaiRodeh as unnumbered } from './itai-rodeh-unnumbered.ts';
import { peterson as strict } from './peterson-strict.ts';
import { peterson as unmended } from './peterson-unmended.ts';
import { peterson as unordered } from './peterson-unordered.ts';
import { raft as forgetful } from './raft-forgetful.ts';
import { raft as half } from './raft-half.ts';
import { sunDivided as ungathered } from './sun-divided-ungathered.ts';
import { treeElection as early } from './tree-early.ts';

/** A search of all schedules, as check() takes it. */
export interface TwinSearch {
  readonly nodes?: number;
  readonly ids?: readonly number[];
  readonly topology?: string;
  readonly orders?: 'all';
  readonly initiators?: 'subsets';
  readonly crashes?: number;
  readonly recoveries?: number;
  readonly set?: Readonly<Record<string, Setting>>;
  /** Beyond it the right one is not searched either: there is no largest round. */
  readonly bound?: Readonly<Record<string, number>>;
  readonly reduce?: 'none';
}

/** Raft with nothing but votes: the rest only keeps nodes from asking for them. */
const BARE = { spread: 0, prevote: false, checkQuorum: false, lease: false };

export interface Twin {
  readonly name: string;
  /** The name of the right one. */
  readonly of: string;
  readonly algorithm: AnyAlgorithm;
  /** What the search finds broken. The right one passes the same search. */
  readonly property: 'termination' | 'uniqueness' | 'agreement';
  readonly where: TwinSearch;
  readonly why: string;
  /** How the run ends that the search finds, where the property says too little. */
  readonly ends?: string;
}

/** A wrong line, and under which title it runs. */
interface Slip extends Omit<Twin, 'of'> {
  readonly title: string;
}

function twin({ title, algorithm, name, ...rest }: Slip): Twin {
  return { name, of: algorithm.name, algorithm: { ...algorithm, name, title }, ...rest };
}

export const twins: readonly Twin[] = [
  twin({
    name: 'chang-roberts-unkilled',
    title: 'Chang–Roberts, killing tokens with the filter only',
    algorithm: unkilled,
    property: 'uniqueness',
    where: { nodes: 2, orders: 'all', initiators: 'subsets' },
    why: 'A token that comes home tells its owner that no stronger initiator stands on the ring, because that one would have killed it. Where nobody kills, every token comes home, and every initiator leads.',
  }),
  twin({
    name: 'peterson-unmended',
    title: 'Peterson, sending v for max(s, v)',
    algorithm: unmended,
    property: 'uniqueness',
    where: { nodes: 2, orders: 'all', initiators: 'subsets' },
    why: 'Of two active nodes each stands before the other: an id that is sent on as it came goes back to its owner, who takes this for the sign that it has won.',
  }),
  twin({
    name: 'peterson-strict',
    title: 'Peterson, with > for ≥',
    algorithm: strict,
    property: 'termination',
    where: { nodes: 3, orders: 'all', initiators: 'subsets' },
    why: 'p is the larger of v and another id, so that v > p never holds: all become relays, the largest id is swallowed with the others, and nobody leads.',
  }),
  twin({
    name: 'peterson-unordered',
    title: 'Peterson, without FIFO links',
    algorithm: unordered,
    property: 'uniqueness',
    where: { nodes: 4, orders: 'all' },
    why: 'The two ids that a node sends in a phase look alike and are told apart by their order: where the second overtakes the first, an id gets past a larger one and comes home beside it.',
  }),
  twin({
    name: 'echo-extinct',
    title: 'Echo election, with extinction by ≤',
    algorithm: extinct,
    property: 'termination',
    where: { ids: [1, 2, 3], topology: 'ring', initiators: 'subsets' },
    why: 'On a link that closes a circle the explorers of one wave meet, each the answer to the other: a node that swallows its equal waits for ever for what it has thrown away.',
  }),
  twin({
    name: 'echo-miscounting',
    title: 'Echo election, counting one neighbour too few',
    algorithm: miscounting,
    property: 'uniqueness',
    where: { ids: [1, 2, 3], topology: 'line' },
    why: 'An echo says that all beyond have been asked. One that is sent a neighbour too early speaks for nodes that have heard nothing, a larger id among them.',
  }),
  twin({
    name: 'flood-max-unordered',
    title: 'Flooding the maximum, without FIFO links',
    algorithm: overtaken,
    property: 'uniqueness',
    where: { ids: [2, 1], topology: 'line', initiators: 'subsets' },
    why: 'A signal says that a wave is over beyond, and that a stronger one, if it is that which ended it, has been heard of: for that, the larger id must come before the signal.',
  }),
  twin({
    name: 'tree-early',
    title: 'Tree election, contracting with two neighbours left',
    algorithm: early,
    property: 'uniqueness',
    where: { ids: [3, 1, 2], topology: 'line', initiators: 'subsets' },
    why: 'A contraction speaks for all nodes behind its sender. One that leaves before the last of them has been heard may leave out the largest id.',
  }),
  twin({
    name: 'bully-hasty',
    title: 'Bully, waiting half the time',
    algorithm: hasty,
    property: 'uniqueness',
    where: { ids: [1, 2, 3], initiators: 'subsets' },
    why: 'An answer takes the way there and the way back. Whoever allows for one of them takes larger processes for dead while their answers are under way.',
  }),
  twin({
    name: 'itai-rodeh-uncounted',
    title: 'Itai–Rodeh, without the hop count',
    algorithm: uncounted,
    property: 'uniqueness',
    where: { nodes: 2, bound: { round: 2 }, reduce: 'none' },
    why: 'Ids that are drawn may be drawn twice: a token with my id need not be mine, and only the number of its hops tells.',
  }),
  twin({
    name: 'itai-rodeh-unnumbered',
    title: 'Itai–Rodeh, without round numbers',
    algorithm: unnumbered,
    property: 'termination',
    where: { nodes: 3, bound: { round: 2 }, reduce: 'none' },
    why: 'Where messages overtake, a token of the next round may reach a node that still waits for its own of the last: it is measured by a number that no longer stands, and swallowed.',
  }),
  twin({
    name: 'itai-rodeh-halved',
    title: 'Itai–Rodeh, size known within N and 2N',
    algorithm: halved,
    property: 'uniqueness',
    where: { nodes: 4, set: { c: 2 }, bound: { round: 1 }, reduce: 'none' },
    why: 'A ring of 2N has room for two arcs of N hops: two nodes that stand opposite and draw the same each take the token of the other for their own.',
  }),
  twin({
    name: 'raft-forgetful',
    title: 'Raft election, with votes that are not on disk',
    algorithm: forgetful,
    property: 'uniqueness',
    where: { ids: [1, 2, 3], crashes: 1, recoveries: 1, set: BARE, bound: { term: 1, round: 1 } },
    why: 'Two majorities share a node, and that node votes once a term: so only one of them can be complete. If it forgets its vote in a crash, it gives it twice.',
  }),
  twin({
    name: 'raft-half',
    title: 'Raft election, with half the votes for a majority',
    algorithm: half,
    property: 'uniqueness',
    where: { ids: [1, 2], set: BARE, bound: { term: 1, round: 1 }, reduce: 'none' },
    why: 'Half and half have no node in common: each may vote for a leader of its own.',
  }),
  twin({
    name: 'sun-divided-ungathered',
    title: 'Sun and Divided, without the gather',
    algorithm: ungathered,
    property: 'termination',
    where: { ids: [2, 4, 1, 3], initiators: 'subsets', set: { depth: 2 } },
    why: 'What ends at a node between the first ring and the last must go on from there: who keeps it to itself leaves its part of the ring unread, the largest id perhaps among it.',
    ends: 'a node leads that is not the largest, and the largest does not follow',
  }),
];
