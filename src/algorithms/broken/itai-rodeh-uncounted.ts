/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981, and Information and Computation 88(1), 1990; as in R. Karnapke: Election Algorithms, lecture notes,
 * 2015.
 *
 * Model: unidirectional ring, anonymous nodes that know its size n and can draw lots, asynchronous. Any non-empty set
 * initiates.
 * Wins: any initiator, each as likely if all start together; chance decides.
 * Costs: n messages a round at least and nk at most, k initiators; O(n log n) on average. For c = n there are fewer
 * than e·n/(n−1) rounds on average: 2, 27/16, 8/5 for n = 2, 3, 4. Then n to announce.
 *
 * Guarantees at most one leader in every run, and one with probability 1 (Las Vegas): no run has to end, but from every
 * state one can. Links need not keep their order; where they do not, a token of a later round may overtake and make
 * passive who would have drawn again, so that there are fewer rounds. Does not tolerate crash or loss.
 *
 * The round number has no largest value, so that there are infinitely many states. On FIFO links it could be left out:
 * a node has its own token back before anything of the next round reaches it, as Fokkink and Pang show (Variations on
 * Itai–Rodeh leader election, 2006). Here it stands as in the source, and is needed where messages overtake.
 *
 * R1  An active node draws an id from 1..c and sends it with hop count 1, flag 1 and the number of the round. The
 *     initiators are active.
 * R2  A passive node relays, and counts the hop.
 * R3  An active node swallows a token that is weaker than it, by round and then by id; a stronger one makes it passive
 *     and is relayed.
 * R4  If a token has the round and id of the node, and has come less than n hops, somebody else drew the same: the flag
 *     is set to 0 and the token relayed.
 * R5  A token that has come n hops is home. With flag 1 its node is the only winner: it leads, and sends word round.
 * R6  With flag 0 there are several winners: the node draws again, in the next round.
 * R7  Whoever was overtaken has become passive in the meantime: its token ends at home.
 * R8  The leader swallows what is left, and its own word when it is home.
 */
import { announcement, counter, defineAlgorithm, flag, message, type View } from '../../kernel/index.ts';
import { candidate, drawnId, roundNumber, sides, strength } from '../anonymous/candidate.ts';
import { expectedRounds } from '../anonymous/expected-rounds.ts';
import { announcedOnce } from '../ring/announcement.ts';

const NEXT = 1;

interface Ring {
  readonly params: { readonly c: number };
  random(k: number): number;
  send(port: number, type: 'token', round: number, id: number, hops: number, unique: boolean): void;
}

export const itaiRodeh = defineAlgorithm({
  name: 'itai-rodeh',
  title: 'Itai–Rodeh',
  source: 'Itai, Rodeh 1981',
  cost: 'O(n log n) mean',
  assumes: { network: 'one-way ring', timing: 'asynchronous', ids: 'anonymous', fifo: false, knows: ['n'] },
  params: { c: sides },
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

  onStart(state, ctx) {
    state.at = 'active';
    stand(state, ctx);
  },

  on: {
    token(state, _port, { round, id, hops, unique }, ctx) {
      if (state.at === 'leader') return; // R8
      if (round === state.round && id === state.id) {
        if (state.at === 'passive') return; // R7
        if (!unique) {
          stand(state, ctx); // R6
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
      kind: 'mean',
      formula: 'n·(mean rounds of k nodes with c ids)',
      when: 'in lockstep, n and c up to 4,096',
      value: ({ n, k, lockstep, smooth, params }) => {
        const rounds = lockstep && smooth ? expectedRounds(k, Number(params.c)) : undefined;
        return rounds === undefined ? undefined : n * rounds;
      },
    },
  ],
});

/** R1, in the next round. */
function stand(state: View<typeof candidate>, ctx: Ring): void {
  state.round++;
  state.id = ctx.random(ctx.params.c);
  ctx.send(NEXT, 'token', state.round, state.id, 1, true);
}
