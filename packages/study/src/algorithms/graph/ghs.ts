/**
 * R. G. Gallager, P. A. Humblet, P. M. Spira: A distributed algorithm for minimum-weight spanning trees. ACM
 * Transactions on Programming Languages and Systems 5(1), 1983. The weight of an edge is the pair of the ids at its
 * ends, the smaller first, so that all weights differ, as the paper requires, and the minimum spanning tree is
 * unique.
 *
 * Model: connected graph, FIFO links, unique ids, asynchronous; a node knows the ids of its neighbours, but not n.
 * Any non-empty set of nodes initiates.
 * Wins: the larger id at the last core edge. Only the weights determine this edge, neither the schedule nor the
 * initiators: a fragment learns of no edge before the fragment at its other end has at least its level, so the time
 * of an absorption does not change which fragments merge.
 * Costs: at most 5n·log2 n + 2m messages; then n−2 for the announcement along the tree.
 *
 * Guarantees exactly one leader, known to all nodes, in every schedule with FIFO links, and the minimum spanning
 * tree.
 * Does not tolerate crashes, message loss, duplication, or links without FIFO.
 *
 * The nodes form fragments. A fragment is a part of the tree; it has a level and a name, which is the weight of its
 * core edge.
 *
 * R1  A node that wakes up is a fragment of level 0. It sends connect over its lightest edge, which becomes a branch.
 * R2  A connect of a lower level is answered with initiate: that fragment is absorbed. A connect on a branch is
 *     answered with initiate of the next level, and the branch becomes the core edge: two fragments merge. Any other
 *     connect waits.
 * R3  Initiate sets level, name and state (find or found) and is forwarded along all branches. A node in state find
 *     then tests its edges.
 * R4  It sends test over its lightest basic edge, one that is neither branch nor rejected. If there is none, it
 *     continues with R7.
 * R5  A test of a higher level waits. A test from another fragment is answered with accept. A test from the same
 *     fragment makes the edge rejected and is answered with reject, unless this node has sent a test over the same
 *     edge: the other end then rejects the edge at that test.
 * R6  An accepted edge becomes the best edge if it is lighter than all reported ones. After a reject the next edge is
 *     tested.
 * R7  A node that has tested its own edges and has received a report from every branch away from the core sends a
 *     report with the best weight towards the core.
 * R8  The two ends of the core edge compare their reports. On the side of the lighter one, changeRoot travels to the
 *     best edge, and connect is sent over it. If neither side has found an edge, the tree spans the network.
 * R9  The larger of the two ends of the last core edge becomes the leader, and both announce it along their branches.
 */
import type { Context, Scale, View } from '../../kernel/index.ts';
import {
  announcement,
  bound,
  choice,
  counter,
  counters,
  defineAlgorithm,
  exact,
  flag,
  floorLog2,
  id,
  ids,
  message,
  NONE,
  port,
  portSet,
  ports,
} from '../../kernel/index.ts';

const assumes = {
  network: 'connected',
  timing: 'asynchronous',
  ids: 'unique',
  fifo: true,
  knows: ['neighbours'],
} as const;

const maxLevels = ({ n }: Scale): number => floorLog2(n);

/** A weight is two fields, low and high: the ids at the ends of an edge. Both are NONE for no edge, the heaviest. */
const state = {
  phase: choice(['sleeping', 'find', 'found']),
  level: counter(maxLevels),
  nameLow: id(),
  nameHigh: id(),
  branches: portSet(),
  rejected: portSet(),
  best: port(),
  bestLow: id(),
  bestHigh: id(),
  tested: port(),
  inBranch: port(),
  findCount: counter(({ n }) => n - 1),
  /** Edges on which a connect waits. It has this node's level: connect is only sent to a level at least as high. */
  connects: portSet(),
  /** Tests that wait: one per index of these lists. */
  testPorts: ports(),
  testLevels: counters(maxLevels),
  testLows: ids(),
  testHighs: ids(),
  /** The report of the other end of the core, if it arrived while this side was still in state find. */
  hasReport: flag(),
  reportLow: id(),
  reportHigh: id(),
};

