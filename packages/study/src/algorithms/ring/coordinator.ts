/**
 * The coordinator of a ring under crash-recovery: its announcement around a ring with crashed processes, the terms
 * that order announcements, and the conditions under which an election is started again. Rules C1 to C6 hold for
 * every election by a token that travels once around the ring. How the token finds the largest id is up to the
 * algorithm.
 *
 * C1  Of n processes only the one with r smaller ids announces in the terms r+1, r+1+n, r+1+2n and so on, each time
 *     in the smallest such term above all terms that it or the token has seen. So each term is announced once and has
 *     one coordinator, under any losses and crashes. A process stores the largest term it has seen on disk.
 * C2  `coordinator` travels once around the ring and skips processes found crashed. A process accepts it if its term
 *     is larger than all that it has seen, and forwards it in any case.
 * C3  If a message finds that its sender, or the coordinator that it announces, has crashed, the process that finds
 *     it starts an election: no other process would.
 * C4  A process that has started an election, forwarded a token or announced a coordinator starts an election if it
 *     receives no newer announcement in time and its own has not returned.
 * C5  A process that has recovered starts an election after one timeout. By then every process whose message found it
 *     crashed knows that, so no process marks it as crashed after receiving its token. It starts again until a token
 *     of its own has returned.
 * C6  A process larger than the announced coordinator starts an election: the token has missed it.
 *
 * Why a recovered process r does not keep an older coordinator than the others: an announcement skips r only at a
 * process p that found r crashed. If the token of r passes p later, the token carries p's term, and r announces a
 * higher one. If the token passed p earlier, it did so after all notices of r's crash (C5), and p no longer skips r.
 * If p crashed in between, then either a process before p has the term and the token carries it, or p itself was the
 * announcer, and by C3 some process starts a new election.
 */
import type { Context, Law, Messages, Role, RunFacts, View } from '../../kernel/index.ts';
import {
  announcement,
  choice,
  counter,
  exact,
  flag,
  id,
  integer,
  MAX_WORD,
  Topology,
} from '../../kernel/index.ts';
import { ownTermFrom, termPhase } from '../terms.ts';

const state = {
  /** The largest term seen. */
  term: counter(MAX_WORD, { durable: true }),
  /** calling: its own token is in flight. waiting: it has forwarded a token and received no announcement yet. */
  phase: choice(['idle', 'calling', 'waiting']),
  /**
   * The number of consecutive successors found crashed. It may be out of date: a process that has recovered is skipped
   * until a message mentions it. So only messages that may safely skip it use this number.
   */
  skipped: counter(({ n }) => n),
  /** It has recovered, and no token of its own has returned since. */
  recovered: flag(),
};

export type CoordinatorState = View<typeof state>;

/** The part of the definition that the algorithms share. Port p leads to the p-th successor, port n to the process itself. */
export const model = {
  assumes: {
    network: 'ring',
    timing: 'bounded-delay',
    ids: 'unique',
    fifo: false,
    knows: ['n', 'neighbours'],
    faults: ['crash', 'recover', 'loss'],
  },
  trigger: 'coordinator missed',
  params: {
    timeout: integer('units after which a process that has not answered is considered crashed', {
      min: 1,
      max: 1_000_000,
      byDefault: 2,
    }),
  },
  overlay: (n: number) => Topology.ringMap(n),
  state,
  timers: ['patience', 'return'],
  phase: termPhase,
  termField: 'term',

  onRestart(state: CoordinatorState, ctx: RingProcess): undefined {
    state.recovered = true;
    ctx.setTimer('return', ctx.params.timeout); // C5
  },
} as const;

export type RingContext<M extends Messages> = Context<
  typeof model.assumes,
  M,
  typeof model.params,
  (typeof model.timers)[number]
>;

export const coordinator = announcement(['term', counter(MAX_WORD)], ['sender', id()], ['coordinator', id()]);

interface CoordinatorMessage {
  readonly term: number;
  readonly sender: number;
  readonly coordinator: number;
}

interface RingProcess {
  readonly id: number;
  readonly n: number;
  readonly params: { readonly timeout: number };
  neighbour(port: number): number;
  send(port: number, type: 'coordinator', term: number, sender: number, coordinator: number): void;
  forward(port: number): void;
  setTimer(name: 'patience' | 'return', units: number): void;
  clearTimer(name: 'patience' | 'return'): void;
  decide(role: Role, leader: number, term: number): void;
}

/**
 * A token or an announcement returns within n timeouts: a live process takes at most half a timeout, a crashed one a
 * whole timeout. Twice that time is enough for both, one after the other.
 */
