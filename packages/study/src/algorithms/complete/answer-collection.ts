/**
 * Elections in which the caller collects the ids of the larger processes and alone decides the result, in a term of
 * its own. The processes that it called wait for the result. So each term has one process that names its leader, and
 * it does so once.
 */
import type { Law, RunFacts, View } from '../../kernel/index.ts';
import { counter, id, MAX_WORD, message, NONE } from '../../kernel/index.ts';
import { timeoutOf, withoutCoordinator } from './bully-laws.ts';
import { awaitAnnouncement, type BullyProcess, bullyState, callLarger, enterNewTerm } from './bully-state.ts';

export const collectorState = {
  ...bullyState,
  /** The largest id among the answers. */
  best: id(),
};

export const collectorMessages = {
  election: message(['term', counter(MAX_WORD)]),
  answer: message(['id', id()], ['term', counter(MAX_WORD)]),
};

/** Every detector calls, and every live process that is larger answers it. */
export const collectorLaws: readonly Law[] = [
  withoutCoordinator({ messages: 'election' }, 'n−i, summed over all detectors', ({ n }, detectors) =>
    detectors.reduce((sum, i) => sum + n - i, 0),
  ),
  withoutCoordinator({ messages: 'answer' }, 'n−i−1, summed over all detectors', ({ n }, detectors) =>
    detectors.reduce((sum, i) => sum + n - i - 1, 0),
  ),
];

/** The time at which the smallest detector has all answers, and its result arrives. */
export function electedAt(run: RunFacts, [i]: readonly number[]): number {
  return timeoutOf(run) + (i === run.n - 1 ? 0 : 1);
}

export type CollectorState = View<typeof collectorState>;

export interface CollectorProcess extends BullyProcess {
  send(port: number, type: 'election', term: number): void;
  send(port: number, type: 'answer', id: number, term: number): void;
}

/** Calls all larger ids in a new term. Returns false if there are none. */
export function callNewTerm(state: CollectorState, ctx: BullyProcess): boolean {
  enterNewTerm(state, ctx);
  state.best = NONE;
  return callLarger(state, ctx.params.timeout, ctx);
}

/**
 * Answers a call and waits for the result. It abandons an election of its own, because the caller receives every answer
 * that this process would receive.
 *
 * A wait of two timeouts is enough. Let d be the longest delay, at most T/2, and let the call be sent at 0. The caller
 * knows the result at T, and all processes have received an announcement by T+2d.
 */
export function onElection(state: CollectorState, port: number, term: number, ctx: CollectorProcess): void {
  if (term > state.term) state.term = term;
  ctx.send(port, 'answer', ctx.id, state.term);
  awaitAnnouncement(state, ctx);
}

/**
 * Records an answer. Returns false if the message only reports a newer term: this process is not calling, or the sender
 * is smaller, so that it answers an older announcement and not the call.
 */
export function onAnswer(state: CollectorState, id: number, term: number, ctx: CollectorProcess): boolean {
  if (state.phase !== 'calling') return false;
  if (term > state.term) state.term = term;
  if (id < ctx.id) return false;
  if (id > state.best) state.best = id;
  return true;
}
