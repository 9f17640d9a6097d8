/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981, and Information and Computation 88(1), 1990; the circuits that estimate the size as in Wan Fokkink:
 * Distributed Algorithms, MIT Press 2013, section 9.5.
 *
 * Model: unidirectional ring, anonymous nodes that can draw lots and know nothing of its size, asynchronous. Any
 * non-empty set initiates.
 * Wins: any node; chance decides.
 * Costs: n²(n+1)/2 probes at most, and the elections.
 *
 * May err (Monte Carlo): no algorithm can elect without fail where nothing is known of the size. Guarantees that every
 * estimate is at most n, that in the end all nodes have the same, and that it is n unless ids repeat by chance along
 * the whole ring, which grows less likely with c; and exactly one leader if it is more than n/2. Does not guarantee that
 * it is: then there may be several leaders, and nobody notices. No node ever knows that its estimate is the last. So
 * each estimate has an election of its own, as a term, and a leader leads until a larger estimate is heard of. Links
 * need not keep their order. Does not tolerate crash or loss.
 *
 * R1  A node estimates the size, first at 1. For each estimate it draws an id from 1..c and sends a probe with both and
 *     hop count 1. It waits.
 * R2  Messages of a smaller estimate are swallowed.
 * R3  A probe of the node's own estimate e is relayed until it has come e hops. With an id that is not the node's it
 *     shows that e is too small: the node goes on to e+1.
 * R4  A probe of a larger estimate e is relayed, and the node takes over e; unless it has come e hops: it is not home,
 *     since the node never had this estimate, and the node goes on to e+1.
 * R5  If the node's own id comes after e hops, it may be its own: nothing speaks against e. If the node still waits, it
 *     becomes active, draws an id and sends a token in the first round.
 * R6  A token of a larger estimate makes the node take that over too. A token that finds a node waiting makes it
 *     passive; a passive node relays.
 * R7  An active node swallows a weaker token, by round and then by id; a stronger one makes it passive and is relayed.
 * R8  A token ends at the first active node that has its round and id. If it came e hops or more, the node leads, and
 *     sends word round. If not, it draws again, in the next round.
 * R9  Who hears of a leader follows it, and passes it on. A leader swallows tokens and word of its own estimate.
 */
import {
  announcement,
  type Context,
  choice,
  counter,
  defineAlgorithm,
  MAX_WORD,
  message,
  type View,
} from '../../kernel/index.ts';
import { drawnId, sides, strength } from './candidate.ts';

const NEXT = 1;

const assumes = {
  network: 'one-way ring',
  timing: 'asynchronous',
  ids: 'anonymous',
  fifo: false,
  mayErr: true,
} as const;

const params = { c: sides };

const size = counter(({ n }) => n);

/** The first of each estimate is 1, whatever round others are in. */
const roundNumber = counter(MAX_WORD);

/** mark: the id of the probes; round and id: those of the election. The rest is of the estimate. */
const state = {
  estimate: size,
  mark: drawnId,
  at: choice(['waiting', 'active', 'passive', 'leader']),
  round: roundNumber,
  id: drawnId,
};

const messages = {
  probe: message(['estimate', size], ['id', drawnId], ['hops', size]),
  token: message(['estimate', size], ['round', roundNumber], ['id', drawnId], ['hops', size]),
  elected: announcement(['estimate', size]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

export const itaiRodehUnknown = defineAlgorithm({
  name: 'itai-rodeh-unknown',
  title: 'Itai–Rodeh, size unknown',
  source: 'Itai, Rodeh 1981',
  cost: 'O(n³), may err',
  assumes,
  params,
  state,
  messages,

  onStart(state, ctx) {
    suppose(state, 1, ctx); // R1
  },

  on: {
    probe(state, _port, { estimate, id, hops }, ctx) {
      if (estimate < state.estimate) return; // R2
      const isLarger = estimate > state.estimate;
      if (hops < estimate) {
        ctx.send(NEXT, 'probe', estimate, id, hops + 1); // R3, R4
        if (isLarger) suppose(state, estimate, ctx); // R4
      } else if (isLarger || id !== state.mark) {
        suppose(state, estimate + 1, ctx); // R3, R4
      } else if (state.at === 'waiting') {
        state.at = 'active'; // R5
        stand(state, 1, ctx);
      }
    },

    token(state, _port, { estimate, round, id, hops }, ctx) {
      if (estimate < state.estimate || isLeader(state, estimate)) return; // R2, R9
      if (estimate > state.estimate) suppose(state, estimate, ctx); // R6
      const difference = state.at === 'active' ? strength({ round, id }, state) : 1;
      if (difference < 0) return; // R7
      if (difference > 0) {
        state.at = 'passive'; // R6, R7
        ctx.send(NEXT, 'token', estimate, round, id, hops + 1);
      } else if (hops >= estimate) {
        state.at = 'leader'; // R8
        ctx.decide('leader', undefined, estimate);
        ctx.send(NEXT, 'elected', estimate);
      } else {
        stand(state, round + 1, ctx); // R8
      }
    },

    elected(state, _port, { estimate }, ctx) {
      if (estimate < state.estimate || isLeader(state, estimate)) return; // R2, R9
      if (estimate > state.estimate) suppose(state, estimate, ctx);
      state.at = 'passive'; // R9
      ctx.decide('follower', undefined, estimate);
      ctx.forward(NEXT);
    },
  },

  laws: [
    {
      measure: { messages: 'probe' },
      kind: 'bound',
      formula: 'n²(n+1)/2',
      value: ({ n }) => (n * n * (n + 1)) / 2,
    },
  ],
});

function isLeader(state: State, estimate: number): boolean {
  return state.at === 'leader' && estimate === state.estimate;
}

/** R1: all that belonged to a smaller estimate is void. */
function suppose(state: State, estimate: number, ctx: Ctx): void {
  state.estimate = estimate;
  state.mark = ctx.random(ctx.params.c);
  state.at = 'waiting';
  state.round = 0;
  state.id = 0;
  ctx.send(NEXT, 'probe', estimate, state.mark, 1);
}

function stand(state: State, round: number, ctx: Ctx): void {
  state.round = round;
  state.id = ctx.random(ctx.params.c);
  ctx.send(NEXT, 'token', state.estimate, round, state.id, 1);
}
