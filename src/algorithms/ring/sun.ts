/**
 * Sun(d): M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and novel schemes. Third
 * International Conference on Convergence and Hybrid Information Technology, 2008, sections 4 and 5.
 *
 * Model: a ring of n nodes, and inside it d further rings: ring i joins the multiples of u^(i−1), so that ring r = d+1
 * is the innermost. Unique ids, FIFO links, nodes that know n and their place, crash and recover; a round trip is over
 * within the time-out. Those that find the coordinator dead initiate.
 * Wins: the largest live id.
 * Costs, all live, one detector on ring r, with L_i = n/u^(i−1): ΣL_i + L_2 messages, then ΣL_i to announce; the
 * informer decides at 2L_r + d(u−1), and its word is home at 3L_r + 2d(u−1). A detector elsewhere is a hops away from
 * ring r: a messages and a units more.
 *
 * Guarantees one leader in each term whatever is lost and whoever crashes and recovers whenever; and in the end, once
 * crashes and losses are over, one leader known to all live nodes, if somebody was told of a coordinator that died in
 * office. What does not end in time is called again, so that an election may take long. A node that has links to only
 * some of the nodes ahead (successors) can pass on nothing while all of them are dead.
 * Does not watch the coordinator: that is a failure detector's work.
 *
 * R1  Who finds the coordinator dead calls an election. The call goes along the innermost ring of each node that it
 *     comes to, until it comes to one on ring r: that is the informer.
 * R2  The informer wheels `election` on every ring that it is on. A node that it reaches on the last of its own rings puts
 *     in its id if it is larger, passes it on there, and starts one on each ring below.
 * R3  A node that is also further in kills what comes on the rings below, and keeps the best of it.
 * R4  Gather: a node that is on more than the first ring and not on ring r waits until all rings below have ended at it,
 *     and passes the best of them along its own ring, as its neighbour did before it.
 * R5  The informer sends `M-coordinator` along ring r when what it wheeled there has come home, and so has the last of
 *     what ended at it from below.
 * R6  A node of ring r, when all rings below have ended at it, puts in its best and passes it on.
 * R7  When it comes home the informer knows the largest id of all and wheels `coordinator`, as in R2 and R3.
 *
 * The paper has no R4. Its count, L_r messages where these are L_2, is the same for d = 1; from d = 2 on it leaves
 * unread what ends at the nodes between. What follows is for crashes, on which the paper says only that a node without
 * reply is passed over, and for several detectors, whose terms take the place of the paper's largest informer:
 *
 * R8  An election has a term of its caller's own. A node leaves an older election for a newer one and heeds nothing of
 *     an older; a call of an older term, which comes from a node that has missed the newer, it calls again in its own
 *     name, unless it is in an election.
 * R9  What finds a successor dead goes to the next after it, which a node remembers for this election. But if the
 *     election had come to that successor, and a gather or M-coordinator did not, it died with what had ended at it:
 *     a new election is called.
 * R10 A call that comes to a node for the second time has found no node alive further in: this one is the informer,
 *     and its innermost ring the last.
 * R11 Who hears of no coordinator in time, or has recovered, calls a new election. So does a node before a coordinator
 *     that has died meanwhile.
 */
import {
  announcement,
  type Context,
  choice,
  counter,
  defineAlgorithm,
  flag,
  id,
  MAX_WORD,
  message,
  portSet,
  type View,
} from '../../kernel/index.ts';
import {
  checkDivision,
  innermost,
  isFoundDead,
  nestedRings,
  placeOf,
  ringOf,
  ringParams,
  successor,
} from './nested-rings.ts';
import { ownTermFrom } from './own-terms.ts';
import { sunLaws } from './sun-cost.ts';

const assumes = {
  network: 'ring',
  timing: 'bounded-delay',
  ids: 'unique',
  fifo: true,
  knows: ['n', 'neighbours'],
  faults: ['crash', 'recover', 'loss'],
} as const;

const MOST_RINGS = 21;
const ALL_RINGS = 2 ** (MOST_RINGS + 1) - 1;

