/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981, and Information and Computation 88(1), 1990; that a size between N and 2N−1 is enough to know, as in
 * R. Karnapke: Election Algorithms, lecture notes, 2015.
 *
 * Model: unidirectional ring, anonymous nodes that can draw lots and know a number N with N ≤ n ≤ 2N−1, but not the
 * size n itself; asynchronous. Any non-empty set initiates.
 * Wins: any initiator; chance decides.
 * Costs: n messages for one initiator; no more than n in any round for all tokens that do not lose, since each ends
 * where the next of its kind began. Then n to announce.
 *
 * Guarantees at most one leader in every run, and one with probability 1 (Las Vegas), on links that keep their order or
 * not. A token that came N hops or more to a candidate of its own kind found nobody of its kind on the way, and has made
 * all others passive; what is left of the ring is at most n−N ≤ N−1 hops, too few for a second leader. On a ring of 2N
 * two arcs of N fit, and there may be two leaders; on one of less than N nobody could ever lead. Does not tolerate crash
 * or loss.
 *
 * R1  An active node draws an id from 1..c and sends it with hop count 1 and the number of the round. The initiators are
 *     active.
 * R2  A passive node relays, and counts the hop.
 * R3  An active node swallows a token that is weaker than it, by round and then by id; a stronger one makes it passive
 *     and is relayed.
 * R4  A token ends at the first active node that has its round and id. If it came N hops or more, the node leads, and
 *     sends word round.
 * R5  If it came less than N hops, it came from somebody else: the node draws again, in the next round.
 * R6  The leader swallows what is left, of whatever round, and its own word when it is home.
 */
import { announcement, counter, defineAlgorithm, integer, message } from '../../kernel/index.ts';
import { candidate, drawnId, roundNumber, sides, strength } from '../anonymous/candidate.ts';
import { announcedOnce } from '../ring/announcement.ts';

const NEXT = 1;

/** The least N that allows n nodes. */
const leastBound = (n: number): number => Math.ceil(n / 2);

export const itaiRodehBounded = defineAlgorithm({
  name: 'itai-rodeh-bounded',
  title: 'Itai–Rodeh, size known within N and 2N−1',
  source: 'Itai, Rodeh 1981',
  cost: 'O(n log n) mean',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: false },
  params: {
    c: sides,
    N: integer('what nodes know of the size: N ≤ n ≤ 2N−1', {
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

  laws: [
    {
      measure: 'election',
      kind: 'exact',
      formula: 'n',
      when: 'one node initiates',
      value: ({ n, k }) => (k === 1 ? n : undefined),
    },
    announcedOnce,
    {
      measure: 'electedAt',
      kind: 'exact',
      formula: 'n',
      when: 'in lockstep, one node initiates',
      value: ({ n, k, lockstep, smooth }) => (k === 1 && lockstep && smooth ? n : undefined),
    },
  ],
});
