/**
 * Echo election with extinction: Ernest J. H. Chang, Echo algorithms: depth parallel operations on general graphs,
 * IEEE Transactions on Software Engineering SE-8(4), 1982; with message extinction as in Friedemann Mattern,
 * Verteilte Basisalgorithmen, Springer 1989, chapter 2.
 *
 * Model: connected graph, unique ids, asynchronous; nobody knows n. Any non-empty set initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2m messages for one initiator, in every schedule; at most 2m for each of k. Then n−1 to announce along the
 * tree of the winning wave, or 2m by a second wave.
 *
 * Guarantees exactly one leader, known to all, in every schedule. Links need not keep their order: in each direction
 * of a link a wave sends one message only, and of two waves the order does not matter, since the stronger wins.
 * Does not tolerate crash, loss or duplication: one echo less and nobody ever leads.
 *
 * R1  An initiator starts a wave: it sends an explorer with its id to all neighbours.
 * R2  Whom a stronger explorer reaches leaves the wave it was in, takes the sender for its parent and passes the
 *     explorer on to all other neighbours.
 * R3  Weaker explorers and echoes are swallowed.
 * R4  Who has heard its wave from all neighbours, be it by explorer or by echo, sends an echo to its parent.
 * R5  The initiator whose own wave has come back from all neighbours has won. No other wave can: the winner, at
 *     least, sends it no echo.
 * R6  With announce=tree, word goes from parent to children, who are those that sent an echo.
 * R7  With announce=echo, the winner sends word by a wave of its own: who hears first from one neighbour passes it on
 *     to all others, and when it has heard from all, sends it back to the first.
 */
import {
  announcement,
  type Context,
  defineAlgorithm,
  id,
  message,
  NONE,
  oneOf,
  type View,
} from '../../kernel/index.ts';
import { echoWave, forwardToChildren, hearsLast, joinWave } from '../graph/echo-wave.ts';
import { forwardToOthers } from '../graph/neighbours.ts';

const assumes = { network: 'connected', timing: 'asynchronous', ids: 'unique', fifo: false } as const;

const params = { announce: oneOf('how the others learn who won', ['tree', 'echo']) };

const state = { wave: id(), ...echoWave };

const messages = {
  explorer: message(['id', id()]),
  echo: message(['id', id()]),
  elected: announcement(['id', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

export const echoElection = defineAlgorithm({
  name: 'echo-election',
  title: 'Echo election with extinction',
  source: 'Chang 1982, Mattern 1989',
  cost: '2m to 2mk',
  assumes,
  params,
  state,
  messages,

  onStart(state, ctx) {
    state.wave = ctx.id;
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'explorer', ctx.id); // R1
    if (ctx.degree === 0) ctx.decide('leader');
  },

  on: {
    explorer(state, port, { id }, ctx) {
      if (id < state.wave) return; // R3
      if (id > state.wave) {
        state.wave = id; // R2
        joinWave(state, port, ctx);
      }
      hear(state, ctx);
    },

    echo(state, port, { id }, ctx) {
      if (id !== state.wave) return; // R3
      state.children.add(port); // R6
      hear(state, ctx);
    },

    elected(state, port, { id }, ctx) {
      if (ctx.params.announce === 'tree') tellChildren(state, id, ctx);
      else spread(state, port, id, ctx);
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
    {
      measure: { messages: 'echo' },
      kind: 'exact',
      formula: 'n−1',
      when: 'one node initiates',
      value: ({ n, k }) => (k === 1 ? n - 1 : undefined),
    },
    { measure: 'election', kind: 'bound', formula: 'k·2m', value: ({ k, m }) => k * 2 * m },
    {
      measure: 'announcement',
      kind: 'exact',
      formula: 'n−1',
      when: 'announce=tree',
      value: ({ n, params }) => (params.announce === 'tree' ? n - 1 : undefined),
    },
    {
      measure: 'announcement',
      kind: 'exact',
      formula: '2m',
      when: 'announce=echo',
      value: ({ m, params }) => (params.announce === 'echo' ? 2 * m : undefined),
    },
  ],
});

/** One more neighbour has been heard from; when all have, the wave is over here. */
function hear(state: State, ctx: Ctx): void {
  if (!hearsLast(state, ctx.degree - 1)) return;
  if (state.parent === NONE) win(state, ctx);
  else ctx.send(state.parent, 'echo', state.wave); // R4
}

function win(state: State, ctx: Ctx): void {
  ctx.decide('leader'); // R5
  if (ctx.params.announce === 'tree') {
    for (const child of state.children) ctx.send(child, 'elected', ctx.id); // R6
  } else {
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'elected', ctx.id); // R7
  }
}

function tellChildren(state: State, leader: number, ctx: Ctx): void {
  ctx.decide('follower', leader);
  forwardToChildren(state, ctx); // R6
}

/** When word comes the first wave is over everywhere, so that `parent` and `heard` serve the second. */
function spread(state: State, port: number, leader: number, ctx: Ctx): void {
  if (leader === ctx.id) return; // R7: home again
  if (state.heard === 0) {
    ctx.decide('follower', leader);
    state.parent = port;
    forwardToOthers(port, ctx);
  }
  state.heard++;
  if (state.heard === ctx.degree) ctx.forward(state.parent);
}
