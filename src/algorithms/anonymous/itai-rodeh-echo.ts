/**
 * Alon Itai, Michael Rodeh: Symmetry breaking in distributed networks. 22nd IEEE Symposium on Foundations of Computer
 * Science, 1981; on any network by echo waves that count nodes, as in Gerard Tel: Introduction to Distributed Algorithms,
 * Cambridge University Press 2000, section 9.3.
 *
 * Model: connected graph, anonymous nodes that know its size n and can draw lots, asynchronous. Any non-empty set
 * initiates.
 * Wins: any initiator; chance decides.
 * Costs: 2m messages for the wave that wins, in every schedule, and at most 2m for each wave before it. Then n−1 to
 * announce along the tree of the winning wave.
 *
 * Guarantees at most one leader in every run, and one with probability 1 (Las Vegas): only a wave that has counted n
 * nodes was alone, and by then all are in it. Links need not keep their order: in each direction of a link a node sends
 * one message of a round and id only, and of two pairs the stronger wins whatever comes first. Does not tolerate crash,
 * loss or duplication.
 *
 * R1  An active node draws an id from 1..c and starts a wave: it sends an explorer with the round and the id to all
 *     neighbours. The initiators are active.
 * R2  Whom a stronger explorer reaches, by round and then by id, is passive from now on. It leaves the wave it was in,
 *     takes the sender for its parent and passes the explorer on to all other neighbours.
 * R3  Weaker explorers and echoes are swallowed.
 * R4  An explorer or an echo of the same round and id counts as of the node's own wave, whoever started it. An echo
 *     brings the number of nodes behind it.
 * R5  Who has heard from all neighbours sends an echo to its parent, with the number of nodes behind it and itself.
 * R6  An active node that has heard from all and counts n nodes leads; word goes from parent to children.
 * R7  If it counts less, somebody else drew the same, and the rest is in that wave: the node draws again, in the next
 *     round.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  message,
  NONE,
  type View,
} from '../../kernel/index.ts';
import { beginWave, echoWave, forwardToChildren, hearsLast, joinWave } from '../graph/echo-wave.ts';
import { drawnId, roundNumber, sides, strength } from './candidate.ts';

const assumes = {
  network: 'connected',
  timing: 'asynchronous',
  ids: 'anonymous',
  fifo: false,
  knows: ['n'],
} as const;

const params = { c: sides };

/** A node is passive while its wave has a parent. */
const state = { round: roundNumber, id: drawnId, count: counter(({ n }) => n), ...echoWave };

const messages = {
  explorer: message(['round', roundNumber], ['id', drawnId]),
  echo: message(['round', roundNumber], ['id', drawnId], ['count', counter(({ n }) => n)]),
  elected: announcement(),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

export const itaiRodehEcho = defineAlgorithm({
  name: 'itai-rodeh-echo',
  title: 'Itai–Rodeh on any network',
  source: 'Itai, Rodeh 1981',
  cost: '2m the last wave',
  assumes,
  params,
  state,
  messages,

  onStart(state, ctx) {
    if (ctx.degree === 0) ctx.decide('leader');
    else stand(state, ctx);
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
      hear(state, ctx); // R4
    },

    echo(state, port, message, ctx) {
      if (strength(message, state) !== 0) return; // R3
      state.children.add(port); // R6
      state.count += message.count; // R4
      hear(state, ctx);
    },

    elected(state, _port, _message, ctx) {
      ctx.decide('follower');
      forwardToChildren(state, ctx); // R6
    },
  },

  laws: [
    {
      measure: 'election',
      kind: 'exact',
      formula: '2m',
      when: 'one node initiates',
      value: ({ k, m }) => (k === 1 ? 2 * m : undefined),
    },
    { measure: 'announcement', kind: 'exact', formula: 'n−1', value: ({ n }) => n - 1 },
  ],
});

/** R1, in the next round. */
function stand(state: State, ctx: Ctx): void {
  state.round++;
  state.id = ctx.random(ctx.params.c);
  state.count = 1;
  beginWave(state);
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'explorer', state.round, state.id);
}

function hear(state: State, ctx: Ctx): void {
  if (!hearsLast(state, ctx.degree)) return;
  if (state.parent !== NONE) {
    ctx.send(state.parent, 'echo', state.round, state.id, state.count); // R5
  } else if (state.count < ctx.n) {
    stand(state, ctx); // R7
  } else {
    ctx.decide('leader'); // R6
    for (const child of state.children) ctx.send(child, 'elected');
  }
}
