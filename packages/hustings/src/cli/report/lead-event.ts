/** The events of `hustings lead`, one line each: as text, or as JSON. */

import { formatDuration } from '@hustings/base/command/duration';
import { waitingText } from '../../elector/events/waiting-text.ts';
import type { SupervisorEvent } from '../../supervisor/index.ts';
import { isoOf } from '../flags/timestamp.ts';

export function eventLine(name: string, event: SupervisorEvent): string {
  return `hustings: '${name}': ${textOf(event)}`;
}

/** Tokens are text: they may exceed the numbers that readers of JSON can represent. */
export function eventJson(name: string, event: SupervisorEvent, atMs: number): string {
  const plain = { at: new Date(atMs).toISOString(), name, ...event };
  return JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function textOf(event: SupervisorEvent): string {
  switch (event.type) {
    case 'waiting':
      return waitingText(event, formatDuration);
    case 'elected':
      return `leading with token ${event.token}`;
    case 'stopping':
      return `stopping the command on ${event.signal}`;
    case 'lost':
      return `lost: ${event.detail}`;
    case 'ended':
      return `term ${event.token} ended: ${event.reason}`;
    case 'tick-started':
      return `tick ${isoOf(event.tickMs)} starts`;
    case 'tick-ended':
      return `tick ${isoOf(event.tickMs)} ${event.state}${event.message === null ? '' : `: ${event.message}`}`;
    case 'warning':
      return `warning: ${event.message}`;
    case 'store-error':
      return event.message;
    case 'unkillable':
      return `waiting for processes that SIGKILL does not end: ${event.pids.join(', ')}`;
  }
}
