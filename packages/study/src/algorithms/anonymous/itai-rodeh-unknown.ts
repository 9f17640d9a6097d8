/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981, and Information and Computation 88(1), 1990; the estimation of the ring size follows Wan Fokkink:
 * Distributed Algorithms, MIT Press 2013, section 9.5.
 *
 * Model: unidirectional ring, anonymous nodes with random draws that know nothing about its size, asynchronous. Any
 * non-empty set of nodes initiates.
 * Wins: a random node.
 * Costs: at most n²(n+1)/2 probes, and the messages of the elections.
 *
 * May err (Monte Carlo): without knowledge of the size no algorithm can elect correctly in every run. Guarantees that
 * no estimate exceeds n, that all nodes eventually have the same estimate, and that there is exactly one leader if
 * this estimate is larger than n/2. The final estimate is n unless ids repeat along the whole ring by chance; the
 * probability of that decreases with c. Does not guarantee one leader if the final estimate is n/2 or smaller: there
 * may then be several leaders, and no node notices. No node ever knows that its estimate is final. Therefore each
 * estimate has an election of its own, with the estimate as its term, and a leader leads until it learns of a larger
 * estimate. Links need not be FIFO. Does not tolerate crashes or message loss.
 *
 * R1  A node has an estimate of the size, initially 1. For each estimate it draws an id from 1..c, sends a probe with
 *     both and hop count 1, and waits.
 * R2  Messages of a smaller estimate are discarded.
 * R3  A probe of the node's own estimate e is forwarded until it has travelled e hops. If its id then differs from
 *     that of the node, e is too small, and the node increases its estimate to e+1.
 * R4  A probe of a larger estimate e that has travelled fewer than e hops is forwarded, and the node adopts e. After
 *     e hops the node increases its estimate to e+1: the probe should have returned to its sender, but this node has
 *     never had the estimate e.
 * R5  If a probe with the node's own id arrives after e hops, it may be its own, and nothing contradicts e. If the
 *     node is still waiting, it becomes active, draws an id and sends a token in round 1.
 * R6  A node that receives a token of a larger estimate adopts that estimate. A token makes a waiting node passive. A
 *     passive node forwards tokens.
 * R7  An active node discards a weaker token, by round and then by id. A stronger one makes it passive and is
 *     forwarded.
 * R8  A token ends at the first active node that has the same round and id. If it has travelled e or more hops, the
 *     node becomes the leader and sends `elected` around the ring. Otherwise the node draws again, in the next round.
 * R9  A node that receives `elected` becomes a follower and forwards it. A leader discards `elected` and all tokens
 *     of its own estimate.
 */
import type { Context, View } from '../../kernel/index.ts';
import {
  announcement,
  bound,
  choice,
  counter,
  defineAlgorithm,
  MAX_WORD,
  message,
} from '../../kernel/index.ts';
import { drawnId, idRange, strength } from './candidate.ts';

const NEXT = 1;

const assumes = {
  network: 'one-way ring',
  timing: 'asynchronous',
  ids: 'anonymous',
  fifo: false,
  mayErr: true,
} as const;

const params = { c: idRange };

const size = counter(({ n }) => n);

/** Not relative: rounds start at 1 for each estimate. */
const roundNumber = counter(MAX_WORD);

/** mark: the id of the node's probe; round and id: those of its token. */
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

/** Itai–Rodeh on an anonymous ring of unknown size. It may err. */
export const itaiRodehUnknown = defineAlgorithm({
  name: 'itai-rodeh-unknown',
  title: 'Itai–Rodeh, size unknown',
  source: 'Itai, Rodeh 1981',
  cost: 'O(n³), may err',
  assumes,
  params,
  state,
  messages,

  passive: ({ at }) => at === 'passive', // R6
  phase: ({ estimate }) => (estimate > 0 ? `estimate ${estimate}` : null),

  onStart(state, ctx) {
    adopt(state, 1, ctx); // R1
  },

  on: {
    probe(state, _port, { estimate, id, hops }, ctx) {
      if (estimate < state.estimate) return; // R2
      const isLarger = estimate > state.estimate;
      if (hops < estimate) {
        ctx.send(NEXT, 'probe', estimate, id, hops + 1); // R3, R4
        if (isLarger) adopt(state, estimate, ctx); // R4
      } else if (isLarger || id !== state.mark) {
        adopt(state, estimate + 1, ctx); // R3, R4
      } else if (state.at === 'waiting') {
        state.at = 'active'; // R5
        sendToken(state, 1, ctx);
      }
    },

    token(state, _port, { estimate, round, id, hops }, ctx) {
      if (estimate < state.estimate || isLeader(state, estimate)) return; // R2, R9
      if (estimate > state.estimate) adopt(state, estimate, ctx); // R6
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
        sendToken(state, round + 1, ctx); // R8
      }
    },

    elected(state, _port, { estimate }, ctx) {
      if (estimate < state.estimate || isLeader(state, estimate)) return; // R2, R9
      if (estimate > state.estimate) adopt(state, estimate, ctx);
      state.at = 'passive'; // R9
      ctx.decide('follower', undefined, estimate);
      ctx.forward(NEXT);
    },
  },

  // The smallest ring on which it errs.
  checking: { small: { nodes: 2 } },
  laws: [bound({ messages: 'probe' }, 'n²(n+1)/2', ({ n }) => (n * n * (n + 1)) / 2)],
});

function isLeader(state: State, estimate: number): boolean {
  return state.at === 'leader' && estimate === state.estimate;
}

/** R1. Discards the state that belongs to a smaller estimate. */
function adopt(state: State, estimate: number, ctx: Ctx): void {
  state.estimate = estimate;
  state.mark = ctx.random(ctx.params.c);
  state.at = 'waiting';
  state.round = 0;
  state.id = 0;
  ctx.send(NEXT, 'probe', estimate, state.mark, 1);
}

function sendToken(state: State, round: number, ctx: Ctx): void {
  state.round = round;
  state.id = ctx.random(ctx.params.c);
  ctx.send(NEXT, 'token', state.estimate, round, state.id, 1);
}
