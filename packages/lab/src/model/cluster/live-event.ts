/** What happens at the members of a running cluster, as the page shows it. */
import type { StepLine } from '@hustings/cluster/internal/record/parse-trace';
import type { Epoch } from '@hustings/cluster/internal/view/clique';

/** Something that happened at a member. */
export interface LiveEvent {
  readonly id: number;
  /** The wall clock in milliseconds: of the member, or of the lab for what a member does not tell itself. */
  readonly at: number;
  readonly entry: StepLine | ({ readonly type: 'epoch' } & Epoch) | ReachEntry | FoldedUpkeep;
  /** Where the member of a step stood before, if that has changed and the algorithm tells it. */
  readonly stood?: StepLine['standing'] | undefined;
  /** The member of a step has taken others before it that are not known. */
  readonly isAfterGap?: boolean | undefined;
}

/** gone, back: its process; silent, answers: a process that is connected does not answer, and answers again. */
export interface ReachEntry {
  readonly type: 'gone' | 'back' | 'silent' | 'answers';
}

/** Steps of upkeep that are not kept: at several members, and counted at one of them. */
export interface FoldedUpkeep {
  readonly type: 'upkeep';
  /** The messages that these steps sent. */
  readonly messages: number;
  /** Whether there were more of them than are known. */
  readonly isPartial: boolean;
  /** The event before them, in the order of all members. */
  readonly after: LiveEvent | null;
}

/** A step of a member. */
export interface LiveStep extends LiveEvent {
  readonly entry: StepLine;
}

export function isLiveStep(event: LiveEvent): event is LiveStep {
  return event.entry.type === 'step';
}

/** By the name of each message: the step that sent it. */
export function sendersOf(events: readonly LiveEvent[]): ReadonlyMap<string, LiveStep> {
  const senders = new Map<string, LiveStep>();
  for (const event of events.filter(isLiveStep)) {
    for (const { key } of event.entry.sent) senders.set(key, event);
  }
  return senders;
}
