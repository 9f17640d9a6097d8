/** For whom, or for what, a candidate waits, in the words of logs. */
import type { ElectorEvent } from './elector-event.ts';

type Waiting = Pick<
  ElectorEvent & { readonly type: 'waiting' },
  'holder' | 'successor' | 'token' | 'remainingMs'
>;

/** Changes when another line is due: a waiting candidate is refused many times. Null if the lease is free. */
export const waitedFor = ({ holder, successor, remainingMs }: Waiting): string | null =>
  holder ?? successor ?? (remainingMs ? '' : null);

/**
 * A lease that nobody holds, and that nobody is granted, was released by a holder that reserved it for a time. If the store
 * knows no term either, the store has just started: Redis then grants nothing for one TTL, because it may have forgotten a lease.
 */
export function waitingText(event: Waiting, duration: (ms: number) => string): string {
  const { holder, successor, token, remainingMs } = event;
  if (holder !== null) return `waiting: '${holder}' leads`;
  if (successor !== null) return `waiting: the lease is reserved for '${successor}'`;
  const left = duration(remainingMs ?? 0);
  return token === 0n
    ? `waiting: the store is new or was restarted empty, and grants its first lease in ${left}`
    : `waiting: no candidate may lead for another ${left}`;
}
