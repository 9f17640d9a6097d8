/** The options of the TCP transport, and their bounds. */
import { InputError, show } from '@hustings/base';
import type { MemberList } from '../member-list/member-list.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { WireClock } from './connection.ts';
import type { WirePolicy } from './policy.ts';
import type { WireEvent } from './refusal.ts';
import type { ClusterSecurity } from './security.ts';
import type { FolderCheck } from './session.ts';

/** What a member needs to talk to the others. */
export interface WireOptions {
  readonly members: MemberList;
  /** All members have this list from a file, so that lists of one version must be equal. True unless given. */
  readonly isFromFile?: boolean | undefined;
  /** What all members must have in common; members with others are refused. Nothing unless given. */
  readonly settings?: ClusterSettings | undefined;
  /** The folder of this process, where folders are compared. */
  readonly folders?: FolderCheck | undefined;
  /** The member that this process is. */
  readonly id: number;
  readonly security: ClusterSecurity;
  /** HOST:PORT where this process listens, if it is not its address in the list, as behind a proxy. */
  readonly listen?: string | undefined;
  /** A heartbeat is sent if nothing else was for this long: 100 unless given. */
  readonly heartbeatMs?: number | undefined;
  /** A connection on which nothing arrives for this long is opened again: 20 heartbeats and at least 2,000 unless given. */
  readonly silenceMs?: number | undefined;
  /** Called with each event of a link. */
  readonly onEvent?: ((event: WireEvent) => void) | undefined;
}

/** What only tests replace. @internal */
export interface WireInternals {
  readonly clock: WireClock;
  readonly policy: WirePolicy;
  /** In [0, 1). */
  random(): number;
}

export function pulseOptions({
  heartbeatMs = 100,
  silenceMs,
}: Pick<WireOptions, 'heartbeatMs' | 'silenceMs'>): {
  readonly heartbeatMs: number;
  readonly silenceMs: number;
} {
  checkMs('heartbeatMs', heartbeatMs, 1, 3_600_000);
  const silence = silenceMs ?? Math.max(2_000, 20 * heartbeatMs);
  checkMs('silenceMs', silence, 2 * heartbeatMs, 86_400_000);
  return { heartbeatMs, silenceMs: silence };
}

function checkMs(name: string, value: unknown, least: number, most: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw new InputError(`${name} must be a whole number from ${least} to ${most}, not ${show(value)}`);
}
