/**
 * A poll of the larger processes: the caller alone makes something of the answers, in a term of its own, and those that
 * it called wait for what comes of it. So each term has one process that says who leads it, and says so once.
 */
import { id, NONE, type View } from '../../kernel/index.ts';
import { callLarger, enterNewTerm, office, type Process, wait } from './office.ts';

export const poll = {
  ...office,
  /** The largest that has answered. */
  best: id(),
};

export type Poll = View<typeof poll>;

export interface Pollster extends Process {
  send(port: number, type: 'election', term: number): void;
  send(port: number, type: 'answer', id: number, term: number): void;
}

/** Calls all larger ids in a new term; false if there are none. */
export function callNewTerm(state: Poll, ctx: Process): boolean {
  enterNewTerm(state, ctx);
  state.best = NONE;
  return callLarger(state, ctx.params.timeout, ctx);
}

/**
 * Answers a call and waits for the outcome; an election of its own is given up, for the caller will hear of all that it
 * would have heard of.
 *
 * Twice the time-out is enough. Let d be the longest delay, at most T/2, and the call be sent at 0: at T the caller
 * knows, and whoever it tells then has told all by T+2d.
 */
export function onElection(state: Poll, port: number, term: number, ctx: Pollster): void {
  if (term > state.term) state.term = term;
  ctx.send(port, 'answer', ctx.id, state.term);
  wait(state, ctx);
}

/** Counts an answer. False if it comes to nobody who calls: it is not one then, but word of a term. */
export function onAnswer(state: Poll, id: number, term: number): boolean {
  if (state.phase !== 'calling') return false;
  if (term > state.term) state.term = term;
  if (id > state.best) state.best = id;
  return true;
}
