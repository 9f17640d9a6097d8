/** Names a message of a run, the same after every move of the cursor. Equal messages that one step sent share a name. */
import type { InFlightMessage } from '@hustings/study/driver';

/** The name of a message in flight. */
export function messageKey({
  from,
  sentStep,
  text,
  to,
}: Pick<InFlightMessage, 'from' | 'sentStep' | 'text' | 'to'>): string {
  return `${from}>${to}@${sentStep} ${text}`;
}
