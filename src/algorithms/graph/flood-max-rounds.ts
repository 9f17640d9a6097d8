/**
 * Flooding the maximum, in R. Karnapke: Election Algorithms, lecture notes, 2015, where the diameter is known. Without a
 * diameter or rounds: flood-max. Nancy A. Lynch, Distributed Algorithms, Morgan Kaufmann 1996, section 4.1, has a node
 * send once a round, the largest of what came: at most 2m·D messages; here each larger id goes on as it comes.
 *
 * Model: connected graph of known diameter D, unique ids, rounds: all clocks start at 0 and all nodes with them.
 * Wins: the largest id.
 * Costs: what the floods of all ids cost, at most n(2m−n+1), and nothing to announce. All know at D.
 *
 * Guarantees exactly one leader, known to all.
 * Does not tolerate crash or loss, nor a diameter that is told too small or a message that takes longer than a round:
 * who has not heard of the largest id by D takes another for the leader. A message that comes twice does no harm.
 *
 * R1  At the beginning every node sends its id, its first M, to all neighbours.
 * R2  Whom a larger id than its M reaches takes it for its M, and sends it on to all other neighbours.
 * R3  After D rounds M is the largest id at every node, for no node is further than that from its owner.
 */
import { defineAlgorithm, id, type Law, message } from '../../kernel/index.ts';
import { forwardToOthers } from './neighbours.ts';

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
    {
      measure: 'election',
      kind: 'bound',
      formula: 'n(2m−n+1)',
      when: 'nothing comes twice',
      value: ({ n, m, smooth }) => (smooth ? n * (2 * m - n + 1) : undefined),
    },
    { measure: 'announcement', kind: 'exact', formula: '0', value: () => 0 },
    ...(['electedAt', 'agreedAt'] as const).map(
      (measure): Law => ({
        measure,
        kind: 'exact',
        formula: 'D',
        value: (run) => (run.smooth ? (run.D ?? undefined) : undefined),
      }),
    ),
  ],
});
