/**
 * Flooding the maximum in a network of known diameter. R. Karnapke: Election Algorithms, lecture notes, 2015. Nancy
 * A. Lynch: Distributed Algorithms, Morgan Kaufmann 1996, section 4.1, lets a node send only the largest id of each
 * round, at most 2m·D messages in all; here a node forwards each larger id as it arrives. For networks without a
 * known diameter or rounds see flood-max.
 *
 * Model: connected graph of known diameter D, unique ids, synchronous: all nodes start at 0.
 * Wins: the largest id.
 * Costs: at most n(2m−n+1) messages for the floods of all ids, and no announcement. All nodes decide at D.
 *
 * Guarantees exactly one leader, known to all nodes.
 * Does not tolerate crashes, message loss, a diameter given too small, or a message that takes longer than a round: a
 * node that has not received the largest id by time D decides for a wrong leader. Tolerates duplicated messages.
 *
 * R1  At the start every node sets M to its own id and sends it to all neighbours.
 * R2  A node that receives an id larger than M sets M to it and forwards it to all other neighbours.
 * R3  After D rounds M is the largest id at every node, because no node is more than D hops away from its owner.
 *     Every node decides.
 */
import { bound, defineAlgorithm, exact, id, type Law, message } from '../../kernel/index.ts';
import { forwardToOthers } from './neighbours.ts';

/** Synchronous flooding of the maximum, for a known diameter. */
export const floodMaxRounds = defineAlgorithm({
  name: 'flood-max-rounds',
  title: 'Flooding the maximum, in rounds',
  source: 'Karnapke 2015',
  cost: 'n(2m−n+1) worst',
  assumes: {
    network: 'connected',
    timing: 'synchronous',
    ids: 'unique',
    fifo: false,
    knows: ['diameter'],
    faults: ['duplication'],
  },
  params: {},
  state: { M: id() },
  messages: { flood: message(['id', id()]) },
  timers: ['diameter'],

  onStart(state, ctx) {
    state.M = ctx.id;
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'flood', ctx.id); // R1
    if (ctx.diameter > 0) ctx.setTimer('diameter', ctx.diameter);
    else ctx.decide('leader'); // R3
  },

  on: {
    flood(state, port, { id }, ctx) {
      if (id <= state.M) return;
      state.M = id; // R2
      forwardToOthers(port, ctx);
    },
  },

  onTimer(state, _timer, ctx) {
    ctx.decide(state.M === ctx.id ? 'leader' : 'follower', state.M); // R3
  },

  laws: [
    bound('election', 'n(2m−n+1)', 'no duplicated messages', ({ n, m, faultless }) =>
      faultless ? n * (2 * m - n + 1) : undefined,
    ),
    exact('announcement', '0', () => 0),
    ...(['electedAt', 'agreedAt'] as const).map(
      (measure): Law => exact(measure, 'D', (run) => (run.faultless ? (run.D ?? undefined) : undefined)),
    ),
  ],
});
