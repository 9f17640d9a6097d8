/**
 * Divided(d): M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and novel schemes.
 * Third International Conference on Convergence and Hybrid Information Technology, 2008, section 6.
 *
 * Model: a ring of n nodes, u^d of them points; an informer, a helper at position n that does not stand for election, is
 * linked to u points, and each point to those of its own part (points.ts). Unique ids, FIFO links, nodes that know n and
 * their place, crash and recover, as the informer may; a round trip is over within the time-out. Those that find the
 * coordinator dead initiate.
 * Wins: the largest live id.
 * Costs, all live, one detector a hops before a point that is c links away from the informer, n/u^d ≥ 2d: 2n + 5u^d + c
 * + a messages, 2n + 3u^d of them from `divide` on; home at a + c + 2 + 3d + 2n/u^d, one less for u = 2 and d > 1. With
 * the informer down: 2n messages and u^d in vain, home at 2n.
 *
 * Guarantees one leader in each term whatever is lost and whoever crashes and recovers whenever; and in the end, once
 * crashes and losses are over, one leader known to all live nodes, if somebody was told of a coordinator that died in
 * office. What does not end in time is called again, so that an election may take long. A node that has links to only
 * some of the nodes ahead (successors) can pass on nothing while all of them are dead.
 * Does not watch the coordinator: that is a failure detector's work.
 *
 * R1  Who finds the coordinator dead sends a token round the ring. A node puts in its id if it is larger.
 * R2  A point that finds the coordinator dead, or that the token reaches, sends `crash` up to the informer.
 * R3  The informer sends `election` down to all its points.
 * R4  Each point that gets it, and so knows of the division, sends a reply up, and `election` down to its own points.
 * R5  When all points have replied or are found dead, the informer sends `divide` to those that replied, and so does
 *     each point to its own once `divide` has come.
 * R6  A point that gets `divide` sends a token into its part, unless the part has had one.
 * R7  A point that knows of the division kills a token that comes to it. When `divide` has come, and a token with all
 *     of the part before it, and information from all points below, it gives information up: the best of them.
 * R8  When the informer has information of all its points it sends `coordinator` down, with the best.
 * R9  Each point passes it down and into its part, where it is killed at the next point that knows of the division.
 * R10 Where the informer is down nobody kills the token. When it is home again its sender knows the largest, and
 *     `coordinator` goes round the ring.
 *
 * The paper divides when more than one point has replied; here one will do, its part being the whole ring. What follows
 * is for crashes and for several detectors, of which the paper does not speak:
 *
 * R11 An election has a term of its caller's own; if it ends by R10, in the next, which is its caller's too. A node
 *     leaves an older election for a newer one and heeds nothing of an older; a token of an older term, whose sender
 *     has missed the newer, it answers with a new call of its own, unless it is in an election.
 * R12 What finds a successor on the ring dead goes to the next after it, which a node remembers for this election.
 * R13 Who hears of no coordinator in time, or has its own word not home by then, or has recovered, calls a new election. So does a node before a coordinator
 *     that has died meanwhile, and one that is larger than the coordinator: where points are dead, a token that a point
 *     took for all of the part before it may have been its end only.
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
  NONE,
  portSet,
  type View,
} from '../../kernel/index.ts';
import { dividedLaws } from './divided-cost.ts';
import { checkDivision, isFoundDead, nestedLinks, ringParams } from './nested-rings.ts';
import { ownTermFrom } from './own-terms.ts';
import { withPoints } from './points.ts';

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
  /** The largest seen. */
  term: counter(MAX_WORD, { durable: true }),
  phase: choice(['idle', 'in an election', 'decided']),
  /** Its own token is under way. */
  detector: flag(),
  /** It has sent `crash`. */
  told: flag(),
  /** It knows of the division. */
  aware: flag(),
  /** Points below that have replied, and how many have or are dead. */
  replied: portSet(),
  answered: counter(({ n }) => n),
  divided: flag(),
  /** Its part has had a token, and the part before it has come to its end here. */
  sent: flag(),
  received: flag(),
  /** Points below that have given information. */
  informed: portSet(),
  given: flag(),
  biggest: id(),
  /** Ports to successors that were found dead in this election. */
  dead: portSet(),
};

const term = ['term', counter(MAX_WORD)] as const;
const biggest = ['biggest', id()] as const;

const messages = {
  /** origin: it began between two points and has come to none yet; it is its sender's own, past a point; a division's. */
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
  timers: ['patience'],

  overlay(n, params) {
    checkDivision('divided', n, params.u, params.depth);
    return withPoints(nestedLinks(n, params, 1), params);
  },

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
          tell(state, ctx); // R2
          const onward = origin === 'detector' ? 'point' : origin;
          if (!state.sent) ctx.send(successor(state, ctx), 'token', term, Math.max(biggest, ctx.id), onward);
          state.sent = true;
        }
        give(state, ctx); // R7
      }
    },

    crash(state, _port, { term }, ctx) {
      if (term < state.term) return; // R11
      if (!isInformer(ctx)) {
        enter(state, term, ctx);
        tell(state, ctx); // R2
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
      give(state, ctx);
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

/** Ports that lead up and down; the others are on the ring. */
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
  tell(state, ctx); // R2
}

/** Leaves what it was in for the election of a newer term. */
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
 * Once round for a token, once for those of the parts and once for word of the coordinator, past n nodes of which none
 * costs more than a time-out, dead or alive; and six times the depth of the tree.
 */
function patience({ n, params }: Ctx): number {
  return (3 * n + 6 * params.depth + 1) * params.timeout;
}

function tell(state: State, ctx: Ctx): void {
  if (!state.told) ctx.send(UP, 'crash', state.term);
  state.told = true;
}

/** One more point below has replied or is dead. */
function answer(state: State, ctx: Ctx): void {
  state.answered++;
  if (state.answered < pointsBelow(ctx)) return;
  if (isInformer(ctx)) state.divided = true; // R5
  if (state.divided) divideBelow(state, ctx);
}

function divideBelow(state: State, ctx: Ctx): void {
  for (const point of state.replied) ctx.send(point, 'divide', state.term); // R5
  give(state, ctx);
}

/** When a point, or the informer, has all that it waits for. */
function give(state: State, ctx: Ctx): void {
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
  if (leader === ctx.id) ctx.decide('leader', leader, state.term);
  else ctx.decide('follower', leader, state.term);
  if (leader < ctx.id || isFoundDead(leader, state.dead, ctx)) callNewTerm(state, ctx); // R13
}
