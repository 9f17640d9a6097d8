/**
 * Divided(d): M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and novel schemes.
 * Third International Conference on Convergence and Hybrid Information Technology, 2008, section 6.
 *
 * Model: a ring of n nodes, u^d of them points. The informer, a helper process at position n that is not a candidate,
 * is linked to u points, and each point to the points of its own part (informer-tree.ts). Unique ids; FIFO links; all nodes
 * know n and their place; crash-recovery of nodes and informer; bounded delay: a round trip takes at most the
 * timeout. The nodes that detect the crash of the coordinator initiate.
 * Wins: the largest live id.
 * Costs, no crash, one detector a hops before a point that is c links away from the informer, n/u^d ≥ 2d: 2n + 5u^d +
 * c + a messages, 2n + 3u^d of them from `divide` on. The announcement is complete at a + c + 2 + 3d + 2n/u^d, one
 * unit earlier for u = 2 and d > 1. With the informer crashed: 2n messages and u^d lost ones, and the announcement
 * has returned at 2n.
 *
 * Guarantees at most one leader in each term, under any message losses, crashes and recoveries. Guarantees that all
 * live nodes eventually agree on one leader, once crashes and losses have stopped, if some node detects the crash of
 * every coordinator. An election that does not complete in time is started again, so an election may take long. A
 * node with links to only some of the nodes ahead (parameter successors) cannot forward messages while all of these
 * are crashed: one of them must be alive in the end.
 * Does not detect the crash of the coordinator: a failure detector does that.
 *
 * R1  A node that detects the crash of the coordinator sends a token around the ring. A node that receives it
 *     replaces the id in it by its own if that is larger, and forwards it.
 * R2  A point that detects the crash of the coordinator, or that receives the token, sends `crash` up to the
 *     informer.
 * R3  The informer sends `election` to all its points.
 * R4  A point that receives `election` knows of the division. It sends `reply` up, and `election` down to its own
 *     points.
 * R5  When all points have replied or were found crashed, the informer sends `divide` to those that replied. Each
 *     point that receives `divide` does the same with its own points.
 * R6  A point that receives `divide` sends a token into its part, unless it has already sent one there.
 * R7  A point that knows of the division discards every token that reaches it, and keeps the largest id. It sends
 *     this id up as `information` when it has received `divide`, the token that has passed the whole part before it,
 *     and `information` from all points below it.
 * R8  When the informer has received `information` from all its points, it sends `coordinator` with the largest id
 *     down to them.
 * R9  Each point sends `coordinator` down and into its part. The next point that knows of the division discards it.
 * R10 If the informer has crashed, no point discards the token. When the token returns, its sender knows the largest
 *     id and sends `coordinator` around the ring.
 *
 * The paper requires replies from more than one point. Here one is enough: its part is then the whole ring. The
 * following rules handle crashes and several detectors, which the paper does not discuss:
 *
 * R11 Each election has a term that only its caller uses; if it ends by R10, it ends in the next term, which is its
 *     caller's too. A node leaves an older election for a newer one and ignores messages of older terms. If it
 *     receives a token of an older term and is not in an election, it starts a new election, because the sender has
 *     missed the newer term.
 * R12 A message that finds a successor on the ring crashed is sent to the next one, which the node remembers for this
 *     election.
 * R13 A node starts a new election if it receives no announcement in time, if its own announcement has not returned
 *     by then, or if it has recovered. So does a node that has found the announced coordinator crashed, and a node
 *     that is larger than the announced coordinator: if points have crashed, the token that a point accepted for its
 *     whole part may have started inside that part.
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
  NONE,
  portSet,
} from '../../kernel/index.ts';
import { ownTermFrom, termPhase } from '../terms.ts';
import { dividedLaws } from './nested/divided-cost.ts';
import { withInformerTree } from './nested/informer-tree.ts';
import { checkDivision, crashedAhead, isFoundDead, nestedLinks, ringParams } from './nested/nested-rings.ts';

const UP = 0;

const assumes = {
  network: 'ring',
  timing: 'bounded-delay',
  ids: 'unique',
  fifo: true,
  knows: ['n', 'neighbours'],
  faults: ['crash', 'recover', 'loss'],
} as const;

const state = {
  /** The largest term seen. */
  term: counter(MAX_WORD, { durable: true }),
  phase: choice(['idle', 'in an election', 'decided']),
  /** Its own token is in flight. */
  detector: flag(),
  /** It has sent `crash`. */
  told: flag(),
  /** It knows of the division. */
  aware: flag(),
  /** Points below that have replied, and the number that have replied or were found crashed. */
  replied: portSet(),
  answered: counter(({ n }) => n),
  divided: flag(),
  /** It has sent a token into its part; the token of the part before it has arrived. */
  sent: flag(),
  received: flag(),
  /** Points below that have sent `information`. */
  informed: portSet(),
  given: flag(),
  biggest: id(),
  /** Ports to successors found crashed in this election. */
  dead: portSet(),
};

