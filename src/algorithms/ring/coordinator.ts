/**
 * The coordinator of a ring in which processes crash and recover: how one is announced once round a ring with dead
 * processes in it, how terms tell a new one from an old one, and when an election is called again. The rules C1 to C6,
 * for elections by a token that goes once round; how the token finds the largest id is their own subject.
 *
 * C1  Of n processes only the one with r smaller ids announces in the terms r+1, r+1+n, r+1+2n and so on, each time in
 *     the next above all terms that it or the token has seen. So a term is announced once and names one coordinator,
 *     whatever is lost and whoever crashes. The largest term that a process has seen is on disk.
 * C2  `coordinator` goes once round, and skips those found dead. A process takes it if its term is above all that it
 *     has seen; it passes it on in either case.
 * C3  Where a message finds dead the process at which it would be home, or the coordinator that it announces, an
 *     election is called: nobody else would.
 * C4  Who has called an election, passed a token on or announced a coordinator, and hears of no newer coordinator in
 *     time, nor has its own word home, calls an election.
 * C5  Who has recovered calls one after a time-out: by then all whose messages found it dead know that, so that nobody
 *     takes it for dead once it has heard of its call. It calls again until a token of its own is home.
 * C6  Who is larger than the coordinator announced calls one: the token has missed it.
 *
 * Why a process r that has recovered does not end with an older coordinator than the others. Word that skips r does so
 * at a process p that found r dead. If r's token comes by p later, it learns of p's term, and r announces a higher one.
 * If it came by before, then after all notices of r's death (C5), and p no longer skips r. If p died between, then a
 * process before p has the term and tells it to the token; or p itself had announced, and by C3 somebody calls again.
 */
import {
  announcement,
  choice,
  counter,
  flag,
  id,
  integer,
  type Law,
  MAX_WORD,
  type Role,
  type RunFacts,
} from '../../kernel/index.ts';
import { ownTermFrom } from './own-terms.ts';
import { foundDead, heardOf, skipped, successor } from './successor-map.ts';

export const assumes = {
  network: 'ring',
  timing: 'bounded-delay',
  ids: 'unique',
  fifo: false,
  knows: ['n', 'neighbours'],
  faults: ['crash', 'recover', 'loss'],
} as const;

export const params = {
  timeout: integer('units after which a process that has not answered counts as dead', {
    min: 1,
    max: 1_000_000,
    byDefault: 2,
  }),
};

export const timers = ['patience', 'return'] as const;

export const state = {
  /** The largest that was announced here. */
  term: counter(MAX_WORD, { durable: true }),
  /** In an election: its own token is on its way, or another's, and no word yet. */
  phase: choice(['idle', 'calling', 'waiting']),
  skipped,
  /** No token of its own has been round since. */
  recovered: flag(),
};

export const coordinator = announcement(['term', counter(MAX_WORD)], ['sender', id()], ['coordinator', id()]);

export interface Standing {
  term: number;
  phase: 'idle' | 'calling' | 'waiting';
  skipped: number;
  recovered: boolean;
}

interface Word {
  readonly term: number;
  readonly sender: number;
  readonly coordinator: number;
}

export interface Process {
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
 * A token or a word is home within n time-outs: a live place takes half of one, a dead place all of it. So after the
 * last token both are.
 */
export function beginPatience(state: Standing, phase: 'calling' | 'waiting', ctx: Process): void {
  if (state.phase !== 'calling') state.phase = phase;
  ctx.setTimer('patience', 2 * ctx.n * ctx.params.timeout); // C4
}

/** The token is home: `largest` is to be the coordinator, in a term above `seen`. */
export function announce(largest: number, seen: number, state: Standing, ctx: Process): void {
  let rank = 0;
  for (let port = 1; port < ctx.n; port++) if (ctx.neighbour(port) < ctx.id) rank++;
  state.term = ownTermFrom(Math.max(seen, state.term) + 1, rank, ctx.n); // C1
  state.phase = 'idle';
  state.recovered = false;
  ctx.setTimer('patience', 2 * ctx.n * ctx.params.timeout); // C4
  ctx.decide(largest === ctx.id ? 'leader' : 'follower', largest, state.term);
  heardOf(largest, state, ctx);
  ctx.send(successor(state), 'coordinator', state.term, ctx.id, largest); // C2
}

export function comeBack(state: Standing, ctx: Process): void {
  state.recovered = true;
  ctx.setTimer('return', ctx.params.timeout); // C5
}

/** Takes word of a coordinator and passes it on; true if this process must call an election. */
export function takeWord({ term, sender, coordinator }: Word, state: Standing, ctx: Process): boolean {
  heardOf(sender, state, ctx);
  heardOf(coordinator, state, ctx);
  const isHome = sender === ctx.id;
  if (!isHome) ctx.forward(successor(state)); // C2
  if (isHome ? term < state.term : term <= state.term) return false;
  if (!isHome) {
    state.term = term;
    ctx.decide(coordinator === ctx.id ? 'leader' : 'follower', coordinator, term);
  }
  if (coordinator < ctx.id) return state.phase !== 'calling'; // C6
  if (state.recovered) return false; // C5
  state.phase = 'idle';
  ctx.clearTimer('patience');
  return false;
}

/** Sends word on that found a process dead; true if this process must call an election. */
export function skipWord(port: number, word: Word, state: Standing, ctx: Process): boolean {
  foundDead(port, state, ctx);
  const dead = ctx.neighbour(port);
  if (dead !== word.sender) ctx.forward(port + 1);
  const isNeeded = dead === word.sender || dead === word.coordinator;
  return isNeeded && word.term === state.term && state.phase !== 'calling'; // C3
}

/** A law for runs in which all that ever fails is dead from the start; `dead` is how many are. */
export function whenSmooth(
  measure: Law['measure'],
  formula: string,
  value: (run: RunFacts, dead: number) => number,
  { isTimed = false, isOrdered = false } = {},
): Law {
  return {
    measure,
    kind: 'exact',
    formula,
    when: `${isTimed ? 'in lockstep, ' : isOrdered ? 'in order, ' : ''}all wake at 0, d are dead before and nobody crashes`,
    value: (run) =>
      run.smooth && run.boundedDelay && (run.lockstep || !isTimed) && (run.fifo || !isOrdered) && run.k > 0
        ? value(run, new Set(run.dead).size)
        : undefined,
  };
}

/** When the word of those whose token took one round is home, in lockstep. */
export function homeAt({ n, params }: RunFacts, dead: number): number {
  return 2 * (n - dead) + dead * Number(params.timeout);
}
