/**
 * Flooding the maximum. R. Karnapke: Election Algorithms, lecture notes, 2015, which leaves termination detection
 * open. Here each wave is a diffusing computation of Edsger W. Dijkstra and C. S. Scholten: Termination detection for
 * diffusing computations, Information Processing Letters 11(1), 1980. For synchronous networks of known diameter see
 * flood-max-rounds.
 *
 * Model: connected graph, FIFO links, unique ids, asynchronous; no node knows n. Any non-empty set of nodes
 * initiates.
 * Wins: the largest id among the initiators.
 * Costs: as many signals as floods in every schedule: 2m−n+1 of each for one initiator, at most k(2m−n+1) for k; then
 * 2m−n+1 for the announcement. In lockstep the leader decides by 2D+2, and the last node D units later.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links.
 * Does not tolerate crashes, message loss or duplication: if one signal is lost, no node becomes the leader. Does not
 * tolerate links without FIFO: the initiator of a wave that a stronger wave has ended could receive the last signal
 * before the larger id, and there would be two leaders.
 *
 * R1  An initiator floods its id: it sends it to all neighbours and waits for one signal from each of them.
 * R2  A node that receives an id larger than M sets M to it, takes the sender as its parent, forwards the id to all
 *     other neighbours and waits for one signal from each of them.
 * R3  Each flood message is acknowledged by one signal. A node that receives an id that is not larger than M sends
 *     the signal at once.
 * R4  A node sends the signal to its parent when it has received all signals it waits for, or when it leaves the wave
 *     for a stronger one. In the second case the parent has received the larger id before the signal, or has sent it,
 *     so it has left the wave too. Signals for a wave that a node has left are discarded.
 * R5  An initiator that has received all signals of its own wave and has not left it becomes the leader. It floods
 *     `elected`: a node forwards the first copy to all other neighbours.
 *
 * Why there is no other leader: a signal that counts for the wave of p was sent by a node that still belonged to it,
 * because otherwise the larger id would have arrived first. So if all signals of the wave count, all neighbours of
 * its nodes belong to it, and therefore all nodes. But an initiator with an id larger than p never belongs to it.
 */
import type { Context, Law, RunFacts, View } from '../../kernel/index.ts';
import {
  announcement,
  bound,
  counter,
  defineAlgorithm,
  exact,
  flag,
  id,
  message,
  NONE,
  port,
} from '../../kernel/index.ts';
import { allStartAtZero, inLockstep, oneInitiates } from '../law-conditions.ts';
import { forwardToOthers } from './neighbours.ts';

const assumes = { network: 'connected', timing: 'asynchronous', ids: 'unique', fifo: true } as const;

const state = {
  M: id(),
  /** In the spanning tree of the wave; NONE at its root. */
  parent: port(),
  /** The number of signals that are still missing. */
  deficit: counter(({ n }) => n - 1),
  knows: flag(),
};

const messages = {
  flood: message(['id', id()]),
  signal: message(['id', id()]),
  elected: announcement(['id', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, Record<never, never>, never>;

/** Flooding of the maximum with termination detection. */
export const floodMax = defineAlgorithm({
  name: 'flood-max',
  title: 'Flooding the maximum, with Dijkstra–Scholten',
  source: 'Dijkstra, Scholten 1980',
  cost: '2k(2m−n+1) worst',
  assumes,
  params: {},
  state,
  messages,

  tree: ({ parent }) => (parent === NONE ? [] : [parent]),
  fragment: ({ M }) => (M === NONE ? null : `wave ${M}`),

  onStart(state, ctx) {
    state.M = ctx.id;
    state.deficit = ctx.degree;
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'flood', ctx.id); // R1
    if (ctx.degree === 0) ctx.decide('leader');
  },

  on: {
    flood(state, port, { id }, ctx) {
      if (id <= state.M) {
        ctx.send(port, 'signal', id); // R3
        return;
      }
      const { M, parent, deficit } = state;
      state.M = id; // R2
      state.parent = port;
      state.deficit = ctx.degree - 1;
      forwardToOthers(port, ctx);
      if (deficit > 0 && parent !== NONE) ctx.send(parent, 'signal', M); // R4: leaves, and the larger id was sent first
      if (state.deficit === 0) ctx.send(port, 'signal', id); // R4
    },

    signal(state, _port, { id }, ctx) {
      if (id !== state.M) return; // R4
      state.deficit--;
      if (state.deficit > 0) return;
      if (state.parent === NONE)
        win(state, ctx); // R5
      else ctx.send(state.parent, 'signal', id); // R4
    },

    elected(state, port, { id }, ctx) {
      if (state.knows) return;
      state.knows = true;
      ctx.decide('follower', id);
      forwardToOthers(port, ctx); // R5
    },
  },

  // The runs of four nodes on a complete network take minutes.
  checking: { small: { nodes: 3 } },
  laws: [
    ...(['flood', 'signal'] as const).flatMap((type): Law[] => [
      exact({ messages: type }, '2m−n+1', [oneInitiates], floodCost),
      bound({ messages: type }, 'k(2m−n+1)', (run) => run.k * floodCost(run)),
    ]),
    exact('announcement', '2m−n+1', floodCost),
    bound('electedAt', '2D+2', [inLockstep, allStartAtZero], ({ D }) => 2 * Number(D) + 2),
    bound('agreedAt', '3D+2', [inLockstep, allStartAtZero], ({ D }) => 3 * Number(D) + 2),
  ],
});

/** The cost of one flood: every node except the first sends to all neighbours except one. */
function floodCost({ n, m }: RunFacts): number {
  return 2 * m - n + 1;
}

function win(state: State, ctx: Ctx): void {
  state.knows = true;
  ctx.decide('leader');
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'elected', ctx.id);
}