const state = {
  /** The largest seen. */
  term: counter(MAX_WORD, { durable: true }),
  phase: choice(['idle', 'called', 'awaits election', 'awaits the rings below', 'passed on', 'decided']),
  informer: flag(),
  /** The innermost ring of the informer. */
  last: counter(MOST_RINGS),
  /** One bit a ring: those that have ended here, those whose gather is to follow, and whose gather has come. */
  ended: counter(ALL_RINGS),
  owed: counter(ALL_RINGS),
  gathered: counter(ALL_RINGS),
  /** M-coordinator waits here. */
  asked: flag(),
  biggest: id(),
  /** Ports to successors that were found dead in this election. */
  dead: portSet(),
};

const term = ['term', counter(MAX_WORD)] as const;
const last = ['last', counter(MOST_RINGS)] as const;
const biggest = ['biggest', id()] as const;

const messages = {
  call: message(term),
  /** gathers: its sender will send a gather after it. */
  election: message(term, last, biggest, ['gathers', flag()]),
  gather: message(term, biggest),
  'M-coordinator': message(term, biggest),
  coordinator: announcement(term, last, biggest),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof ringParams, 'patience'>;

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
  timers: ['patience'],

  overlay(n, params) {
    checkDivision('sun', n, params.u, params.depth);
    return nestedRings(n, params, params.depth + 1);
  },

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
        inform(state, ctx); // R10
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
        if (!state.informer) wheel(state, Math.max(biggest, ctx.id), ctx); // R2
      }
      passOn(state, ctx);
    },

    gather(state, port, { term, biggest }, ctx) {
      if (term !== state.term) return; // R8
      state.gathered |= 1 << ringOf(port, ctx);
      state.biggest = Math.max(state.biggest, biggest);
      passOn(state, ctx);
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
        passOn(state, ctx);
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

/** Leaves what it was in for the election of a newer term. */
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
 * Call, election, gather, M-coordinator and coordinator one after the other each go round at most once, past at most n
 * nodes, of which none costs more than a time-out, dead or alive.
 */
function patience({ n, params }: Ctx): number {
  return 5 * n * params.timeout;
}

function call(state: State, ctx: Ctx): void {
  const ring = innermost(ctx);
  if (ring > ctx.params.depth) {
    inform(state, ctx); // R1
  } else {
    state.phase = 'called';
    ctx.send(successor(ring, state.dead, ctx), 'call', state.term);
  }
}

function inform(state: State, ctx: Ctx): void {
  state.informer = true;
  state.phase = 'awaits election';
  state.last = innermost(ctx);
  wheel(state, ctx.id, ctx); // R2
}

/** The innermost ring of this node that the election makes use of. */
function levelOf({ last }: State, ctx: Ctx): number {
  return Math.min(innermost(ctx), last);
}

function wheel(state: State, biggest: number, ctx: Ctx): void {
  const { dead, last, term } = state;
  const level = levelOf(state, ctx);
  const gathers = 1 < level && level < last;
  ctx.send(successor(level, dead, ctx), 'election', term, last, biggest, gathers);
  for (let ring = level - 1; ring >= 1; ring--) {
    ctx.send(successor(ring, dead, ctx), 'election', term, last, ctx.id, false);
  }
}

/** When all that ends at this node has ended. */
function passOn(state: State, ctx: Ctx): void {
  const level = levelOf(state, ctx);
  const below = 2 ** level - 2;
  if (state.phase !== 'awaits the rings below') return;
  if ((state.ended & below) !== below || (state.owed & ~state.gathered) !== 0) return;
  if (level < state.last) {
    state.phase = 'passed on';
    if (level > 1) ctx.send(successor(level, state.dead, ctx), 'gather', state.term, state.biggest); // R4
  } else if (state.informer || state.asked) {
    state.phase = 'passed on';
    ctx.send(successor(level, state.dead, ctx), 'M-coordinator', state.term, state.biggest); // R5, R6
  }
}

function conclude(state: State, leader: number, ctx: Ctx): void {
  state.phase = 'decided';
  ctx.clearTimer('patience');
  if (leader === ctx.id) ctx.decide('leader', leader, state.term);
  else ctx.decide('follower', leader, state.term);
  if (isFoundDead(leader, state.dead, ctx)) callNewTerm(state, ctx); // R11
}