const messages = {
  connect: message(['level', counter(maxLevels)]),
  initiate: message(['level', counter(maxLevels)], ['low', id()], ['high', id()], ['find', flag()]),
  test: message(['level', counter(maxLevels)], ['low', id()], ['high', id()]),
  accept: message(),
  reject: message(),
  report: message(['low', id()], ['high', id()]),
  changeRoot: message(),
  elected: announcement(['id', id()]),
};

type State = View<typeof state>;
type Ctx = Context<typeof assumes, typeof messages, Record<never, never>, never>;

/** The minimum spanning tree of Gallager, Humblet and Spira; a node of its last core leads. */
export const ghs = defineAlgorithm({
  name: 'ghs',
  title: 'Gallager–Humblet–Spira',
  source: 'Gallager, Humblet, Spira 1983',
  cost: '5n·log2 n + 2m worst',
  assumes,
  params: {},
  state,
  messages,

  phase: ({ phase, level }) => (phase === 'sleeping' ? null : `level ${level}`),
  tree: ({ branches }) => branches,
  weight: (low, high) => `${low}–${high}`,
  fragment: ({ nameLow, nameHigh }) => (nameLow === NONE ? null : `${nameLow}–${nameHigh}`),

  onStart(state, ctx) {
    wake(state, ctx); // R1
  },

  on: {
    connect(state, port, { level }, ctx) {
      if (state.phase === 'sleeping') wake(state, ctx); // R1
      if (level < state.level) absorb(state, port, ctx);
      else if (state.branches.has(port)) merge(state, port, ctx);
      else state.connects.add(port); // R2
    },

    initiate(state, port, { level, low, high, find }, ctx) {
      state.level = level; // R3
      state.nameLow = low;
      state.nameHigh = high;
      state.phase = find ? 'find' : 'found';
      state.inBranch = port;
      state.best = NONE;
      state.bestLow = NONE;
      state.bestHigh = NONE;
      for (const waiting of state.connects) state.branches.add(waiting); // R2: now of a lower level
      state.connects.clear();
      for (const branch of state.branches) {
        if (branch === port) continue;
        ctx.forward(branch);
        if (find) state.findCount++;
      }
      if (find) test(state, ctx);
      answerWaitingTests(state, ctx);
    },

    test(state, port, { level, low, high }, ctx) {
      if (state.phase === 'sleeping') wake(state, ctx); // R1
      if (level <= state.level) {
        answer(state, port, low, high, ctx);
      } else {
        state.testPorts.push(port); // R5
        state.testLevels.push(level);
        state.testLows.push(low);
        state.testHighs.push(high);
      }
    },

    accept(state, port, _message, ctx) {
      state.tested = NONE;
      offer(state, port, lowOf(port, ctx), highOf(port, ctx)); // R6
      report(state, ctx);
    },

    reject(state, port, _message, ctx) {
      if (!state.branches.has(port)) state.rejected.add(port);
      test(state, ctx); // R6
    },

    report(state, port, { low, high }, ctx) {
      if (port !== state.inBranch) {
        state.findCount--;
        offer(state, port, low, high);
        report(state, ctx); // R7
      } else if (state.phase === 'find') {
        state.hasReport = true;
        state.reportLow = low;
        state.reportHigh = high;
      } else {
        compare(state, low, high, ctx); // R8
      }
    },

    changeRoot(state, _port, _message, ctx) {
      changeRoot(state, ctx); // R8
    },

    elected(state, port, { id }, ctx) {
      ctx.decide('follower', id);
      for (const branch of state.branches) if (branch !== port) ctx.forward(branch); // R9
    },
  },

  laws: [
    bound('election', '5n·log2 n + 2m', ({ n, m }) => Math.floor(5 * n * Math.log2(n)) + 2 * m),
    exact('announcement', 'n−2', 'n ≥ 2', ({ n }) => (n > 1 ? n - 2 : undefined)),
  ],
});

function wake(state: State, ctx: Ctx): void {
  state.phase = 'found';
  if (ctx.degree === 0) {
    ctx.decide('leader');
    return;
  }
  const lightest = lightestBasic(state, ctx);
  state.branches.add(lightest);
  ctx.send(lightest, 'connect', 0); // R1
}

