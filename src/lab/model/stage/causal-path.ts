/** The messages that led to a message, and those that followed from it, in a timeline. */
import type { Timeline } from '../../../drawing/space-time/timeline.ts';
import { handlerRuns } from '../../../drawing/trace/handlers.ts';
import type { TraceEvent } from '../../../kernel/trace.ts';

/** Messages by the index of their send event. */
export interface CausalPath {
  /** From the first message to the one before. */
  readonly causes: readonly number[];
  /** What the handler of its receiver sent. */
  readonly effects: readonly number[];
}

/** Follows a message back to the start that caused it, and one step forward. */
export function causalPath(events: readonly TraceEvent[], timeline: Timeline, sending: number): CausalPath {
  const runs = handlerRuns(events);
  const starts = [...runs.keys()].sort((a, b) => a - b);
  const causeOf = (send: number): number | undefined => {
    const { node } = events[send];
    let found: number | undefined;
    for (const start of starts) {
      if (start > send) break;
      if (events[start].node === node) found = start;
    }
    return found;
  };
  const arriving = new Map(timeline.transfers.map(({ ending, sending: sent }) => [ending, sent]));
  const causes: number[] = [];
  let at: number | undefined = sending;
  while (at !== undefined) {
    const cause = causeOf(at);
    at = cause === undefined ? undefined : arriving.get(cause);
    if (at === undefined || causes.includes(at)) break;
    causes.unshift(at);
  }
  const ending = timeline.transfers.find((transfer) => transfer.sending === sending)?.ending ?? null;
  const effects =
    ending === null
      ? []
      : timeline.transfers.flatMap((transfer) =>
          causeOf(transfer.sending) === ending ? [transfer.sending] : [],
        );
  return { causes, effects };
}
