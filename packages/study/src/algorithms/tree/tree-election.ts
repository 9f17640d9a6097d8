/**
 * Election on trees. Friedemann Mattern: Verteilte Basisalgorithmen, Springer 1989, chapter 2; in the form of R.
 * Karnapke: Election Algorithms, lecture notes, 2015.
 *
 * Model: tree, unique ids, asynchronous; no node knows n. Any non-empty set of nodes initiates.
 * Wins: the largest id of the tree, whether it initiates or not.
 * Costs: n−2+k explosion, n contraction and n−2 information messages in every schedule, for n ≥ 2 and k initiators:
 * 3n+k−4 in all. In lockstep the last node decides at D if all nodes start at 0, and by 2D with fewer initiators. A
 * single node sends nothing.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule. Links need not be FIFO: a contraction that
 * overtakes the explosion wakes a node as well.
 * Does not tolerate crashes, message loss or duplication: a node that waits for a lost contraction waits forever.
 * Needs a tree: in a cycle every node waits for two neighbours, and no contraction starts.
 *
 * R1  Explosion: an initiator sends an explosion message to all neighbours.
 * R2  A node that is woken by a message sends an explosion message to all neighbours except the sender. It discards
 *     later ones: two explosions have met on that link.
 * R3  Contraction: a node that has received the maxima of all neighbours except one sends the largest of these and
 *     its own id to that neighbour. A leaf does so at once.
 * R4  On one link, the centre, two contractions meet. A node that receives a contraction from its last neighbour too
 *     knows the largest id of all nodes.
 * R5  Information: the two ends of the centre announce the largest id to all neighbours except each other, and every
 *     node forwards the announcement.
 */
import type { Context, View } from '../../kernel/index.ts';
import {
  announcement,
  bound,
  counter,
  defineAlgorithm,
  exact,
  id,
  message,
  NONE,
  port,
} from '../../kernel/index.ts';
import { allInitiate, allStartAtZero, inLockstep } from '../law-conditions.ts';

const assumes = { network: 'tree', timing: 'asynchronous', ids: 'unique', fifo: false } as const;

const state = {
  /** The largest id received; NONE in a node that has not started. */
  maximum: id(),
  /** The number of neighbours that have not sent a contraction. */
  awaited: counter(({ n }) => n - 1),
  /** The exclusive or of their ports, which is the port of the last one. A set would be too large in a star. */
  last: port(),
};

const messages = {
  explosion: message(),
  contraction: message(['maximum', id()]),
  information: announcement(['maximum', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, Record<never, never>, never>;

/** Explosion, contraction and information on a tree. */
export const treeElection = defineAlgorithm({
  name: 'tree-election',
  title: 'Tree election',
  source: 'Mattern 1989',
  cost: '3n+k−4',
  assumes,
  params: {},
  state,
  messages,

  phase({ maximum, awaited }) {
    if (maximum === NONE) return null;
    return awaited > 1 ? 'explosion' : awaited > 0 ? 'contraction' : 'information'; // R2, R3, R4
  },

  onStart(state, ctx) {
    wake(state, NONE, ctx); // R1
  },

  on: {
    explosion(state, port, _message, ctx) {
      if (state.maximum === NONE) wake(state, port, ctx); // R2
    },

    contraction(state, port, { maximum }, ctx) {
      if (state.maximum === NONE) wake(state, port, ctx); // R2
      state.maximum = Math.max(state.maximum, maximum);
      state.awaited--;
      state.last ^= port;
      if (state.awaited === 0)
        inform(port, state.maximum, ctx); // R4
      else contract(state, ctx);
    },

    information(_state, port, { maximum }, ctx) {
      inform(port, maximum, ctx); // R5
    },
  },

  laws: [
    exact('election', '2n+k−2', 'n ≥ 2', ({ n, k }) => (n > 1 ? 2 * n + k - 2 : undefined)),
    exact({ messages: 'explosion' }, 'n−2+k', ({ n, k }) => n - 2 + k),
    exact({ messages: 'contraction' }, 'n', 'n ≥ 2', ({ n }) => (n > 1 ? n : undefined)),
    exact('announcement', 'n−2', 'n ≥ 2', ({ n }) => (n > 1 ? n - 2 : undefined)),
    exact('agreedAt', 'D', [inLockstep, allInitiate], ({ D }) => D ?? undefined),
    bound('agreedAt', '2D', [inLockstep, allStartAtZero], ({ D }) => 2 * Number(D)),
  ],
});

/** `from` is the port of the message that woke the node, NONE for an initiator. */
function wake(state: State, from: number, ctx: Ctx): void {
  state.maximum = ctx.id;
  state.awaited = ctx.degree;
  state.last = 0;
  for (let port = 0; port < ctx.degree; port++) {
    state.last ^= port;
    if (port !== from) ctx.send(port, 'explosion'); // R1, R2
  }
  if (ctx.degree > 0) contract(state, ctx);
  else ctx.decide('leader');
}

function contract({ awaited, last, maximum }: State, ctx: Ctx): void {
  if (awaited === 1) ctx.send(last, 'contraction', maximum); // R3
}

function inform(from: number, maximum: number, ctx: Ctx): void {
  ctx.decide(maximum === ctx.id ? 'leader' : 'follower', maximum);
  for (let port = 0; port < ctx.degree; port++) if (port !== from) ctx.send(port, 'information', maximum); // R5
}
