/**
 * Sun and Divided combined: M. Shirali, A. Haghighat Toroghi, M. Vojdani: Leader election algorithms: history and
 * novel schemes. Third International Conference on Convergence and Hybrid Information Technology, 2008, end of
 * section 6. The paper proposes to run Sun in the parts of a divided ring and shows a figure. The rules are ours.
 *
 * Model: a ring of n nodes with d−1 rings inside it. Ring i joins the multiples of u^(i−1). In place of Sun's
 * innermost ring, an informer is linked to each of the multiples of u^d: these are its points. The informer is a
 * helper process at position n and not a candidate. Unique ids, FIFO links, asynchronous. The nodes that detect the
 * crash of the coordinator initiate.
 * Wins: the largest id.
 * Costs, one detector a hops before a point, L_i = n/u^(i−1), r = d+1: 1 + a + ΣL_i + L_2 election messages, then
 * ΣL_i for the announcement, which is complete at a + 6 + 2d(u−1) for every n. These are our counts; the paper gives
 * no formula.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links, for any number of detectors.
 * Does not tolerate crashes or message loss.
 *
 * R1  A node that detects the crash of the coordinator starts an election, which is identified by the id of its
 *     caller. It sends `call` along its innermost ring. Each node forwards the call along its own innermost ring,
 *     until it reaches a point, which sends `crash` to the informer.
 * R2  The informer sends `divide` to all points.
 * R3  Each point then sends `election` along every ring that it is on. A node that receives it on its innermost ring
 *     replaces the id in it by its own if that is larger, forwards it, and starts another `election` on each of its
 *     outer rings.
 * R4  A node that receives `election` on a ring other than its innermost discards it and keeps the largest id seen. A
 *     point does so on all its rings.
 * R5  A node that is on ring 2 or further in waits until `election` has arrived on all of its outer rings and the
 *     gather of the previous node on its own ring has arrived. It then sends the largest id along its own ring as
 *     `gather`.
 * R6  When all rings have completed at a point, it sends `information` to the informer.
 * R7  When all points have sent `information`, the informer sends `coordinator` to them, and they send it along the
 *     rings as in R3 and R4.
 * R8  Of several elections the one of the largest caller continues. A node leaves an election for that of a larger
 *     caller and ignores messages of smaller callers.
 * R9  A node does not follow a coordinator smaller than itself: that election has missed its id.
 */
import type { Context, View } from '../../kernel/index.ts';
import {
  announcement,
  counter,
  defineAlgorithm,
  exact,
  flag,
  id,
  integer,
  message,
} from '../../kernel/index.ts';
import { inLockstep, oneDetector } from '../law-conditions.ts';
import { withInformerTree } from './nested/informer-tree.ts';
import { checkDivision, nestedLinks, ringLength, ringParams } from './nested/nested-rings.ts';
import { allRings, away, delay, lastRing, ringTwo } from './nested/sun-cost.ts';

const UP = 0;
const MAX_RINGS = 20;
const ALL_RINGS = 2 ** (MAX_RINGS + 1) - 1;

const withOneDetector = [inLockstep, oneDetector];

const assumes = { network: 'ring', timing: 'asynchronous', ids: 'unique', fifo: true } as const;

const params = {
  u: ringParams.u,
  depth: integer('number of rings inside the first, counting the points as the last one', {
    min: 0,
    max: MAX_RINGS,
    byDefault: (n) => Math.min(1, n - 1),
  }),
};

const state = {
  /** The largest caller seen. */
  caller: id(),
  /** It has received `election` on its innermost ring, or, as a point, `divide`. */
  reached: flag(),
  /** One bit per ring: `election` has arrived on it, a gather will follow on it, and that gather has arrived. */
  ended: counter(ALL_RINGS),
  owed: counter(ALL_RINGS),
  gathered: counter(ALL_RINGS),
  passed: flag(),
  biggest: id(),
  /** At the informer: the number of points that have sent `information`. */
  informed: counter(({ n }) => n),
};

const caller = ['caller', id()] as const;
const biggest = ['biggest', id()] as const;

