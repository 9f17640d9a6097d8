/**
 * Wrong twins as data: mutants of right algorithms, one line away. Each shows what its line is for, and that the checker
 * finds the fault.
 *
 * `scripts/twins.mjs` replaces `line[0]` by `line[1]` in the right file and writes the result to generated/. It fails
 * unless `line[0]` occurs exactly once. The script reads this file without a build: nothing here may be imported at run
 * time.
 */
import type { Setting } from '../../kernel/index.ts';

/** A search of all schedules, in the options of check(). */
export interface TwinSearch {
  readonly nodes?: number;
  readonly ids?: readonly number[];
  readonly topology?: string;
  readonly orders?: 'all';
  readonly initiators?: 'subsets';
  readonly crashes?: number;
  readonly recoveries?: number;
  readonly set?: Readonly<Record<string, Setting>>;
  /** Needed where rounds or terms are unbounded. The right algorithm is searched within the same bound. */
  readonly bound?: Readonly<Record<string, number>>;
  readonly reduce?: 'none';
}

/** One changed line of an algorithm, and the search that finds the fault. */
export interface Mutation {
  readonly name: string;
  readonly title: string;
  /** The name of the right algorithm. */
  readonly of: string;
  /** The text in the right file, and what the twin has instead. */
  readonly line: readonly [right: string, wrong: string];
  /** The property that the search finds violated. The right algorithm passes the same search. */
  readonly property: 'termination' | 'uniqueness' | 'agreement';
  readonly search: TwinSearch;
  readonly why: string;
  /** How the run ends, where the property alone does not say it. */
  readonly ends?: string;
}

/** Lines as a source prints them, where the source is wrong. */
export interface PrintedMutation extends Pick<Mutation, 'name' | 'title' | 'of'> {
  /** The texts in the right file, and what the source prints instead. */
  readonly lines: readonly Mutation['line'][];
  /** What the printed lines do. */
  readonly shows: string;
}

/** Algorithms as a source prints them. */
export const printed: readonly PrintedMutation[] = [
  {
    name: 'sun-as-printed',
    title: 'Sun, without the gather, as the paper prints it',
    of: 'sun',
    lines: [['return 1 < level && level < last;', 'return last < 1 && level < last;']],
    shows:
      'from two inner rings on, parts of the ring end at nodes that do not report: the largest id may be missed',
  },
  {
    name: 'chang-roberts-as-printed',
    title: 'Chang–Roberts, sending the larger id always, as the slides print it',
    of: 'chang-roberts',
    lines: [
      [
        'if (id > own !== max && ctx.initiator) return; // R3',
        "if (id > own !== max && ctx.initiator) return void ctx.send(NEXT, 'token', own); // R3",
      ],
    ],
    shows: 'no message ends before its token reaches the leader: any order of the ids costs the same',
  },
  {
    name: 'chang-roberts-breaking',
    title: 'Chang–Roberts, leaving the loop after the first stronger id, as the slides suggest',
    of: 'chang-roberts',
    lines: [
      [
        'ctx.forward(NEXT); // R2, R3',
        'if (!ctx.initiator || state.best === NONE) ctx.forward((state.best = id) && NEXT); // R2, R3',
      ],
    ],
    shows: 'an initiator that has lost forwards no second token: the strongest token may not return',
  },
  {
    name: 'modified-ring-as-printed',
    title: 'Modified ring, forwarding the larger id always, as the notes print it',
    of: 'chang-roberts',
    lines: [
      ['if (id === own) {', 'if (id === own && ctx.initiator) {'],
      [
        'if (id > own !== max && ctx.initiator) return; // R3',
        "if (id > own !== max) return void ctx.send(NEXT, 'token', own); // R3",
      ],
    ],
    shows:
      'no message is dropped; if the node with the largest id has not initiated, its id circulates without end',
  },
  {
    name: 'peterson-as-printed',
    title: 'Peterson, sending v and comparing with >, as the notes print it',
    of: 'peterson',
    lines: [
      ["'id', Math.max(state.s, id)", "'id', id"],
      ['state.v >= Math.max', 'state.v > Math.max'],
    ],
    shows: 'two nodes lead whenever a phase begins with exactly two active nodes, for any n',
  },
  {
    name: 'all-circulate-as-printed',
    title: 'All circulate, naming i instead of j, as the notes print it',
    of: 'all-circulate',
    lines: [["ctx.decide('follower', best); // R3", "ctx.decide('follower', sender); // R3"]],
    shows: 'a node that has lost names itself: i is the id of its own message',
  },
  {
    name: 'bully-repeating',
    title: 'Bully, calling again if no OK arrives, as the paper prints it',
    of: 'bully',
    lines: [["if (state.phase === 'calling')", "if (state.phase === 'idle')"]],
    shows: 'the largest live process calls without end, and no process announces itself',
  },
];

