/**
 * The election among larger processes: the core of Garcia-Molina's bully, and the fallback of bully-successor.
 */
import { awaitAnnouncement, type BullyProcess, type BullyState } from './bully-state.ts';

export interface ElectionProcess extends BullyProcess {
  send(port: number, type: 'election' | 'answer', term: number): void;
}

/** Answers a call with the newest term it knows. Returns true if this process must call too: it is in no election. */
export function onElection(state: BullyState, port: number, term: number, ctx: ElectionProcess): boolean {
  const isNew = term > state.term;
  if (isNew) state.term = term;
  ctx.send(port, 'answer', state.term);
  return isNew && state.phase === 'idle';
}

/**
 * If it is in an election, waits for a larger process to announce itself, in the newer of the two terms.
 *
 * A wait of two timeouts is enough. Let d be the longest delay, at most T/2, and let the call be sent at 0. The largest
 * live process receives it by d and is then in an election that it has called by d. So it becomes the coordinator by
 * d+T, and its announcement arrives by d+T+d, at most 2T. The answer came after 0, so the wait ends after that. The
 * wait fails only if the largest process crashed during the election, waits for one that did, or knew a newer term: the
 * next call then has a larger term.
 */
export function onAnswer(state: BullyState, port: number, term: number, ctx: ElectionProcess): void {
  if (ctx.neighbour(port) < ctx.id || state.phase === 'idle') return;
  if (term > state.term) state.term = term;
  if (state.phase === 'calling') awaitAnnouncement(state, ctx);
}

/**
 * Answers an announcement of an older term with the newer term. The announcement also counts as an answer: a larger
 * process is alive.
 */
export function answerOlder(state: BullyState, port: number, ctx: ElectionProcess): void {
  ctx.send(port, 'answer', state.term);
  if (state.phase !== 'idle') awaitAnnouncement(state, ctx);
}