const messages = {
  call: message(caller),
  crash: message(caller),
  divide: message(caller),
  /** gathers: its sender will send a gather later. */
  election: message(caller, biggest, ['gathers', flag()]),
  gather: message(caller, biggest),
  information: message(caller, biggest),
  coordinator: announcement(caller, biggest),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, typeof params, never>;

/** Sun and Divided combined. */
export const sunDivided = defineAlgorithm({
  name: 'sun-divided',
  title: 'Sun and Divided',
  source: 'Shirali, Haghighat Toroghi, Vojdani 2008',
  cost: '2n + O(n/u)',
  assumes,
  params,
  state,
  messages,

  overlay(n, { u, depth }) {
    checkDivision('sun-divided', n, u, depth);
    const links = nestedLinks(n, { u, successors: 1 }, Math.max(1, depth));
    return withInformerTree(links, { u: ringLength(n, u, depth + 1), depth: 1 });
  },

  onStart(state, ctx) {
    enter(state, ctx.id, ctx);
    call(state, ctx); // R1
  },

  on: {
    call(state, _port, { caller }, ctx) {
      if (caller < state.caller) return; // R8
      enter(state, caller, ctx);
      call(state, ctx); // R1
    },

    crash(state, _port, { caller }, ctx) {
      if (caller < state.caller) return; // R8
      enter(state, caller, ctx);
      for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'divide', caller); // R2
    },

    divide(state, _port, { caller }, ctx) {
      if (caller < state.caller) return; // R8
      enter(state, caller, ctx);
      state.reached = true;
      start(state, levelOf(ctx), ctx); // R3
      sendResult(state, ctx);
    },

    election(state, port, { caller, biggest, gathers }, ctx) {
      if (caller < state.caller) return; // R8
      enter(state, caller, ctx);
      const ring = ringOf(port, ctx);
      const level = levelOf(ctx);
      if (gathers) state.owed |= 1 << ring;
      if (ring < level) {
        state.ended |= 1 << ring; // R4
        state.biggest = Math.max(state.biggest, biggest);
      } else {
        state.reached = true;
        ctx.send(next(level, ctx), 'election', caller, Math.max(biggest, ctx.id), gathersOn(level)); // R3
        start(state, level, ctx);
      }
      sendResult(state, ctx);
    },

    gather(state, port, { caller, biggest }, ctx) {
      if (caller < state.caller) return; // R8
      state.gathered |= 1 << ringOf(port, ctx);
      state.biggest = Math.max(state.biggest, biggest);
      sendResult(state, ctx);
    },

    information(state, _port, { caller, biggest }, ctx) {
      if (caller < state.caller) return; // R8
      state.informed++;
      state.biggest = Math.max(state.biggest, biggest);
      if (state.informed < ctx.degree) return;
      for (let port = 0; port < ctx.degree; port++) ctx.send(port, 'coordinator', caller, state.biggest); // R7
    },

    coordinator(state, port, { caller, biggest }, ctx) {
      if (caller < state.caller) return; // R8
      const level = levelOf(ctx);
      const isFromInformer = isPoint(ctx) && port === UP;
      if (!isFromInformer && ringOf(port, ctx) < level) return; // R4
      if (biggest === ctx.id) ctx.decide('leader', biggest, caller);
      else if (biggest > ctx.id) ctx.decide('follower', biggest, caller); // R9
      for (let ring = isPoint(ctx) ? level - 1 : level; ring >= 1; ring--) ctx.forward(next(ring, ctx)); // R7
    },
  },

  laws: [
    exact(
      'election',
      '1 + a + ΣL_i + L_2',
      withOneDetector,
      (run) => 1 + away(run) + allRings(run) + ringTwo(run),
    ),
    exact('announcement', 'ΣL_i', withOneDetector, allRings),
    exact({ messages: 'gather' }, 'L_2 − L_r', withOneDetector, (run) => ringTwo(run) - lastRing(run)),
    exact(
      'announcementReturnedAt',
      'a + 6 + 2d(u−1)',
      withOneDetector,
      (run) => away(run) + 6 + 2 * delay(run),
    ),
  ],
});

function isPoint(ctx: Ctx): boolean {
  return ctx.label(UP) === 'informer';
}

/** The ring on which this node forwards `election`. A point forwards on none, and its level is above all rings. */
function levelOf(ctx: Ctx): number {
  return isPoint(ctx) ? ctx.params.depth + 1 : ctx.degree / 2;
}

function ringOf(port: number, ctx: Ctx): number {
  return 1 + ((port - (isPoint(ctx) ? 1 : 0)) >> 1);
}

/** The port to the next node of a ring. */
function next(ring: number, ctx: Ctx): number {
  return (isPoint(ctx) ? 1 : 0) + 2 * ring - 1;
}

function enter(state: State, caller: number, ctx: Ctx): void {
  if (caller === state.caller) return;
  state.caller = caller;
  state.reached = false;
  state.ended = 0;
  state.owed = 0;
  state.gathered = 0;
  state.passed = false;
  state.biggest = ctx.id;
  state.informed = 0;
}

function call({ caller }: State, ctx: Ctx): void {
  if (isPoint(ctx)) ctx.send(UP, 'crash', caller);
  else ctx.send(next(levelOf(ctx), ctx), 'call', caller);
}

/** Sends `election` on all outer rings. */
function start({ caller }: State, level: number, ctx: Ctx): void {
  for (let ring = level - 1; ring >= 1; ring--) {
    ctx.send(next(ring, ctx), 'election', caller, ctx.id, false);
  }
}

/** True if a node whose innermost ring is this one sends a gather. */
function gathersOn(level: number): boolean {
  return level > 1; // R5
}

/** Sends the collected result when all rings that end at this node have completed. */
function sendResult(state: State, ctx: Ctx): void {
  const level = levelOf(ctx);
  const below = 2 ** level - 2;
  const isOver = (state.ended & below) === below && (state.owed & ~state.gathered) === 0;
  if (!isOver || !state.reached || state.passed) return;
  state.passed = true;
  if (isPoint(ctx))
    ctx.send(UP, 'information', state.caller, state.biggest); // R6
  else if (gathersOn(level)) ctx.send(next(level, ctx), 'gather', state.caller, state.biggest); // R5
}
