/**
 * Reports refusals at a bounded rate: a peer that is refused, as for a wrong certificate, dials again several times in a second.
 *
 * Guarantees: the first refusal of a peer for a reason is reported at once, and then one in each `PERIOD_MS` while there are more,
 * with their number. However many peers and reasons there are, at most `MAX_KINDS` and one more are reported in a period.
 */
import { parseAddress } from '../member-list/address.ts';
import type { MemberList } from '../member-list/member-list.ts';
import type { ClusterNodeEvent } from './node-status.ts';
import { PROCESS_CLOCK } from './process-clock.ts';

/** Between two reports of one kind. */
export const PERIOD_MS = 60_000;
/** The largest number of kinds of refusals that are counted separately. */
export const MAX_KINDS = 64;

interface Watched {
  readonly members: MemberList;
  readonly onEvent?: ((event: ClusterNodeEvent) => void) | undefined;
}

/** The same options; `onEvent` gets fewer refusals. */
export function limitRefusals<Options extends Watched>(options: Options, nowMs = PROCESS_CLOCK.now): Options {
  const { members, onEvent } = options;
  if (onEvent === undefined) return options;
  const addresses = members.members.map(({ address }) => address);
  const latest = new Map<string, { readonly atMs: number; repeats: number }>();
  const makeRoom = (now: number): void => {
    if (latest.size < MAX_KINDS) return;
    for (const [kind, { atMs }] of latest) if (now - atMs >= PERIOD_MS) latest.delete(kind);
  };
  /** How many were left out before this one; null if it is left out itself. */
  const repeatsOf = (named: string, now: number): number | null => {
    if (!latest.has(named)) makeRoom(now);
    const kind = latest.has(named) || latest.size < MAX_KINDS ? named : 'others';
    const last = latest.get(kind);
    if (last !== undefined && now - last.atMs < PERIOD_MS) {
      last.repeats++;
      return null;
    }
    latest.set(kind, { atMs: now, repeats: 0 });
    return last?.repeats ?? 0;
  };
  const take = (event: ClusterNodeEvent): void => {
    const isOfPeer = event.type === 'member' || event.type === 'wire';
    const kind = isOfPeer ? kindOf(event, addresses) : null;
    const repeats = kind === null ? 0 : repeatsOf(kind, nowMs());
    if (repeats === 0) onEvent(event);
    else if (repeats !== null && isOfPeer) onEvent({ ...event, repeats });
  };
  return { ...options, onEvent: take };
}

type PeerEvent = Extract<ClusterNodeEvent, { type: 'member' | 'wire' }>;

/** Who was refused, and why; null for another event. An unauthenticated connection has another port each time. */
function kindOf({ event, type }: PeerEvent, addresses: readonly string[]): string | null {
  if (event.type === 'refused-by-peer') return `${type} ${event.peer} ${event.type} ${event.text}`;
  if (event.type === 'other-members') return `${type} ${event.peer} ${event.type} ${event.version}`;
  if (event.type !== 'refused') return null;
  if ('from' in event) return `${type} ${event.from} ${event.reason}`;
  const { address, peer, reason, text } = event;
  const place = addresses.includes(address) ? address : parseAddress(address).host;
  return `${type} ${peer ?? place} ${reason} ${text}`;
}
