/**
 * The checks that keep out all that are no members, in one place, so that a test can take out each one and see the attack that it stops.
 * Only tests pass another policy than `STRICT`.
 */
import { timingSafeEqual } from 'node:crypto';

/** What one side has said in its hello. */
export interface Hello {
  readonly cluster: string;
  readonly id: number;
  /** The member that the sender wants to reach, or has been reached by. */
  readonly to: number;
  /** Random for each process. */
  readonly incarnation: string;
  /** Random for each connection. */
  readonly nonce: string;
}

export type Direction = 'to-listener' | 'to-dialler';

export interface WirePolicy {
  /** Bounds of the length prefix, before and after the peer has proved who it is. */
  readonly maxUnauthenticatedBytes: number;
  readonly maxMemberBytes: number;
  /** Connections that have not proved who they are; one is closed for one more. */
  readonly maxUnauthenticated: number;
  /** Which one, of these remote addresses from the oldest to the newest. `random` is in [0, 1). */
  unauthenticatedToClose(addresses: readonly string[], random: number): string;
  readonly handshakeTimeoutMs: number;
  /** Bytes that a peer has not read; one that is further behind is disconnected. */
  readonly maxUnreadBytes: number;
  readonly requiresCertificate: boolean;
  /** Whether a ticket of an earlier connection replaces the certificate: its bearer needs no key, and no date is checked. */
  readonly issuesTickets: boolean;
  isMember(ids: ReadonlySet<number>, id: number): boolean;
  /** `certified` is the id of the certificate, null if it names none. */
  isCertified(certified: number | null, claimed: number): boolean;
  /** What the key of a connection depends on, besides the secret. `cluster` is the receiver's or sender's own. */
  sessionParts(cluster: string, dialler: Hello, listener: Hello): readonly string[];
  /** What the MAC of a frame depends on, besides the frame. */
  frameParts(direction: Direction, sequence: number): readonly string[];
  isSameMac(expected: Buffer, given: Buffer): boolean;
}

export const STRICT: WirePolicy = {
  maxUnauthenticatedBytes: 2_048,
  maxMemberBytes: 65_536,
  maxUnauthenticated: 64,
  unauthenticatedToClose: anyOfCrowdedHost,
  handshakeTimeoutMs: 5_000,
  maxUnreadBytes: 2_000_000,
  requiresCertificate: true,
  issuesTickets: false,
  isMember: (ids, id) => ids.has(id),
  isCertified: (certified, claimed) => certified !== null && certified === claimed,
  sessionParts: (cluster, dialler, listener) => [
    cluster,
    ...[dialler, listener].flatMap(({ id, incarnation, nonce }) => [`${id}`, incarnation, nonce]),
  ],
  frameParts: (direction, sequence) => [direction, `${sequence}`],
  // Constant time, so that a forger learns nothing of the expected bytes.
  isSameMac: (expected, given) => expected.length === given.length && timingSafeEqual(expected, given),
};

/**
 * A connection of the host with the most connections, so that a flood evicts only itself. Chance decides among the connections
 * of such hosts, because nothing tells a member from another process before it is authenticated. So each handshake may last long
 * enough, however many connections come.
 */
function anyOfCrowdedHost(addresses: readonly string[], random: number): string {
  const byHost = new Map<string, string[]>();
  for (const address of addresses) {
    const host = address.slice(0, address.lastIndexOf(':'));
    const its = byHost.get(host) ?? [];
    byHost.set(host, its);
    its.push(address);
  }
  const most = Math.max(...[...byHost.values()].map(({ length }) => length));
  const crowd = [...byHost.values()].filter(({ length }) => length === most).flat();
  return crowd[Math.floor(random * crowd.length)];
}
