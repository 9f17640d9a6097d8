/** What each handler did: which message caused nothing, and which timer only upkeep. */
import { runsHandler, type TraceEvent } from '../../kernel/trace.ts';

/** What followed from one start, delivery, timer, notice or recovery. */
export interface HandlerRun {
  /** The index of the event that the handler handled. */
  readonly cause: number;
  /** The types of the messages that it sent. */
  readonly sent: string[];
  isDecision: boolean;
  /** Whether the state of the node changed; null if the trace does not show states. */
  isChange: boolean | null;
}

/** By the index of the cause. What a node sends, decides and stores belongs to the last cause at this node. */
export function handlerRuns(events: readonly TraceEvent[]): ReadonlyMap<number, HandlerRun> {
  const runs = new Map<number, HandlerRun>();
  const current = new Map<number, HandlerRun>();
  const states = new Map<number, string>();
  events.forEach((event, index) => {
    const { node, type } = event;
    if (runsHandler(event)) {
      const run: HandlerRun = { cause: index, sent: [], isDecision: false, isChange: null };
      runs.set(index, run);
      current.set(node, run);
    }
    const run = current.get(node);
    if (type === 'state') {
      const state = JSON.stringify(event.state);
      if (run !== undefined && states.has(node)) run.isChange = states.get(node) !== state;
      states.set(node, state);
    } else if (type === 'send') run?.sent.push(event.message.type);
    else if (type === 'decide' && run !== undefined) run.isDecision = true;
  });
  return runs;
}

/** True only if the trace shows that the state did not change. */
export function causedNothing({ sent, isChange, isDecision }: HandlerRun): boolean {
  return sent.length === 0 && !isDecision && isChange === false;
}
