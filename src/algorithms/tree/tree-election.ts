/**
 * Election on trees: Friedemann Mattern, Verteilte Basisalgorithmen, Springer 1989, chapter 2; as in R. Karnapke:
 * Election Algorithms, lecture notes, 2015.
 *
 * Model: tree, unique ids, asynchronous; nobody knows n. Any non-empty set initiates.
 * Wins: the largest id of all, whether or not it initiates.
 * Costs: n−2+k explosion, n contraction and n−2 information, in every schedule, for n ≥ 2 and k initiators: 3n+k−4 in
 * all. A message takes each way of a link once at most in each phase. In lockstep, and all awake at 0, the last node
 * knows at D, and with fewer initiators by 2D. One node sends nothing.
 *
 * Guarantees exactly one leader, known to all, in every schedule. Links need not keep their order: a contraction that
 * overtakes the explosion wakes a node as well.
 * Does not tolerate crash, loss or duplication: whoever waits for one neighbour too many waits for ever. Needs a tree:
 * on a circle every node has two neighbours to wait for, and nobody begins to contract.
 *
 * R1  Explosion: an initiator sends the request to all neighbours.
 * R2  Whom a message wakes passes the request on to all neighbours but the one that it came from. Requests that come
 *     later are swallowed: two waves have met on this link.
 * R3  Contraction: who has the maxima of all neighbours but one, as a leaf has at once, sends to that last one the
 *     largest of them and its own id.
 * R4  On one link, the centre, two contractions meet. Who gets one also from its last neighbour has heard of all
 *     nodes, and knows the largest id.
 * R5  Information: both ends of the centre send word of it to all neighbours but each other, and whom it reaches passes
 *     it on.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  id,
  message,
  NONE,
  port,
  type View,
} from '../../kernel/index.ts';

const assumes = { network: 'tree', timing: 'asynchronous', ids: 'unique', fifo: false } as const;

const state = {
  /** The largest id heard of; NONE in one that sleeps. */
  maximum: id(),
  /** How many neighbours have not contracted. */
  awaited: counter(({ n }) => n - 1),
  /** The exclusive or of their ports: when one is left, its port. The centre of a large star cannot afford a set. */
  last: port(),
};

const messages = {
  explosion: message(),
  contraction: message(['maximum', id()]),
  information: announcement(['maximum', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, Record<never, never>, never>;

export const treeElection = defineAlgorithm({
  name: 'tree-election',
  title: 'Tree election',
  source: 'Mattern 1989',
  cost: '3n+k−4',
  assumes,
  params: {},
  state,
  messages,

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
    {
      measure: 'election',
      kind: 'exact',
      formula: '2n+k−2',
      when: 'n ≥ 2',
      value: ({ n, k }) => (n > 1 ? 2 * n + k - 2 : undefined),
    },
    {
      measure: { messages: 'explosion' },
      kind: 'exact',
      formula: 'n−2+k',
      value: ({ n, k }) => n - 2 + k,
    },
    {
      measure: { messages: 'contraction' },
      kind: 'exact',
      formula: 'n',
      when: 'n ≥ 2',
      value: ({ n }) => (n > 1 ? n : undefined),
    },
    {
      measure: 'announcement',
      kind: 'exact',
      formula: 'n−2',
      when: 'n ≥ 2',
      value: ({ n }) => (n > 1 ? n - 2 : undefined),
    },
    {
      measure: 'agreedAt',
      kind: 'exact',
      formula: 'D',
      when: 'in lockstep, all initiate',
      value: ({ n, k, D, lockstep, smooth }) => (lockstep && smooth && k === n && D !== null ? D : undefined),
    },
    {
      measure: 'agreedAt',
      kind: 'bound',
      formula: '2D',
      when: 'in lockstep, all initiators wake at 0',
      value: (run) => (run.lockstep && run.smooth && run.D !== null ? 2 * run.D : undefined),
    },
  ],
});

/** `from` is the port that the waking message came by, NONE if the node wakes by itself. */
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
