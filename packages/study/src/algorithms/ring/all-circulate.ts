/**
 * The first algorithm for a ring in R. Karnapke: Election Algorithms, lecture notes, 2015, slides 10 to 12. The notes
 * call it "bully", but apart from electing the largest id it has nothing in common with Garcia-Molina's algorithm of
 * that name.
 *
 * Model: unidirectional ring, unique ids, asynchronous, uniform (no node knows n). Any non-empty set of nodes
 * initiates; with compete=all the other nodes join at the first message they receive.
 * Wins: the largest id in the ring; with compete=initiators the largest among the initiators.
 * Costs: n² messages and no announcement; with compete=initiators k·n messages, then n for the announcement.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule, with or without FIFO links: each message
 * collects by itself all that its sender needs to know. Does not tolerate crashes or message loss.
 *
 * R1  A node p that initiates, or that receives its first message, sends ⟨p, p⟩ to the next node.
 * R2  A node p that receives ⟨i, j⟩ with i ≠ p forwards it as ⟨i, max(j, p)⟩.
 * R3  A node p that receives its own ⟨p, j⟩ knows the largest id j. If j = p, it becomes the leader. Otherwise it
 *     follows j.
 * R4  With compete=initiators, a node that has not initiated forwards every message unchanged, and so it does not
 *     learn the result. The leader sends `elected` around the ring and discards it when it returns.
 */
import { defineAlgorithm, exact, flag, id, type LawCondition, message, oneOf } from '../../kernel/index.ts';
import { allInitiate, inLockstep, oneInitiates } from '../law-conditions.ts';
import { announce, elected, forwardElected } from './announcement.ts';

const NEXT = 1;

const allCompete: LawCondition = ['all compete', ({ params }) => params.compete === 'all'];
const initiatorsCompete: LawCondition = [
  'initiators compete',
  ({ params }) => params.compete === 'initiators',
];

/** Every token travels around the whole ring. */
export const allCirculate = defineAlgorithm({
  name: 'all-circulate',
  title: 'All circulate',
  source: 'Karnapke 2015',
  cost: 'n²',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'unique', fifo: false },
  params: { compete: oneOf('which nodes are candidates', ['all', 'initiators']) },
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

    elected: forwardElected, // R4
  },

  laws: [
    exact('election', 'n²', [allCompete], ({ n }) => n * n),
    exact('announcement', '0', [allCompete], () => 0),
    exact('election', 'k·n', [initiatorsCompete], ({ n, k }) => k * n),
    exact('announcement', 'n', [initiatorsCompete], ({ n }) => n),
    exact('agreedAt', '2n−1', [allCompete, inLockstep, oneInitiates], ({ n }) => 2 * n - 1),
    exact('agreedAt', 'n', [inLockstep, allInitiate], ({ n }) => n),
    exact('electedAt', 'n', [initiatorsCompete, inLockstep], ({ n }) => n),
    exact('announcementReturnedAt', '2n', [initiatorsCompete, inLockstep], ({ n }) => 2 * n),
  ],
});
