/**
 * Flooding the maximum, in R. Karnapke: Election Algorithms, lecture notes, 2015, which leave open how termination is
 * discovered; here each wave is a diffusing computation of Edsger W. Dijkstra and C. S. Scholten: Termination
 * detection for diffusing computations, Information Processing Letters 11(1), 1980. With a known diameter and in
 * rounds: flood-max-rounds.
 *
 * Model: connected graph, FIFO links, unique ids, asynchronous; nobody knows n. Any non-empty set initiates.
 * Wins: the largest id among the initiators.
 * Costs: as many signals as floods, in every schedule: 2m−n+1 of each for one initiator, at most k(2m−n+1) for k; then
 * 2m−n+1 to announce. In lockstep the winner knows by 2D+2, and the last node D later.
 *
 * Guarantees exactly one leader, known to all, in every FIFO schedule.
 * Does not tolerate crash, loss or duplication: one signal less and nobody ever leads. Nor messages that overtake: a
 * wave that ended against a stronger one would hear of its end before it heard of that wave, and two would lead.
 *
 * R1  An initiator floods its id: it sends it to all neighbours, and waits for as many signals.
 * R2  Whom a larger id than its M reaches takes it for its M and the sender for its parent, sends it on to all other
 *     neighbours, and waits for as many signals.
 * R3  Every flood is answered with one signal. One that brings nothing larger is answered at once.
 * R4  That of the parent is answered when all signals have come that the node waits for, or when it leaves the wave for
 *     a stronger one: it has then sent the larger id that way, or got it from there, so that the parent leaves the wave
 *     before it gets the signal. What comes for a wave that one has left is swallowed.
 * R5  The initiator that has all signals of its own wave, and is still in it, has won, and floods word of it: who hears
 *     it first passes it on to all other neighbours.
 *
 * Why no other wins: a signal that counts for p's wave was sent by a node that was in it then, for a larger M would have
 * come first. So if all signals of the wave count, all neighbours of its nodes have been in it, and thus all nodes. But
 * an initiator with an id larger than p never is.
 */
import {
  announcement,
  type Context,
  counter,
  defineAlgorithm,
  flag,
  id,
  type Law,
  message,
  NONE,
  port,
  type RunFacts,
  type View,
} from '../../kernel/index.ts';
import { forwardToOthers } from './neighbours.ts';

const assumes = { network: 'connected', timing: 'asynchronous', ids: 'unique', fifo: true } as const;

const state = {
  M: id(),
  /** In the tree of the wave; NONE at its root. */
  parent: port(),
  /** Signals awaited. */
  deficit: counter(({ n }) => n - 1),
  knows: flag(),
};

const messages = {
  flood: message(['id', id()]),
  signal: message(['id', id()]),
  elected: announcement(['id', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, Record<never, never>, never>;

export const floodMax = defineAlgorithm({
  name: 'flood-max',
  title: 'Flooding the maximum, with Dijkstra–Scholten',
  source: 'Dijkstra, Scholten 1980',
  cost: '2k(2m−n+1) worst',
  assumes,
  params: {},
  state,
  messages,

  onStart(state, ctx) {
    state.M = ctx.id;
    state.deficit = ctx.degree;
    for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'flood', ctx.id); // R1
    if (ctx.degree === 0) ctx.decide('leader');
  },

  on: {
    flood(state, port, { id }, ctx) {
      if (id <= state.M) {
        ctx.send(port, 'signal', id); // R3
        return;
      }
      const { M, parent, deficit } = state;
      state.M = id; // R2
      state.parent = port;
      state.deficit = ctx.degree - 1;
      forwardToOthers(port, ctx);
      if (deficit > 0 && parent !== NONE) ctx.send(parent, 'signal', M); // R4: leaves, and behind the larger id
      if (state.deficit === 0) ctx.send(port, 'signal', id); // R4
    },

    signal(state, _port, { id }, ctx) {
      if (id !== state.M) return; // R4
      state.deficit--;
      if (state.deficit > 0) return;
      if (state.parent === NONE)
        win(state, ctx); // R5
      else ctx.send(state.parent, 'signal', id); // R4
    },

    elected(state, port, { id }, ctx) {
      if (state.knows) return;
      state.knows = true;
      ctx.decide('follower', id);
      forwardToOthers(port, ctx); // R5
    },
  },

  laws: [
    ...(['flood', 'signal'] as const).flatMap((type): Law[] => [
      {
        measure: { messages: type },
        kind: 'exact',
        formula: '2m−n+1',
        when: 'one node initiates',
        value: (run) => (run.k === 1 ? once(run) : undefined),
      },
      {
        measure: { messages: type },
        kind: 'bound',
        formula: 'k(2m−n+1)',
        value: (run) => run.k * once(run),
      },
    ]),
    { measure: 'announcement', kind: 'exact', formula: '2m−n+1', value: once },
    {
      measure: 'electedAt',
      kind: 'bound',
      formula: '2D+2',
      when: 'in lockstep, all initiators wake at 0',
      value: (run) => (run.lockstep && run.smooth && run.D !== null ? 2 * run.D + 2 : undefined),
    },
    {
      measure: 'agreedAt',
      kind: 'bound',
      formula: '3D+2',
      when: 'in lockstep, all initiators wake at 0',
      value: (run) => (run.lockstep && run.smooth && run.D !== null ? 3 * run.D + 2 : undefined),
    },
  ],
});

/** What goes once to all nodes costs: every node but the first sends to all neighbours but one. */
function once({ n, m }: RunFacts): number {
  return 2 * m - n + 1;
}

function win(state: State, ctx: Ctx): void {
  state.knows = true;
  ctx.decide('leader');
  for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'elected', ctx.id);
}
