/**
 * Sun(d): M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and novel schemes. Third
 * International Conference on Convergence and Hybrid Information Technology, 2008, sections 4 and 5.
 *
 * Model: a ring of n nodes with d further rings inside it. Ring i joins the multiples of u^(i−1), so ring 1 is the
 * outermost and ring r = d+1 the innermost. Unique ids; FIFO links; all nodes know n and their place; crash-recovery;
 * bounded delay: a round trip takes at most the timeout. The nodes that detect the crash of the coordinator initiate.
 * Wins: the largest live id.
 * Costs, no crash, one detector on ring r, L_i = n/u^(i−1): ΣL_i + L_2 messages, then ΣL_i for the announcement. The
 * informer decides at 2L_r + d(u−1), and the announcement has returned at 3L_r + 2d(u−1). A detector that is a hops
 * away from ring r takes a more messages and a more units.
 *
 * Guarantees at most one leader in each term, under any message losses, crashes and recoveries. Guarantees that all
 * live nodes eventually agree on one leader, once crashes and losses have stopped, if some node detects the crash of
 * every coordinator. An election that does not complete in time is started again, so an election may take long. A
 * node with links to only some of the nodes ahead (parameter successors) cannot forward messages while all of these
 * are crashed: one of them must be alive in the end.
 * Does not detect the crash of the coordinator: a failure detector does that.
 *
 * R1  A node that detects the crash of the coordinator starts an election. It sends `call` along its innermost ring.
 *     Each node forwards the call along its own innermost ring, until it reaches a node on ring r. That node is the
 *     informer.
 * R2  The informer sends `election` along every ring that it is on. A node that receives it on its innermost ring
 *     replaces the id in it by its own if that is larger, forwards it, and starts another `election` on each of its
 *     outer rings.
 * R3  A node that receives `election` on a ring other than its innermost discards it and keeps the largest id seen.
 * R4  Gather: a node that is on ring 2 or further in, but not on ring r, waits until `election` has arrived on all of
 *     its outer rings and the gather of the previous node on its own ring has arrived. It then sends the largest id
 *     along its own ring as `gather`.
 * R5  The informer sends `M-coordinator` along ring r when its own `election` has returned on ring r and all of its
 *     outer rings have completed.
 * R6  A node of ring r whose outer rings have all completed replaces the id in `M-coordinator` by its largest if that
 *     is larger, and forwards it.
 * R7  When `M-coordinator` returns, the informer knows the largest id of all and sends `coordinator` along the rings
 *     as in R2 and R3.
 *
 * The paper does not have R4. It counts L_r messages where this algorithm needs L_2. The two are equal for d = 1.
 * From d = 2 on, the paper's version ignores the results that arrive at nodes of the intermediate rings. The
 * following rules handle crashes and several detectors. About crashes the paper says only that a node that does not
 * reply is skipped. For several detectors the paper lets the largest informer win; here the largest term wins.
 *
 * R8  Each election has a term that only its caller uses. A node leaves an older election for a newer one and ignores
 *     messages of older terms. If it receives a call of an older term and is not in an election, it starts a new
 *     election, because the caller has missed the newer term.
 * R9  A message that finds a successor crashed is sent to the next one, which the node remembers for this election.
 *     If that successor had received `election`, but not the gather or M-coordinator that follows, the results it had
 *     collected are lost, and a new election is started.
 * R10 If a call reaches a node for the second time, no live node is further in. This node becomes the informer, and
 *     its innermost ring takes the place of ring r.
 * R11 A node that receives no announcement in time, or that has recovered, starts a new election. So does a node that
 *     has found the announced coordinator crashed.
 */
import type { Context, View } from '../../kernel/index.ts';
import {
  announcement,
  choice,
  counter,
  defineAlgorithm,
  flag,
  id,
  MAX_WORD,
  message,
  portSet,
} from '../../kernel/index.ts';
import { ownTermFrom, termPhase } from '../terms.ts';
import {
  checkDivision,
  crashedAhead,
  innermost,
  isFoundDead,
  nestedRings,
  placeOf,
  ringOf,
  ringParams,
  successor,
} from './nested/nested-rings.ts';
import { sunLaws } from './nested/sun-cost.ts';