function absorb(state: State, port: number, ctx: Ctx): void {
  const finds = state.phase === 'find';
  state.branches.add(port);
  ctx.send(port, 'initiate', state.level, state.nameLow, state.nameHigh, finds); // R2
  if (finds) state.findCount++;
}

function merge(state: State, port: number, ctx: Ctx): void {
  ctx.send(port, 'initiate', state.level + 1, lowOf(port, ctx), highOf(port, ctx), true); // R2
}

/** The level has increased: answers the waiting tests that are no longer of a higher level. */
function answerWaitingTests(state: State, ctx: Ctx): void {
  const waiting = [...state.testPorts].map((port, at) => ({
    port,
    level: state.testLevels[at],
    low: state.testLows[at],
    high: state.testHighs[at],
  }));
  const later = waiting.filter(({ level }) => level > state.level);
  state.testPorts = later.map(({ port }) => port);
  state.testLevels = later.map(({ level }) => level);
  state.testLows = later.map(({ low }) => low);
  state.testHighs = later.map(({ high }) => high);
  for (const { port, level, low, high } of waiting) {
    if (level <= state.level) answer(state, port, low, high, ctx);
  }
}

function test(state: State, ctx: Ctx): void {
  state.tested = lightestBasic(state, ctx);
  if (state.tested === NONE) report(state, ctx);
  else ctx.send(state.tested, 'test', state.level, state.nameLow, state.nameHigh); // R4
}

function answer(state: State, port: number, low: number, high: number, ctx: Ctx): void {
  if (low !== state.nameLow || high !== state.nameHigh) {
    ctx.send(port, 'accept'); // R5
    return;
  }
  if (!state.branches.has(port)) state.rejected.add(port);
  if (state.tested === port) test(state, ctx);
  else ctx.send(port, 'reject'); // R5
}

function offer(state: State, port: number, low: number, high: number): void {
  if (!isLighter(low, high, state.bestLow, state.bestHigh)) return;
  state.best = port;
  state.bestLow = low;
  state.bestHigh = high;
}

function report(state: State, ctx: Ctx): void {
  if (state.findCount > 0 || state.tested !== NONE) return;
  state.phase = 'found';
  ctx.send(state.inBranch, 'report', state.bestLow, state.bestHigh); // R7
  if (!state.hasReport) return;
  state.hasReport = false;
  compare(state, state.reportLow, state.reportHigh, ctx);
}

/** Compares the best edge with that of the other end of the core. */
function compare(state: State, low: number, high: number, ctx: Ctx): void {
  if (isLighter(state.bestLow, state.bestHigh, low, high)) changeRoot(state, ctx);
  else if (low === NONE) halt(state, ctx); // R8
}

function changeRoot(state: State, ctx: Ctx): void {
  const { best } = state;
  if (state.branches.has(best)) {
    ctx.send(best, 'changeRoot');
    return;
  }
  ctx.send(best, 'connect', state.level);
  state.branches.add(best);
  if (state.connects.delete(best)) merge(state, best, ctx);
}

function halt(state: State, ctx: Ctx): void {
  const leader = highOf(state.inBranch, ctx);
  ctx.decide(leader === ctx.id ? 'leader' : 'follower', leader);
  for (const branch of state.branches) if (branch !== state.inBranch) ctx.send(branch, 'elected', leader); // R9
}

function lightestBasic(state: State, ctx: Ctx): number {
  let lightest = NONE;
  for (let port = 0; port < ctx.degree; port++) {
    if (state.branches.has(port) || state.rejected.has(port)) continue;
    const isFirst = lightest === NONE;
    if (
      isFirst ||
      isLighter(lowOf(port, ctx), highOf(port, ctx), lowOf(lightest, ctx), highOf(lightest, ctx))
    )
      lightest = port;
  }
  return lightest;
}

function lowOf(port: number, ctx: Ctx): number {
  return Math.min(ctx.id, ctx.neighbour(port));
}

function highOf(port: number, ctx: Ctx): number {
  return Math.max(ctx.id, ctx.neighbour(port));
}

function isLighter(low: number, high: number, thanLow: number, thanHigh: number): boolean {
  if (low === NONE || thanLow === NONE) return low !== thanLow && thanLow === NONE;
  return low < thanLow || (low === thanLow && high < thanHigh);
}
