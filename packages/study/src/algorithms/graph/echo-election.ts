/**
 * Echo election with extinction. Ernest J. H. Chang: Echo algorithms: depth parallel operations on general graphs.
 * IEEE Transactions on Software Engineering SE-8(4), 1982; with message extinction as in Friedemann Mattern:
 * Verteilte Basisalgorithmen, Springer 1989, chapter 2.
 *
 * Model: connected graph, unique ids, asynchronous; no node knows n. Any non-empty set of nodes initiates.
 * Wins: the largest id among the initiators.
 * Costs: 2m messages for one initiator in every schedule, at most 2m for each of k initiators. Then n−1 for the
 * announcement along the spanning tree of the winning wave, or 2m for a second wave.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule. Links need not be FIFO: a wave sends only one
 * message over each link in each direction, and of two waves the stronger wins in any order of arrival. Does not
 * tolerate crashes, message loss or duplication: if one echo is lost, no node becomes the leader.
 *
 * R1  An initiator starts a wave: it sends an explorer with its id to all neighbours.
 * R2  A node that receives a stronger explorer leaves its current wave, takes the sender as its parent and forwards
 *     the explorer to all other neighbours.
 * R3  Weaker explorers and echoes are discarded (extinction).
 * R4  A node that has received an explorer or echo of its wave from all neighbours sends an echo to its parent.
 * R5  An initiator that has received its own wave from all neighbours becomes the leader. No other wave completes,
 *     because the node with the largest id sends no echo to it.
 * R6  With announce=tree, the announcement travels from parents to children. The children are the neighbours that
 *     sent an echo.
 * R7  With announce=echo, the leader announces itself by a second wave: a node forwards the first `elected` it
 *     receives to all other neighbours, and sends it back to the sender when it has heard from all of them.
 */
import type { Context, View } from '../../kernel/index.ts';
import { announcement, bound, defineAlgorithm, exact, id, message, NONE, oneOf } from '../../kernel/index.ts';
import { oneInitiates } from '../law-conditions.ts';
import { echoWave, forwardToChildren, joinWave, receiveWave } from './echo-wave.ts';
import { forwardToOthers } from './neighbours.ts';

const assumes = { network: 'connected', timing: 'asynchronous', ids: 'unique', fifo: false } as const;

const params = {
  announce: oneOf('how the leader is announced: along the tree or by a wave', ['tree', 'echo']),
};

const state = { wave: id(), ...echoWave };

const messages = {
  explorer: message(['id', id()]),
  echo: message(['id', id()]),
  elected: announcement(['id', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

/** Echo election with extinction, on any connected network. */
export const echoElection = defineAlgorithm({
  name: 'echo-election',
  title: 'Echo election with extinction',
  source: 'Chang 1982, Mattern 1989',
  cost: '2m to 2mk',
  assumes,
  params,
  state,
  messages,

  tree: ({ parent }) => (parent === NONE ? [] : [parent]),
  fragment: ({ wave }) => (wave === NONE ? null : `wave ${wave}`),

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
      receive(state, ctx);
    },

    echo(state, port, { id }, ctx) {
      if (id !== state.wave) return; // R3
      state.children.add(port); // R6
      receive(state, ctx);
    },

    elected(state, port, { id }, ctx) {
      if (ctx.params.announce === 'tree') tellChildren(state, id, ctx);
      else spread(state, port, id, ctx);
    },
  },

  invariants: {
    node: {
      'wave-never-weakens': {
        statement: 'A node leaves its wave only for a stronger one',
        holds: ({ state, before }) => state.wave >= before.wave,
      },
    },
    network: {
      'parents-form-trees': {
        statement: 'Following parents never leads to a weaker wave and ends at an initiator in its own wave',
        holds: ({ nodes }) =>
          nodes.every((node) => {
            let here = node;
            for (let hop = 0; here.state.parent !== NONE; hop++) {
              const parent = nodes[here.neighbour(here.state.parent)];
              if (hop === nodes.length || parent.state.wave < here.state.wave) return false;
              here = parent;
            }
            return here.state.wave === NONE || here.state.wave === here.id;
          }),
      },
    },
  },

  // The runs of four nodes on a complete network take minutes.
  checking: { small: { nodes: 3 } },
  laws: [
    exact('election', '2m', [oneInitiates], ({ m }) => 2 * m),
    exact({ messages: 'echo' }, 'n−1', [oneInitiates], ({ n }) => n - 1),
    bound('election', 'k·2m', ({ k, m }) => k * 2 * m),
    exact('announcement', 'n−1', 'announce=tree', ({ n, params }) =>
      params.announce === 'tree' ? n - 1 : undefined,
    ),
    exact('announcement', '2m', 'announce=echo', ({ m, params }) =>
      params.announce === 'echo' ? 2 * m : undefined,
    ),
  ],
});

/** Counts a message of the current wave. The wave is complete at this node when all neighbours have sent one. */
function receive(state: State, ctx: Ctx): void {
  if (!receiveWave(state, ctx.degree)) return;
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

/** The first wave has completed at every node before `elected` arrives, so the second reuses `parent` and `heard`. */
function spread(state: State, port: number, leader: number, ctx: Ctx): void {
  if (leader === ctx.id) return; // R7: returned
  if (state.heard === 0) {
    ctx.decide('follower', leader);
    state.parent = port;
    forwardToOthers(port, ctx);
  }
  state.heard++;
  if (state.heard === ctx.degree) ctx.forward(state.parent);
}