const assumes = {
  network: 'ring',
  timing: 'bounded-delay',
  ids: 'unique',
  fifo: true,
  knows: ['n', 'neighbours'],
  faults: ['crash', 'recover', 'loss'],
} as const;

const MAX_RINGS = 21;
const ALL_RINGS = 2 ** (MAX_RINGS + 1) - 1;

const state = {
  /** The largest term seen. */
  term: counter(MAX_WORD, { durable: true }),
  phase: choice(['idle', 'called', 'awaits election', 'awaits the rings below', 'passed on', 'decided']),
  informer: flag(),
  /** The innermost ring of the informer. */
  last: counter(MAX_RINGS),
  /** One bit per ring: `election` has arrived on it, a gather will follow on it, and that gather has arrived. */
  ended: counter(ALL_RINGS),
  owed: counter(ALL_RINGS),
  gathered: counter(ALL_RINGS),
  /** M-coordinator has arrived and waits until this node can forward it. */
  asked: flag(),
  biggest: id(),
  /** Ports to successors found crashed in this election. */
  dead: portSet(),
};

const term = ['term', counter(MAX_WORD)] as const;
const last = ['last', counter(MAX_RINGS)] as const;
const biggest = ['biggest', id()] as const;

const messages = {
  call: message(term),
  /** gathers: its sender will send a gather later. */
  election: message(term, last, biggest, ['gathers', flag()]),
  gather: message(term, biggest),
  'M-coordinator': message(term, biggest),
  coordinator: announcement(term, last, biggest),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof ringParams, 'patience'>;

/** Sun: a ring with rings inside it. */
export const sun = defineAlgorithm({
  name: 'sun',
  title: 'Sun',
  source: 'Shirali, Haghighat Toroghi, Vojdani 2008',
  cost: '2n + O(n/u)',
  assumes,
  trigger: 'coordinator missed',
  params: ringParams,
  state,
  messages,
  phase: termPhase,
  termField: 'term',
  timers: ['patience'],

  overlay(n, params) {
    checkDivision('sun', n, params.u, params.depth);
    return nestedRings(n, params, params.depth + 1);
  },

  crashLimit: (n, params, dead) => crashedAhead('sun', n, params, params.depth + 1, dead),

  onStart(state, ctx) {
    callNewTerm(state, ctx); // R1
  },

  onRestart(state, ctx) {
    callNewTerm(state, ctx); // R11
  },

  on: {
    call(state, _port, { term }, ctx) {
      if (term < state.term) {
        if (state.phase === 'decided') callNewTerm(state, ctx); // R8
      } else if (term > state.term) {
        enter(state, term, ctx);
        call(state, ctx); // R1
      } else if (state.phase === 'called') {
        becomeInformer(state, ctx); // R10
      }
    },

    election(state, port, { term, last, biggest, gathers }, ctx) {
      if (term < state.term) return; // R8
      enter(state, term, ctx);
      state.last = last;
      state.biggest = Math.max(state.biggest, biggest);
      const ring = ringOf(port, ctx);
      if (gathers) state.owed |= 1 << ring;
      if (ring < levelOf(state, ctx)) {
        state.ended |= 1 << ring; // R3
      } else if (state.phase === 'called' || state.phase === 'awaits election') {
        state.phase = 'awaits the rings below';
        if (!state.informer) sendElection(state, Math.max(biggest, ctx.id), ctx); // R2
      }
      sendResult(state, ctx);
    },

    gather(state, port, { term, biggest }, ctx) {
      if (term !== state.term) return; // R8
      state.gathered |= 1 << ringOf(port, ctx);
      state.biggest = Math.max(state.biggest, biggest);
      sendResult(state, ctx);
    },

    'M-coordinator'(state, _port, { term, biggest }, ctx) {
      if (term !== state.term) return; // R8
      state.biggest = Math.max(state.biggest, biggest);
      if (state.informer) {
        for (let ring = state.last; ring >= 1; ring--) {
          ctx.send(successor(ring, state.dead, ctx), 'coordinator', term, state.last, state.biggest);
        }
        conclude(state, state.biggest, ctx); // R7
      } else {
        state.asked = true;
        sendResult(state, ctx);
      }
    },

    coordinator(state, port, { term, last, biggest }, ctx) {
      if (term < state.term) return; // R8
      enter(state, term, ctx);
      state.last = last;
      const level = levelOf(state, ctx);
      if (ringOf(port, ctx) < level || state.phase === 'decided') return; // R3, R7
      for (let ring = level; ring >= 1; ring--) ctx.forward(successor(ring, state.dead, ctx)); // R2
      conclude(state, biggest, ctx);
    },
  },

  onUndelivered(state, port, message, ctx) {
    if (message.term < state.term) return; // R8
    const endedThere = message.type === 'gather' || message.type === 'M-coordinator';
    const gotElection = endedThere && !state.dead.has(port);
    state.dead.add(port);
    if (gotElection)
      callNewTerm(state, ctx); // R9
    else ctx.forward(successor(ringOf(port, ctx), state.dead, ctx)); // R9
  },

  onTimer(state, _timer, ctx) {
    callNewTerm(state, ctx); // R11
  },

  laws: sunLaws,
});

function callNewTerm(state: State, ctx: Ctx): void {
  enter(state, ownTermFrom(state.term + 1, placeOf(ctx), ctx.n), ctx); // R8
  call(state, ctx);
}

/** Leaves the current election for that of a newer term. */
function enter(state: State, term: number, ctx: Ctx): void {
  if (term === state.term) return;
  state.term = term;
  state.phase = 'awaits election';
  state.informer = false;
  state.ended = 0;
  state.owed = 0;
  state.gathered = 0;
  state.asked = false;
  state.biggest = ctx.id;
  state.dead.clear();
  ctx.setTimer('patience', patience(ctx));
}

/**
 * Call, election, gather, M-coordinator and coordinator follow one another. Each passes at most n nodes, and each node,
 * live or crashed, takes at most one timeout.
 */
function patience({ n, params }: Ctx): number {
  return 5 * n * params.timeout;
}

function call(state: State, ctx: Ctx): void {
  const ring = innermost(ctx);
  if (ring > ctx.params.depth) {
    becomeInformer(state, ctx); // R1
  } else {
    state.phase = 'called';
    ctx.send(successor(ring, state.dead, ctx), 'call', state.term);
  }
}

function becomeInformer(state: State, ctx: Ctx): void {
  state.informer = true;
  state.phase = 'awaits election';
  state.last = innermost(ctx);
  sendElection(state, ctx.id, ctx); // R2
}

/** The innermost ring of this node that the election uses. */
function levelOf({ last }: State, ctx: Ctx): number {
  return Math.min(innermost(ctx), last);
}

function sendElection(state: State, biggest: number, ctx: Ctx): void {
  const { dead, last, term } = state;
  const level = levelOf(state, ctx);
  ctx.send(successor(level, dead, ctx), 'election', term, last, biggest, gathers(level, last));
  for (let ring = level - 1; ring >= 1; ring--) {
    ctx.send(successor(ring, dead, ctx), 'election', term, last, ctx.id, false);
  }
}

/** Whether a node gathers: it is on a ring between the first and the last. */
function gathers(level: number, last: number): boolean {
  return 1 < level && level < last; // R4
}

/** Sends the collected result when all rings that end at this node have completed. */
function sendResult(state: State, ctx: Ctx): void {
  const level = levelOf(state, ctx);
  const below = 2 ** level - 2;
  if (state.phase !== 'awaits the rings below') return;
  if ((state.ended & below) !== below || (state.owed & ~state.gathered) !== 0) return;
  if (level < state.last) {
    state.phase = 'passed on';
    if (gathers(level, state.last)) {
      ctx.send(successor(level, state.dead, ctx), 'gather', state.term, state.biggest); // R4
    }
  } else if (state.informer || state.asked) {
    state.phase = 'passed on';
    ctx.send(successor(level, state.dead, ctx), 'M-coordinator', state.term, state.biggest); // R5, R6
  }
}

function conclude(state: State, leader: number, ctx: Ctx): void {
  state.phase = 'decided';
  ctx.clearTimer('patience');
  ctx.decide(leader === ctx.id ? 'leader' : 'follower', leader, state.term);
  if (isFoundDead(leader, state.dead, ctx)) callNewTerm(state, ctx); // R11
}
