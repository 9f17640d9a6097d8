/**
 * The first idea for a ring in R. Karnapke: Election Algorithms, lecture notes, 2015, slides 10 to 12, which call it
 * "bully"; it has nothing in common with Garcia-Molina's algorithm of that name but that the largest wins.
 *
 * Model: unidirectional ring, unique ids, asynchronous, uniform: nobody knows n. Any non-empty set initiates; with
 * compete=all the others join as soon as they hear of it.
 * Wins: the largest id of all; with compete=initiators the largest among the initiators.
 * Costs: n² messages and nothing to announce; with compete=initiators k·n, then n to announce.
 *
 * Guarantees exactly one leader, known to all, in every schedule, in order or not: each message gathers on its own all
 * that its sender must know. Does not tolerate crash or loss.
 *
 * R1  A node p that wakes, by itself or by its first message, sends ⟨p, p⟩ to the next node.
 * R2  A node p that receives another's ⟨i, j⟩ sends on ⟨i, max(j, p)⟩.
 * R3  Whose own ⟨p, j⟩ comes home knows the largest id, j: it has won if that is its own, and has lost otherwise.
 * R4  With compete=initiators a node that has not initiated passes every message on unchanged, and so does not learn
 *     from it who wins: the winner sends word round, which is swallowed where it began.
 */
import { defineAlgorithm, flag, id, message, oneOf } from '../../kernel/index.ts';
import { announce, elected, passOn } from './announcement.ts';

const NEXT = 1;

export const allCirculate = defineAlgorithm({
  name: 'all-circulate',
  title: 'All circulate',
  source: 'Karnapke 2015',
  cost: 'n²',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: { compete: oneOf('who may win', ['all', 'initiators']) },
  state: { init: flag() },
  messages: { circuit: message(['sender', id()], ['best', id()]), elected },

  onStart(state, ctx) {
    state.init = true;
    ctx.send(NEXT, 'circuit', ctx.id, ctx.id); // R1
  },

  on: {
    circuit(state, _port, { sender, best }, ctx) {
      const own = ctx.id;
      const all = ctx.params.compete === 'all';
      if (all && !state.init) {
        state.init = true;
        ctx.send(NEXT, 'circuit', own, own); // R1
      }
      if (sender !== own) {
        if (state.init && own > best)
          ctx.send(NEXT, 'circuit', sender, own); // R2
        else ctx.forward(NEXT); // R2, R4
      } else if (best !== own) {
        ctx.decide('follower', best); // R3
      } else if (all) {
        ctx.decide('leader'); // R3
      } else {
        announce(ctx); // R4
      }
    },

    elected: passOn, // R4
  },

  laws: [
    {
      measure: 'election',
      kind: 'exact',
      formula: 'n²',
      when: 'all compete',
      value: ({ n, params }) => (params.compete === 'all' ? n * n : undefined),
    },
    {
      measure: 'announcement',
      kind: 'exact',
      formula: '0',
      when: 'all compete',
      value: ({ params }) => (params.compete === 'all' ? 0 : undefined),
    },
    {
      measure: 'election',
      kind: 'exact',
      formula: 'k·n',
      when: 'initiators compete',
      value: ({ n, k, params }) => (params.compete === 'initiators' ? k * n : undefined),
    },
    {
      measure: 'announcement',
      kind: 'exact',
      formula: 'n',
      when: 'initiators compete',
      value: ({ n, params }) => (params.compete === 'initiators' ? n : undefined),
    },
    {
      measure: 'agreedAt',
      kind: 'exact',
      formula: '2n−1',
      when: 'all compete, in lockstep, one node initiates',
      value: ({ n, k, params, lockstep, smooth }) =>
        params.compete === 'all' && k === 1 && lockstep && smooth ? 2 * n - 1 : undefined,
    },
    {
      measure: 'agreedAt',
      kind: 'exact',
      formula: 'n',
      when: 'in lockstep, all initiate',
      value: ({ n, k, lockstep, smooth }) => (k === n && lockstep && smooth ? n : undefined),
    },
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n',
      when: 'initiators compete, in lockstep',
      value: ({ n, params, lockstep, smooth }) =>
        params.compete === 'initiators' && lockstep && smooth ? n : undefined,
    },
    {
      measure: 'announcementReturnedAt',
      kind: 'exact',
      formula: '2n',
      when: 'initiators compete, in lockstep',
      value: ({ n, params, lockstep, smooth }) =>
        params.compete === 'initiators' && lockstep && smooth ? 2 * n : undefined,
    },
  ],
});