export function awaitCoordinator(
  state: CoordinatorState,
  phase: 'calling' | 'waiting',
  ctx: RingProcess,
): void {
  // Its own token finds out again which successors have crashed.
  if (phase === 'calling') state.skipped = 0;
  if (state.phase !== 'calling') state.phase = phase;
  ctx.setTimer('patience', 2 * ctx.n * ctx.params.timeout); // C4
}

/** The token has returned: announces `largest` as the coordinator, in a term above `seen`. */
export function announce(largest: number, seen: number, state: CoordinatorState, ctx: RingProcess): void {
  let rank = 0;
  for (let port = 1; port < ctx.n; port++) if (ctx.neighbour(port) < ctx.id) rank++;
  state.term = ownTermFrom(Math.max(seen, state.term) + 1, rank, ctx.n); // C1
  state.phase = 'idle';
  state.recovered = false;
  ctx.setTimer('patience', 2 * ctx.n * ctx.params.timeout); // C4
  ctx.decide(largest === ctx.id ? 'leader' : 'follower', largest, state.term);
  markAlive(largest, state, ctx);
  ctx.send(successor(state), 'coordinator', state.term, ctx.id, largest); // C2
}

/** Accepts and forwards an announcement. Returns true if this process must start an election. */
export function receiveCoordinator(
  { term, sender, coordinator }: CoordinatorMessage,
  state: CoordinatorState,
  ctx: RingProcess,
): boolean {
  markAlive(sender, state, ctx);
  markAlive(coordinator, state, ctx);
  const hasReturned = sender === ctx.id;
  if (!hasReturned) ctx.forward(successor(state)); // C2
  if (hasReturned ? term < state.term : term <= state.term) return false;
  if (!hasReturned) {
    state.term = term;
    ctx.decide(coordinator === ctx.id ? 'leader' : 'follower', coordinator, term);
  }
  if (coordinator < ctx.id) return state.phase !== 'calling'; // C6
  if (state.recovered) return false; // C5
  state.phase = 'idle';
  ctx.clearTimer('patience');
  return false;
}

/** Sends an announcement past a crashed process. Returns true if this process must start an election. */
export function skipCrashed(
  port: number,
  message: CoordinatorMessage,
  state: CoordinatorState,
  ctx: RingProcess,
): boolean {
  markCrashed(port, state, ctx);
  const crashed = ctx.neighbour(port);
  if (crashed !== message.sender) ctx.forward(port + 1);
  const isNeeded = crashed === message.sender || crashed === message.coordinator;
  return isNeeded && message.term === state.term && state.phase !== 'calling'; // C3
}

/** The port to the first successor that was not found crashed; if all others were, to the process itself. */
function successor({ skipped }: CoordinatorState): number {
  return skipped + 1;
}

/** A message to this port was not delivered. */
export function markCrashed(port: number, state: CoordinatorState, { n }: RingProcess): void {
  if (port === successor(state) && port < n) state.skipped = port;
}

/** A message shows that this process is alive, or was when the message passed it. */
export function markAlive(id: number, state: CoordinatorState, ctx: RingProcess): void {
  for (let port = 1; port <= state.skipped; port++) {
    if (ctx.neighbour(port) === id) state.skipped = port - 1;
  }
}

/** A law for runs in which `dead` processes are crashed from the start and no other fault occurs. */
export function initialCrashLaw(
  measure: Law['measure'],
  formula: string,
  value: (run: RunFacts, dead: number) => number,
  { isTimed = false, isOrdered = false } = {},
): Law {
  return exact(
    measure,
    formula,
    `${isTimed ? 'in lockstep, ' : isOrdered ? 'FIFO, ' : ''}all start at 0, d crashed before, no other fault`,
    (run) =>
      run.faultless && run.boundedDelay && (run.lockstep || !isTimed) && (run.fifo || !isOrdered) && run.k > 0
        ? value(run, new Set(run.dead).size)
        : undefined,
  );
}

/** The times in lockstep: the announcement returns to an initiator that started at 0, and passes the last process before. */
export const timeLaws: readonly Law[] = [
  initialCrashLaw('agreedAt', '2(n−d) + d·T − 1', (run, dead) => returnTime(run, dead) - 1, {
    isTimed: true,
  }),
  initialCrashLaw('announcementReturnedAt', '2(n−d) + d·T', returnTime, { isTimed: true }),
];

function returnTime({ n, params }: RunFacts, dead: number): number {
  return 2 * (n - dead) + dead * Number(params.timeout);
}
