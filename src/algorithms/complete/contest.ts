/** The contest among larger processes, as Garcia-Molina's bully has it and as others fall back on it. */
import { type Office, type Process, wait } from './office.ts';

export interface Contestant extends Process {
  send(port: number, type: 'election' | 'answer', term: number): void;
}

/** Answers a call with the newest term it knows. True if this process is to call too: it is in no election yet. */
export function onElection(state: Office, port: number, term: number, ctx: Contestant): boolean {
  const isNew = term > state.term;
  if (isNew) state.term = term;
  ctx.send(port, 'answer', state.term);
  return isNew && state.phase === 'idle';
}

/**
 * Waits, if it is in an election, for one that is larger to lead; in the newer term of the two.
 *
 * Twice the time-out is enough. Let d be the longest delay, at most T/2, and the call be sent at 0: the largest live
 * process gets it by d, and is then in an election that it called by d, or calls one now. So it leads by d+T, and its
 * word is here by d+T+d, at most 2T. The answer came after 0, so that the wait ends later. In vain is a wait only if
 * the largest crashed in the election, or waits itself for one that did, or knew a newer term: the next call is above.
 */
export function onAnswer(state: Office, port: number, term: number, ctx: Contestant): void {
  if (ctx.neighbour(port) < ctx.id || state.phase === 'idle') return;
  if (term > state.term) state.term = term;
  if (state.phase === 'calling') wait(state, ctx);
}

/** Tells one that has announced itself of a newer term. It is as good as an answer: a larger process lives. */
export function answerOlder(state: Office, port: number, ctx: Contestant): void {
  ctx.send(port, 'answer', state.term);
  if (state.phase !== 'idle') wait(state, ctx);
}
