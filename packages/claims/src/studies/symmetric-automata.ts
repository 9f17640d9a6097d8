/**
 * The impossibility of a deterministic election on an anonymous ring, for every algorithm of a finite class.
 *
 * An algorithm of the class gives each node one of k states, all nodes the same at the start. Synchronous: in each round
 * every node tells its neighbours its state, and its next state depends on its own and on those that it receives; a message
 * that depends on the state says no more. Asynchronous: a node reacts to its start and to each message with a new state and
 * at most one message to the next node; the run with equal delays is one of its runs. A state may mean leader, not leader or
 * undecided in any way. An election needs a configuration in which one node is in a state that no other node is in.
 *
 * Every algorithm is run on each ring size by itself, so it may know the size.
 */
import type { Finding, Study } from '../claim.ts';
import { follows, stated } from '../origin.ts';
import { KARNAPKE, KHARAGPUR, LECTURE_22 } from '../sources.ts';

/** The states after a round, from all states and the table of the algorithm. */
type Round = (states: readonly number[], table: readonly number[]) => number[];

/** Reads the state of the previous node. Table: own state, received state. */
const oneWay =
  (k: number): Round =>
  (states, table) =>
    states.map((own, at) => table[own * k + states[(at + states.length - 1) % states.length]]);

/** Reads the states of both neighbours. Table: own state, previous, next. */
const twoWay =
  (k: number): Round =>
  (states, table) =>
    states.map((own, at) => {
      const previous = states[(at + states.length - 1) % states.length];
      return table[(own * k + previous) * k + states[(at + 1) % states.length]];
    });

/**
 * A node is its state and the message that is on its way to it: 0 for none. Table: for each state and message the next state
 * and the message that is sent; the last two entries are those of the start.
 */
const byMessages =
  (k: number, messages: number): Round =>
  (nodes, table) => {
    const base = messages + 1;
    const sent: number[] = [];
    const next = nodes.map((node, at) => {
      const [own, received] = [Math.floor(node / base), node % base];
      const row = own >= k ? k * messages : own * messages + received - 1;
      if (received === 0 && own < k) {
        sent[at] = 0;
        return own;
      }
      sent[at] = table[2 * row + 1];
      return table[2 * row];
    });
    return next.map((own, at) => own * base + sent[(at + nodes.length - 1) % nodes.length]);
  };

/** All tables, as digits: entry i counts from 0 to sides[i] − 1. */
function* tables(sides: readonly number[]): Generator<readonly number[]> {
  const table = sides.map(() => 0);
  for (;;) {
    yield table;
    let at = 0;
    while (at < table.length && ++table[at] === sides[at]) table[at++] = 0;
    if (at === table.length) return;
  }
}

/** A node differs from all others at some time. Ends when a configuration recurs. */
export function singlesOut(start: readonly number[], table: readonly number[], round: Round): boolean {
  const seen = new Set<string>();
  let states: readonly number[] = start;
  for (;;) {
    const key = states.join(' ');
    if (seen.has(key)) return false;
    seen.add(key);
    const own = states;
    if (own.some((state) => own.indexOf(state) === own.lastIndexOf(state))) return true;
    states = round(states, table);
  }
}

/** A class of algorithms: how they run, and the sizes of the entries of their tables. */
export interface AutomatonClass {
  readonly text: string;
  readonly round: Round;
  readonly sides: readonly number[];
  /** The state of every node at the start. */
  readonly first: number;
}

const of = (count: number, side: number): number[] => new Array<number>(count).fill(side);

export const synchronous: readonly AutomatonClass[] = [
  { text: 'one-way rings, 3 states', round: oneWay(3), sides: of(9, 3), first: 0 },
  { text: 'two-way rings, 2 states', round: twoWay(2), sides: of(8, 2), first: 0 },
];

const messaging = (k: number, messages: number): AutomatonClass => ({
  text: `${k} states and ${messages} message${messages === 1 ? '' : 's'}`,
  round: byMessages(k, messages),
  sides: Array.from({ length: k * messages + 1 }, () => [k, messages + 1]).flat(),
  // Beyond the states of the algorithm: the node has not started.
  first: k * (messages + 1),
});

export const asynchronous: readonly AutomatonClass[] = [messaging(2, 2), messaging(3, 1)];

/** Runs every algorithm of a class on rings of 2 and 3 nodes. */
export function searchClass({ round, sides, first }: AutomatonClass): {
  algorithms: number;
  electing: number;
} {
  let [algorithms, electing] = [0, 0];
  for (const table of tables(sides)) {
    algorithms++;
    if ([2, 3].some((n) => singlesOut(of(n, first), table, round))) electing++;
  }
  return { algorithms, electing };
}

function searchAll(classes: readonly AutomatonClass[]): readonly Finding[] {
  const found = classes.map((each) => ({ ...each, ...searchClass(each) }));
  const electing = found.reduce((sum, each) => sum + each.electing, 0);
  const measured = `${electing} of all ${found.map(({ algorithms, text }) => `${algorithms.toLocaleString('en')} algorithms (${text})`).join(' and ')} ever single out a node of 2 or 3`;
  const isShown = electing === 0;
  return [
    {
      verdict: isShown ? 'illustrated' : 'refuted',
      measured,
      why: 'a statement about all algorithms, shown for all of a finite class',
    },
    { verdict: isShown ? 'confirmed' : 'refuted', measured },
  ];
}

export const automataStudies: readonly Study[] = [
  {
    claims: [
      {
        id: 'impossibility/synchronous',
        origin: stated([KHARAGPUR, 'lines 78–81'], [LECTURE_22, 'line 211']),
        says: 'no deterministic algorithm elects on an anonymous ring, even if it knows the size and the ring is synchronous',
        method: 'every algorithm',
      },
      {
        id: 'impossibility/synchronous-class',
        origin: follows([KHARAGPUR, 'lines 78–81']),
        says: 'no deterministic synchronous algorithm with up to 3 states a node on a one-way ring, or up to 2 on a two-way ring, elects on anonymous rings of 2 or 3 nodes',
        method: 'every algorithm',
      },
    ],
    measure: () => searchAll(synchronous),
  },
  {
    claims: [
      {
        id: 'impossibility/asynchronous',
        origin: stated([KHARAGPUR, 'lines 98–100']),
        says: 'the impossibility holds also for asynchronous rings, and if the size is not known',
        method: 'every algorithm',
      },
      {
        id: 'impossibility/asynchronous-class',
        origin: follows([KHARAGPUR, 'lines 98–100']),
        says: 'no deterministic asynchronous algorithm with up to 2 states and 2 messages, or 3 states and 1 message, elects in all runs on anonymous one-way rings of 2 or 3 nodes',
        method: 'every algorithm',
      },
    ],
    measure: () => searchAll(asynchronous),
  },
  {
    claims: [
      {
        id: 'impossibility/prime',
        origin: stated([KARNAPKE, 'lines 868–869']),
        says: 'it is enough to know that the ring size is prime, to break the symmetry deterministically',
        method: 'every algorithm',
      },
    ],
    measure() {
      const [{ measured, verdict }] = searchAll(synchronous);
      return [
        {
          verdict: verdict === 'illustrated' ? 'refuted' : 'confirmed',
          measured: `${measured}, and 2 and 3 are prime`,
          why: 'with all nodes starting together, not even a known prime size helps. The source does not say for which model it is enough, nor whether it means random draws',
          replay: 'hustings simulate first-home --nodes 3',
        },
      ];
    },
  },
];
