/** One line for each thing that happens to a wrapper: for people, or as JSON for programs. */
import type { WrapperEvent } from '../../supervisor/index.ts';

export function wrapperLine(name: string, event: WrapperEvent): string {
  return `hustings: '${name}': ${tell(event)}`;
}

/** Tokens are text: they may be larger than the numbers of JSON's readers. */
export function wrapperJson(name: string, event: WrapperEvent, atMs: number): string {
  const plain = { at: new Date(atMs).toISOString(), name, ...event };
  return JSON.stringify(plain, (_, value) => (typeof value === 'bigint' ? String(value) : value));
}

function tell(event: WrapperEvent): string {
  switch (event.kind) {
    case 'waiting':
      return event.holder === null
        ? `waiting: kept for '${event.successor}'`
        : `waiting: held by '${event.holder}'`;
    case 'leading':
      return `leading with token ${event.token}`;
    case 'stopping':
      return `stopping the command on ${event.signal}`;
    case 'lost':
      return `lost: ${event.detail}`;
    case 'store-error':
      return event.message;
    case 'undying':
      return `waiting for processes that do not die of SIGKILL: ${event.pids.join(', ')}`;
  }
}
