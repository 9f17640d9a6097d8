/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981; on arbitrary networks by echo waves that count nodes, as in Gerard Tel: Introduction to Distributed
 * Algorithms, Cambridge University Press 2000, section 9.3.
 *
 * Model: connected graph, anonymous nodes with random draws that know its size n, asynchronous. Any non-empty set of
 * nodes initiates.
 * Wins: a random initiator.
 * Costs: 2m messages for the winning wave in every schedule, and at most 2m for each earlier wave. Then n−1 for the
 * announcement along the spanning tree of the winning wave.
 *
 * Guarantees at most one leader in every run, and one leader with probability 1 (Las Vegas): a wave that has counted
 * n nodes has no equal, and all nodes belong to it. Links need not be FIFO: for each pair (round, id) a node sends
 * only one message over each link, and of two pairs the stronger wins in any order of arrival. Does not tolerate
 * crashes, message loss or duplication.
 *
 * R1  An active node draws an id from 1..c and starts a wave: it sends an explorer with the round and the id to all
 *     neighbours. The initiators are active.
 * R2  A node that receives a stronger explorer, by round and then by id, becomes passive. It leaves its current wave,
 *     takes the sender as its parent and forwards the explorer to all other neighbours.
 * R3  Weaker explorers and echoes are discarded.
 * R4  An explorer or echo with the same round and id counts for the node's current wave, even if another node started
 *     it. An echo carries the number of nodes in its subtree.
 * R5  A passive node that has heard from all neighbours sends an echo to its parent, with the number of nodes in its
 *     own subtree.
 * R6  An active node that has heard from all neighbours and has counted n nodes becomes the leader. The announcement
 *     travels from parents to children.
 * R7  If it has counted fewer, another node drew the same id, and the rest belongs to that wave. The node draws
 *     again, in the next round.
 */
import type { Context, View } from '../../kernel/index.ts';
import { announcement, counter, defineAlgorithm, exact, message, NONE } from '../../kernel/index.ts';
import { beginWave, echoWave, forwardToChildren, joinWave, receiveWave } from '../graph/echo-wave.ts';
import { oneInitiates } from '../law-conditions.ts';
import { drawnId, idRange, roundNumber, roundPresets, strength } from './candidate.ts';

const assumes = {
  network: 'connected',
  timing: 'asynchronous',
  ids: 'anonymous',
  fifo: false,
  knows: ['n'],
} as const;

const params = { c: idRange };

/** A node is passive if and only if it has a parent. */
const state = { round: roundNumber, id: drawnId, count: counter(({ n }) => n), ...echoWave };

const messages = {
  explorer: message(['round', roundNumber], ['id', drawnId]),
  echo: message(['round', roundNumber], ['id', drawnId], ['count', counter(({ n }) => n)]),
  elected: announcement(),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

/** Itai–Rodeh on any connected anonymous network of known size, by echo waves. */
export const itaiRodehEcho = defineAlgorithm({
  name: 'itai-rodeh-echo',
  title: 'Itai–Rodeh on any network',
  source: 'Itai, Rodeh 1981',
  cost: '2m the last wave',
  assumes,
  params,
  state,
  messages,

  passive: ({ parent }) => parent !== NONE, // R2
  tree: ({ parent }) => (parent === NONE ? [] : [parent]),
  phase: ({ round }) => (round > 0 ? `round ${round}` : null),

  onStart(state, ctx) {
    if (ctx.degree === 0) ctx.decide('leader');
    else startWave(state, ctx);
  },

  on: {
    explorer(state, port, message, ctx) {
      const difference = strength(message, state);
      if (difference < 0) return; // R3
      if (difference > 0) {
        state.round = message.round; // R2
        state.id = message.id;
        state.count = 1;
        joinWave(state, port, ctx);
      }
      receive(state, ctx); // R4
    },

    echo(state, port, message, ctx) {
      if (strength(message, state) !== 0) return; // R3
      state.children.add(port); // R6
      state.count += message.count; // R4
      receive(state, ctx);
    },

    elected(state, _port, _message, ctx) {
      ctx.decide('follower');
      forwardToChildren(state, ctx); // R6
    },
  },

  checking: roundPresets,
  laws: [
    exact('election', '2m', [oneInitiates], ({ m }) => 2 * m),
    exact('announcement', 'n−1', ({ n }) => n - 1),
  ],
});

/** R1, in the next round. */
function startWave(state: State, ctx: Ctx): void {
  state.round++;
  state.id = ctx.random(ctx.params.c);
  state.count = 1;
  beginWave(state);
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'explorer', state.round, state.id);
}

function receive(state: State, ctx: Ctx): void {
  if (!receiveWave(state, ctx.degree)) return;
  if (state.parent !== NONE) {
    ctx.send(state.parent, 'echo', state.round, state.id, state.count); // R5
  } else if (state.count < ctx.n) {
    startWave(state, ctx); // R7
  } else {
    ctx.decide('leader'); // R6
    for (const child of state.children) ctx.send(child, 'elected');
  }
}
