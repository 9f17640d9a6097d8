/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981, and Information and Computation 88(1), 1990. That it is enough to know N with N ≤ n ≤ 2N−1 follows
 * R. Karnapke: Election Algorithms, lecture notes, 2015.
 *
 * Model: unidirectional ring, anonymous nodes with random draws that know a number N with N ≤ n ≤ 2N−1, but not the
 * size n itself; asynchronous. Any non-empty set of nodes initiates.
 * Wins: a random initiator.
 * Costs: n messages for one initiator. In each round at most n messages for all tokens of the largest id together,
 * since each of them ends where the next one began. Then n for the announcement.
 *
 * Guarantees at most one leader in every run, and one leader with probability 1 (Las Vegas), with or without FIFO
 * links. A token that reaches a node with the same round and id after N or more hops met no such node on its path and
 * has made all others passive. The rest of the ring is at most n−N ≤ N−1 hops long, too short for a second leader. On
 * a ring of 2N nodes two arcs of N hops fit, and there may be two leaders. On a ring of fewer than N nodes no node
 * could become the leader. Does not tolerate crashes or message loss.
 *
 * R1  An active node draws an id from 1..c and sends a token with the id, the round number and hop count 1. The
 *     initiators are active.
 * R2  A passive node forwards the token and increments the hop count.
 * R3  An active node discards a token that is weaker than its own pair, by round and then by id. A stronger token
 *     makes it passive and is forwarded.
 * R4  A token ends at the first active node that has the same round and id. If it has travelled N or more hops, the
 *     node becomes the leader and sends `elected` around the ring.
 * R5  If it has travelled fewer than N hops, it belongs to another node. The receiver draws again, in the next round.
 * R6  The leader discards all later tokens, and its own `elected` when it returns.
 */

import { announcement, counter, defineAlgorithm, exact, integer, message } from '../../kernel/index.ts';
import { inLockstep, oneInitiates } from '../law-conditions.ts';
import { announcementLaw } from '../ring/announcement.ts';
import {
  candidate,
  candidatePhase,
  drawnId,
  idRange,
  roundNumber,
  roundPresets,
  strength,
} from './candidate.ts';

const NEXT = 1;

/** The smallest N that allows n nodes. */
const leastBound = (n: number): number => Math.floor(n / 2) + 1;

/** Itai–Rodeh on an anonymous ring whose size is known within N and 2N−1. */
export const itaiRodehBounded = defineAlgorithm({
  name: 'itai-rodeh-bounded',
  title: 'Itai–Rodeh, size known within N and 2N−1',
  source: 'Itai, Rodeh 1981',
  cost: 'O(n log n) mean',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: false },
  params: {
    c: idRange,
    N: integer('known bound on the size: N ≤ n ≤ 2N−1', {
      min: leastBound,
      max: (n) => n,
      byDefault: leastBound,
    }),
  },
  state: candidate,
  messages: {
    token: message(['round', roundNumber], ['id', drawnId], ['hops', counter(({ n }) => n)]),
    elected: announcement(),
  },

  passive: ({ at }) => at === 'passive', // R2
  phase: candidatePhase,

  onStart(state, ctx) {
    state.at = 'active';
    state.round = 1;
    state.id = ctx.random(ctx.params.c);
    ctx.send(NEXT, 'token', state.round, state.id, 1); // R1
  },

  on: {
    token(state, _port, { round, id, hops }, ctx) {
      if (state.at === 'leader') return; // R6
      const difference = state.at === 'active' ? strength({ round, id }, state) : 1;
      if (difference < 0) return; // R3
      if (difference > 0) {
        state.at = 'passive'; // R3
        ctx.send(NEXT, 'token', round, id, hops + 1); // R2
      } else if (hops >= ctx.params.N) {
        state.at = 'leader'; // R4
        ctx.decide('leader');
        ctx.send(NEXT, 'elected');
      } else {
        state.round++; // R5
        state.id = ctx.random(ctx.params.c);
        ctx.send(NEXT, 'token', state.round, state.id, 1); // R1
      }
    },

    elected(state, _port, _message, ctx) {
      if (state.at === 'leader') return; // R6
      ctx.decide('follower');
      ctx.forward(NEXT);
    },
  },

  checking: roundPresets,
  laws: [
    exact('election', 'n', [oneInitiates], ({ n }) => n),
    announcementLaw,
    exact('electedAt', 'n', [inLockstep, oneInitiates], ({ n }) => n),
  ],
});
