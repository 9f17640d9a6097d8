/**
 * Chang–Roberts on a bidirectional ring, where each initiator draws the direction of its message at random. R.
 * Karnapke: Election Algorithms, lecture notes, 2015, slides 49 to 51, after Christian Lavault, 1990.
 *
 * Model: bidirectional ring, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of nodes
 * initiates.
 * Wins: the largest id among the initiators.
 * Costs: n(ln n/√2 + 1.04) messages on average in lockstep if all nodes initiate, n(n+1)/2 in the worst case; then n
 * for the announcement.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule, with or without FIFO links, and for all
 * random draws. Does not tolerate crashes or message loss. Does not save messages in every run: a larger id stops a
 * smaller one sooner only if the two travel towards each other, which happens half of the time. The mean is 16, 19
 * and 21 % below n·H_n for 64, 256 and 1,024 nodes; 30 % is the limit for large n.
 *
 * R1  An initiator p sets M := p, draws one of the two directions with equal probability, and sends its id in that
 *     direction.
 * R2  A node that receives an id larger than M sets M := id and forwards it in the same direction.
 * R3  A node discards an id that is not larger than M. M is shared by both directions, which is the source of the
 *     saving.
 * R4  A node that receives its own id becomes the leader and sends `elected` around the ring.
 * R5  `elected` travels clockwise, and the leader discards it when it returns.
 */
import { bound, defineAlgorithm, exact, id, mean, message } from '../../kernel/index.ts';
import { allInitiate, atLeastNodes, inLockstep, oneInitiates } from '../law-conditions.ts';
import { announce, announcementLaw, elected, forwardElected } from './announcement.ts';

const PREVIOUS = 0;
const NEXT = 1;

/** Chang–Roberts with random directions. */
export const randomizedChangRoberts = defineAlgorithm({
  name: 'randomized-chang-roberts',
  title: 'Chang–Roberts, randomized',
  source: 'Lavault 1990',
  cost: 'n(ln n/√2 + 1.04) mean',
  assumes: { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: {},
  state: { M: id() },
  messages: { token: message(['id', id()]), elected },

  onStart(state, ctx) {
    state.M = ctx.id;
    ctx.send(ctx.random(2) === 1 ? PREVIOUS : NEXT, 'token', ctx.id); // R1
  },

  on: {
    token(state, port, { id }, ctx) {
      if (id > state.M) {
        state.M = id; // R2
        ctx.forward(port === NEXT ? PREVIOUS : NEXT);
      } else if (id === ctx.id) {
        announce(ctx); // R4
      } // R3
    },

    elected: forwardElected, // R5
  },

  laws: [
    mean('election', 'n(ln n/√2 + 1.04)', [inLockstep, allInitiate, atLeastNodes(64)], ({ n, order }) =>
      order === 'other' ? n * (Math.log(n) / Math.SQRT2 + 1.04) : undefined,
    ),
    bound('election', 'nk − k(k−1)/2', ({ n, k }) => n * k - (k * (k - 1)) / 2),
    exact('election', 'n', [oneInitiates], ({ n }) => n),
    announcementLaw,
    exact('electedAt', 'n', [inLockstep], ({ n }) => n),
    exact('announcementReturnedAt', '2n', [inLockstep], ({ n }) => 2 * n),
  ],
});
