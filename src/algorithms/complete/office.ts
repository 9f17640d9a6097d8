/**
 * The office of the coordinator, as the bullies have it: who holds it, in which term, and how others come to know.
 *
 * A coordinator announces itself to all smaller ids. What is announced in an older term than the receiver has seen is
 * answered with the newer; the sender, if it still leads, then announces itself above that. So all end in one term.
 */
import { choice, counter, id, MAX_WORD, NONE, type View } from '../../kernel/index.ts';
import { ownTermFrom, type Ranked, rankOf } from './term.ts';

export const office = {
  /** The largest seen. While it is in no election, the term of its coordinator. */
  term: counter(MAX_WORD, { durable: true }),
  coordinator: id(),
  phase: choice(['idle', 'calling', 'waiting']),
};

export type Office = View<typeof office>;

/** What it takes to call, wait and follow. */
export interface Process extends Ranked {
  readonly params: { readonly timeout: number };
  send(port: number, type: 'election', term: number): void;
  setTimer(name: 'patience', units: number): void;
  clearTimer(name: 'patience'): void;
  decide(role: 'leader' | 'follower', leader: number, term: number): void;
}

/** Who can also announce itself. */
export interface Candidate extends Process {
  send(port: number, type: 'election' | 'coordinator', term: number): void;
}

export function enterNewTerm(state: Office, ctx: Process): void {
  state.term = ownTermFrom(state.term + 1, ctx);
}

/** Calls all larger ids and waits for answers; false if there is nobody to call. */
export function callLarger(state: Office, patience: number, ctx: Process): boolean {
  const rank = rankOf(ctx);
  state.coordinator = NONE;
  state.phase = 'calling';
  for (let port = rank; port < ctx.degree; port++) ctx.send(port, 'election', state.term);
  if (rank < ctx.degree) ctx.setTimer('patience', patience);
  return rank < ctx.degree;
}

/** Waits for the word of a coordinator that is yet to be. */
export function wait(state: Office, ctx: Process): void {
  state.coordinator = NONE;
  state.phase = 'waiting';
  ctx.setTimer('patience', 2 * ctx.params.timeout);
}

export function announce(state: Office, term: number, ctx: Candidate): void {
  settle(state, ctx.id, term, ctx);
  const rank = rankOf(ctx);
  for (let port = 0; port < rank; port++) ctx.send(port, 'coordinator', term);
}

/** What came of an announcement: the sender is followed, its term is older than one that is known, or neither. */
export type Heeded = 'followed' | 'older' | 'known';

/** Takes the sender for the coordinator. Who hears `older` is to answer with the newer term. */
export function onCoordinator(state: Office, port: number, term: number, ctx: Process): Heeded {
  const sender = ctx.neighbour(port);
  if (term > state.term || (term === state.term && sender > state.coordinator)) {
    settle(state, sender, term, ctx);
    return 'followed';
  }
  return term < state.term ? 'older' : 'known';
}

/** Is this the coordinator, and has a smaller process answered it with a newer term? */
export function isOutdated(state: Office, port: number, term: number, ctx: Process): boolean {
  return state.coordinator === ctx.id && ctx.neighbour(port) < ctx.id && term > state.term;
}

/** From here on `coordinator`, be it itself or another, is in office. */
export function settle(state: Office, coordinator: number, term: number, ctx: Process): void {
  state.term = term;
  state.coordinator = coordinator;
  state.phase = 'idle';
  ctx.clearTimer('patience');
  ctx.decide(coordinator === ctx.id ? 'leader' : 'follower', coordinator, term);
}
