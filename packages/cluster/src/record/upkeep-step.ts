/** Which lines of a recording are upkeep: the heartbeats of a leader and their answers, and nothing that they change. */
import type { StepLine } from './parse-trace.ts';

/** Which types of messages are upkeep. */
export type IsUpkeep = (type: string) => boolean;

/** A heartbeat, its answer, or a timer that sends no more than that; nothing is decided. */
export function isUpkeepStep({ decided, sent, step }: StepLine, isUpkeep: IsUpkeep): boolean {
  if (decided !== undefined || !sent.every(({ message }) => isUpkeep(messageType(message)))) return false;
  const [, delivered] = /^deliver \d+ > \d+ (\S+)/.exec(step) ?? [];
  return step.startsWith('timer ') || (delivered !== undefined && isUpkeep(delivered));
}

/** Whether two steps of a member leave it where it stood. */
export function isSameStanding(one: StepLine['standing'], other: StepLine['standing']): boolean {
  return one?.leader === other?.leader && one?.term === other?.term;
}

/** The type of a message from its text. */
export function messageType(message: string): string {
  return message.split(' ', 1)[0];
}