const term = ['term', counter(MAX_WORD)] as const;
const biggest = ['biggest', id()] as const;

const messages = {
  /** origin: started between two points and at no point yet; started by a detector, past a point; started by `divide`. */
  token: message(term, biggest, ['origin', choice(['detector', 'point', 'divide'])]),
  crash: message(term),
  election: message(term),
  reply: message(term),
  divide: message(term),
  information: message(term, biggest),
  coordinator: announcement(term, biggest),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof ringParams, 'patience'>;

/** Divided: a ring that an informer divides among points. */
export const divided = defineAlgorithm({
  name: 'divided',
  title: 'Divided ring',
  source: 'Shirali, Haghighat Toroghi, Vojdani 2008',
  cost: '2n + 5u^d',
  assumes,
  trigger: 'coordinator missed',
  params: ringParams,
  state,
  messages,
  phase: termPhase,
  termField: 'term',
  timers: ['patience'],

  overlay(n, params) {
    checkDivision('divided', n, params.u, params.depth);
    return withInformerTree(nestedLinks(n, params, 1), params);
  },
  crashLimit: (n, params, dead) => crashedAhead('divided', n, params, 1, dead),

  onStart(state, ctx) {
    callNewTerm(state, ctx); // R1
  },

  onRestart(state, ctx) {
    if (!isInformer(ctx)) callNewTerm(state, ctx); // R13
  },

  on: {
    token(state, _port, { term, biggest, origin }, ctx) {
      if (term < state.term) {
        if (state.phase === 'decided' && origin !== 'divide') callNewTerm(state, ctx); // R11
        return;
      }
      enter(state, term, ctx);
      if (biggest > state.biggest) state.biggest = biggest;
      if (state.detector && !state.aware && origin !== 'divide') {
        enter(state, term + 1, ctx); // R10, R11
        ctx.send(successor(state, ctx), 'coordinator', state.term, Math.max(biggest, ctx.id));
        conclude(state, Math.max(biggest, ctx.id), ctx);
        state.detector = true;
        ctx.setTimer('patience', patience(ctx)); // R13
      } else if (treePorts(ctx) === 0) {
        ctx.send(successor(state, ctx), 'token', term, Math.max(biggest, ctx.id), origin); // R1
      } else {
        if (origin !== 'detector') state.received = true;
        if (!state.aware) {
          reportCrash(state, ctx); // R2
          const onward = origin === 'detector' ? 'point' : origin;
          if (!state.sent) ctx.send(successor(state, ctx), 'token', term, Math.max(biggest, ctx.id), onward);
          state.sent = true;
        }
        sendResult(state, ctx); // R7
      }
    },

    crash(state, _port, { term }, ctx) {
      if (term < state.term) return; // R11
      if (!isInformer(ctx)) {
        enter(state, term, ctx);
        reportCrash(state, ctx); // R2
      } else if (term > state.term) {
        enter(state, term, ctx);
        state.aware = true;
        sendDown(ctx, (port) => ctx.send(port, 'election', term)); // R3
      }
    },

    election(state, _port, { term }, ctx) {
      if (term < state.term) return; // R11
      enter(state, term, ctx);
      state.aware = true;
      ctx.send(UP, 'reply', term); // R4
      sendDown(ctx, (port) => ctx.send(port, 'election', term));
    },

    reply(state, port, { term }, ctx) {
      if (term !== state.term) return; // R11
      state.replied.add(port);
      answer(state, ctx);
    },

    divide(state, _port, { term }, ctx) {
      if (term !== state.term) return; // R11
      state.divided = true;
      if (!state.sent) ctx.send(successor(state, ctx), 'token', term, ctx.id, 'divide'); // R6
      state.sent = true;
      if (state.answered === pointsBelow(ctx)) divideBelow(state, ctx);
    },

    information(state, port, { term, biggest }, ctx) {
      if (term !== state.term) return; // R11
      state.informed.add(port);
      if (biggest > state.biggest) state.biggest = biggest;
      sendResult(state, ctx);
    },

    coordinator(state, port, { term, biggest }, ctx) {
      if (term < state.term) return; // R11
      enter(state, term, ctx);
      const isFromAbove = port < treePorts(ctx);
      if (state.phase === 'decided' && state.detector) ctx.clearTimer('patience'); // R10
      if (state.phase === 'decided' || (state.aware && !isFromAbove)) return; // R9, R10
      for (const point of state.replied) ctx.forward(point); // R9
      ctx.forward(successor(state, ctx));
      conclude(state, biggest, ctx);
    },
  },

  onUndelivered(state, port, message, ctx) {
    if (message.term < state.term) return; // R11
    if (message.type === 'election') answer(state, ctx); // R5
    if (port < treePorts(ctx)) return;
    state.dead.add(port);
    ctx.forward(successor(state, ctx)); // R12
    if (message.type === 'coordinator' && ctx.neighbour(port) === message.biggest) callNewTerm(state, ctx); // R13
  },

  onTimer(state, _timer, ctx) {
    callNewTerm(state, ctx); // R13
  },

  laws: dividedLaws,
});

function isInformer({ id }: Ctx): boolean {
  return id === NONE;
}

/** The number of ports of the tree; the others are those of the ring. */
function treePorts({ degree, id, n, params }: Ctx): number {
  return id === NONE ? degree : degree - 2 * Math.min(params.successors, n);
}

function pointsBelow(ctx: Ctx): number {
  return isInformer(ctx) ? ctx.degree : Math.max(0, treePorts(ctx) - 1);
}

function sendDown(ctx: Ctx, send: (port: number) => void): void {
  for (let port = treePorts(ctx) - pointsBelow(ctx); port < treePorts(ctx); port++) send(port);
}

function successor({ dead }: State, ctx: Ctx): number {
  const first = treePorts(ctx) + 1;
  for (let port = first; port < ctx.degree; port += 2) if (!dead.has(port)) return port;
  return first;
}

function callNewTerm(state: State, ctx: Ctx): void {
  const place = (Number(ctx.label(treePorts(ctx)).split(' ')[1]) + 1) % ctx.n;
  enter(state, ownTermFrom(state.term + 1, 2 * place, 2 * ctx.n), ctx); // R11
  state.detector = true;
  const isPoint = treePorts(ctx) > 0;
  ctx.send(successor(state, ctx), 'token', state.term, ctx.id, isPoint ? 'point' : 'detector'); // R1
  if (!isPoint) return;
  state.sent = true;
  reportCrash(state, ctx); // R2
}

/** Leaves the current election for that of a newer term. */
function enter(state: State, term: number, ctx: Ctx): void {
  if (term === state.term) return;
  state.term = term;
  state.phase = 'in an election';
  state.detector = false;
  state.told = false;
  state.aware = false;
  state.replied.clear();
  state.answered = 0;
  state.divided = false;
  state.sent = false;
  state.received = false;
  state.informed.clear();
  state.given = false;
  state.biggest = ctx.id;
  state.dead.clear();
  if (!isInformer(ctx)) ctx.setTimer('patience', patience(ctx));
}

/**
 * The token, the tokens of the parts and the announcement each pass at most n nodes, and each node, live or crashed,
 * takes at most one timeout. The tree is traversed six times.
 */
function patience({ n, params }: Ctx): number {
  return (3 * n + 6 * params.depth + 1) * params.timeout;
}

function reportCrash(state: State, ctx: Ctx): void {
  if (!state.told) ctx.send(UP, 'crash', state.term);
  state.told = true;
}

/** One more point below has replied or was found crashed. */
function answer(state: State, ctx: Ctx): void {
  state.answered++;
  if (state.answered < pointsBelow(ctx)) return;
  if (isInformer(ctx)) state.divided = true; // R5
  if (state.divided) divideBelow(state, ctx);
}

function divideBelow(state: State, ctx: Ctx): void {
  for (const point of state.replied) ctx.send(point, 'divide', state.term); // R5
  sendResult(state, ctx);
}

/** Sends the result when a point, or the informer, has received all that it waits for. */
function sendResult(state: State, ctx: Ctx): void {
  const hasAll = state.answered === pointsBelow(ctx) && state.informed.size === state.replied.size;
  if (!state.divided || !hasAll || state.given) return;
  if (isInformer(ctx)) {
    state.given = true;
    for (const point of state.replied) ctx.send(point, 'coordinator', state.term, state.biggest); // R8
  } else if (state.received) {
    state.given = true;
    ctx.send(UP, 'information', state.term, state.biggest); // R7
  }
}

function conclude(state: State, leader: number, ctx: Ctx): void {
  state.phase = 'decided';
  ctx.clearTimer('patience');
  ctx.decide(leader === ctx.id ? 'leader' : 'follower', leader, state.term);
  if (leader < ctx.id || isFoundDead(leader, state.dead, ctx)) callNewTerm(state, ctx); // R13
}