/** Raft reduced to its votes: the other parameters only make elections rarer. */
const BARE = { spread: 0, prevote: false, checkQuorum: false, lease: false };

/** All mutations. */
export const mutations: readonly Mutation[] = [
  {
    name: 'chang-roberts-unkilled',
    title: 'Chang–Roberts, killing tokens with the filter only',
    of: 'chang-roberts',
    line: ['ctx.initiator) return;', 'ctx.initiator && ctx.params.filter) return;'],
    property: 'uniqueness',
    search: { nodes: 2, orders: 'all', initiators: 'subsets' },
    why: 'A token that returns tells its owner that the ring has no stronger initiator, because a stronger initiator would have discarded the token. If no node discards tokens, every token returns and every initiator becomes leader.',
  },
  {
    name: 'peterson-without-max',
    title: 'Peterson, sending v for max(s, v)',
    of: 'peterson',
    line: ["'id', Math.max(state.s, id)", "'id', id"],
    property: 'uniqueness',
    search: { nodes: 2, orders: 'all', initiators: 'subsets' },
    why: 'With two active nodes, each is the predecessor of the other. An id that is forwarded unchanged returns to its owner, and the owner takes this as the sign that it has won.',
  },
  {
    name: 'peterson-strict',
    title: 'Peterson, with > for ≥',
    of: 'peterson',
    line: ['state.v >= Math.max', 'state.v > Math.max'],
    property: 'termination',
    search: { nodes: 3, orders: 'all', initiators: 'subsets' },
    why: 'p is the larger of v and another id, so v > p never holds. All nodes become relays, the largest id is discarded with the others, and no node becomes leader.',
  },
  {
    name: 'peterson-unordered',
    title: 'Peterson, without FIFO links',
    of: 'peterson',
    line: ['fifo: true', 'fifo: false'],
    property: 'uniqueness',
    search: { nodes: 4, orders: 'all' },
    why: 'The two ids that a node sends in a phase look alike: only their order tells them apart. If the second overtakes the first, an id passes a larger one and also returns to its owner.',
  },
  {
    name: 'echo-extinct',
    title: 'Echo election, with extinction by ≤',
    of: 'echo-election',
    line: ['id < state.wave', 'id <= state.wave'],
    property: 'termination',
    search: { ids: [1, 2, 3], topology: 'ring', initiators: 'subsets' },
    why: 'On a link that closes a cycle, two explorers of one wave cross, and each is the answer to the other. A node that discards its own wave waits forever for the message that it discarded.',
  },
  {
    name: 'echo-miscounting',
    title: 'Echo election, counting one neighbour too few',
    of: 'echo-election',
    line: ['receiveWave(state, ctx.degree)', 'receiveWave(state, ctx.degree - 1)'],
    property: 'uniqueness',
    search: { ids: [1, 2, 3], topology: 'line' },
    why: 'An echo states that all nodes behind its sender have been asked. An echo sent one neighbour too early speaks for nodes that have received nothing, possibly the node with a larger id.',
  },
  {
    name: 'flood-max-unordered',
    title: 'Flooding the maximum, without FIFO links',
    of: 'flood-max',
    line: ['fifo: true', 'fifo: false'],
    property: 'uniqueness',
    search: { ids: [2, 1], topology: 'line', initiators: 'subsets' },
    why: 'A signal states that a wave is over behind its sender. If a stronger wave ended it, the larger id must arrive before the signal.',
  },
  {
    name: 'tree-early',
    title: 'Tree election, contracting with two neighbours left',
    of: 'tree-election',
    line: ['awaited === 1', 'awaited === Math.min(2, ctx.degree)'],
    property: 'uniqueness',
    search: { ids: [3, 1, 2], topology: 'line', initiators: 'subsets' },
    why: 'A contraction speaks for all nodes behind its sender. If it is sent before the last of them has answered, it may omit the largest id.',
  },
  {
    name: 'bully-hasty',
    title: 'Bully, waiting half the time',
    of: 'bully',
    line: ['callLarger(state, ctx.params.timeout, ctx)', 'callLarger(state, ctx.params.timeout / 2, ctx)'],
    property: 'uniqueness',
    search: { ids: [1, 2, 3], initiators: 'subsets' },
    why: 'An answer needs a round trip. A process that waits for only one way takes larger processes for dead while their answers are in flight.',
  },
  {
    name: 'itai-rodeh-uncounted',
    title: 'Itai–Rodeh, without the hop count',
    of: 'itai-rodeh',
    line: ['hops === ctx.n', 'round === state.round && id === state.id'],
    property: 'uniqueness',
    search: { nodes: 2, bound: { round: 2 }, reduce: 'none' },
    why: 'Two nodes may draw the same id. A token with a node’s own id need not be its own token: only the hop count tells.',
  },
  {
    name: 'itai-rodeh-unnumbered',
    title: 'Itai–Rodeh, without round numbers',
    of: 'itai-rodeh',
    line: ['state.round++', 'state.round = 1'],
    property: 'termination',
    search: { nodes: 3, bound: { round: 2 }, reduce: 'none' },
    why: 'If messages overtake, a token of the next round may reach a node that still waits for its own token of the last round. The node compares the token with an outdated id and discards it.',
  },
  {
    name: 'itai-rodeh-halved',
    title: 'Itai–Rodeh, size known within N and 2N',
    of: 'itai-rodeh-bounded',
    line: ['Math.floor(n / 2) + 1', 'Math.ceil(n / 2)'],
    property: 'uniqueness',
    search: { nodes: 4, set: { c: 2 }, bound: { round: 1 }, reduce: 'none' },
    why: 'A ring of 2N nodes has room for two arcs of N hops. Two opposite nodes that draw the same id each take the token of the other for their own.',
  },
  {
    name: 'raft-forgetful',
    title: 'Raft election, with votes that are not on disk',
    of: 'raft',
    line: ['votedFor: id({ durable: true })', 'votedFor: id()'],
    property: 'uniqueness',
    search: { ids: [1, 2, 3], crashes: 1, recoveries: 1, set: BARE, bound: { term: 1, round: 1 } },
    why: 'Two majorities share a node, and that node votes once per term, so only one of them can be complete. A node that forgets its vote in a crash votes twice.',
  },
  {
    name: 'raft-half',
    title: 'Raft election, with half the votes for a majority',
    of: 'raft',
    line: ['2 * all > ctx.degree', '2 * all >= ctx.degree'],
    property: 'uniqueness',
    search: { ids: [1, 2], set: BARE, bound: { term: 1, round: 1 }, reduce: 'none' },
    why: 'Two halves share no node: each half can elect a leader of its own.',
  },
  {
    name: 'sun-divided-ungathered',
    title: 'Sun and Divided, without the gather',
    of: 'sun-divided',
    line: ['return level > 1;', 'return level < 1;'],
    property: 'termination',
    search: { ids: [2, 4, 1, 3], initiators: 'subsets', set: { depth: 2 } },
    why: 'A message that ends at a node between the first ring and the last must be forwarded from there. A node that keeps it leaves its part of the ring unread, possibly the largest id.',
    ends: 'a node that does not have the largest id leads, and the node with the largest id does not follow it',
  },
];
