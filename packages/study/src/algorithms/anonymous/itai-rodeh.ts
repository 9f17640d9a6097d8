/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981, and Information and Computation 88(1), 1990; in the form of R. Karnapke: Election Algorithms,
 * lecture notes, 2015.
 *
 * Model: unidirectional ring, anonymous nodes with random draws that know its size n, asynchronous. Any non-empty set
 * of nodes initiates.
 * Wins: a random initiator, each with the same probability if all start together.
 * Costs: at least n and at most nk messages per round for k initiators, O(n log n) on average. For c = n the mean
 * number of rounds is less than e·n/(n−1): 2, 27/16, 8/5 for n = 2, 3, 4. Then n for the announcement.
 *
 * Guarantees at most one leader in every run, and one leader with probability 1 (Las Vegas): a run need not
 * terminate, but termination is possible from every state. Links need not be FIFO. Without FIFO a token of a later
 * round may overtake another and make a node passive that would have drawn again, so there are fewer rounds. Does not
 * tolerate crashes or message loss.
 *
 * The round number is unbounded, so the state space is infinite. With FIFO links it is not needed: a node receives
 * its own token before any token of the next round, as Fokkink and Pang show (Variations on Itai–Rodeh leader
 * election, 2006). It is kept here, as in the source, because without FIFO it is needed.
 *
 * R1  An active node draws an id from 1..c and sends a token with the id, the round number, hop count 1 and flag 1.
 *     The initiators are active.
 * R2  A passive node forwards the token and increments the hop count.
 * R3  An active node discards a token that is weaker than its own pair, by round and then by id. A stronger token
 *     makes it passive and is forwarded.
 * R4  If a token has the round and id of the node and has travelled fewer than n hops, another node drew the same id.
 *     The token is forwarded with flag 0.
 * R5  A token that has travelled n hops has returned to its owner. If its flag is 1, no other node drew this id: the
 *     owner becomes the leader and sends `elected` around the ring.
 * R6  If its flag is 0, several nodes drew this id: the owner draws again, in the next round.
 * R7  If the owner has become passive in the meantime, because a token of a later round overtook this one, it
 *     discards the token.
 * R8  The leader discards all later tokens, and its own `elected` when it returns.
 */
import type { View } from '../../kernel/index.ts';
import { announcement, counter, defineAlgorithm, exact, flag, mean, message } from '../../kernel/index.ts';
import { oneInitiates } from '../law-conditions.ts';
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
import { expectedRounds } from './expected-rounds.ts';

const NEXT = 1;

interface Ring {
  readonly params: { readonly c: number };
  random(k: number): number;
  send(port: number, type: 'token', round: number, id: number, hops: number, unique: boolean): void;
}

/** Itai–Rodeh: a randomized election on an anonymous ring of known size. */
export const itaiRodeh = defineAlgorithm({
  name: 'itai-rodeh',
  title: 'Itai–Rodeh',
  source: 'Itai, Rodeh 1981',
  cost: 'O(n log n) mean',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: false, knows: ['n'] },
  params: { c: idRange },
  state: candidate,
  messages: {
    token: message(
      ['round', roundNumber],
      ['id', drawnId],
      ['hops', counter(({ n }) => n)],
      ['unique', flag()],
    ),
    elected: announcement(),
  },

  passive: ({ at }) => at === 'passive', // R2
  phase: candidatePhase,

  onStart(state, ctx) {
    state.at = 'active';
    sendToken(state, ctx);
  },

  on: {
    token(state, _port, { round, id, hops, unique }, ctx) {
      if (state.at === 'leader') return; // R8
      if (hops === ctx.n) {
        if (state.at === 'passive') return; // R7
        if (!unique) {
          sendToken(state, ctx); // R6
          return;
        }
        state.at = 'leader'; // R5
        ctx.decide('leader');
        ctx.send(NEXT, 'elected');
        return;
      }
      let isUnique = unique;
      if (state.at === 'active') {
        const difference = strength({ round, id }, state);
        if (difference < 0) return; // R3
        if (difference > 0) state.at = 'passive';
        else isUnique = false; // R4
      }
      ctx.send(NEXT, 'token', round, id, hops + 1, isUnique); // R2, R3, R4
    },

    elected(state, _port, _message, ctx) {
      if (state.at === 'leader') return; // R8
      ctx.decide('follower');
      ctx.forward(NEXT);
    },
  },

  checking: roundPresets,
  laws: [
    exact('election', 'n', [oneInitiates], ({ n }) => n),
    announcementLaw,
    mean(
      'electedAt',
      'n·(mean number of rounds for k nodes and c ids)',
      'in lockstep, n and c up to 4,096',
      ({ n, k, lockstep, faultless, params }) => {
        const rounds = lockstep && faultless ? expectedRounds(k, Number(params.c)) : undefined;
        return rounds === undefined ? undefined : n * rounds;
      },
    ),
  ],
});

/** R1, in the next round. */
function sendToken(state: View<typeof candidate>, ctx: Ring): void {
  state.round++;
  state.id = ctx.random(ctx.params.c);
  ctx.send(NEXT, 'token', state.round, state.id, 1, true);
}
