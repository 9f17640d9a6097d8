/**
 * The checks that keep strangers out, in one place, so that a test can take out each one and see the attack that it stops.
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
  readonly mostStrangerBytes: number;
  readonly mostMemberBytes: number;
  /** Connections that have not proved who they are; the oldest is closed for one more. */
  readonly mostStrangers: number;
  readonly handshakeTimeoutMs: number;
  /** Bytes that a peer has not read; one that is further behind is disconnected. */
  readonly mostUnreadBytes: number;
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
  mostStrangerBytes: 2_048,
  mostMemberBytes: 65_536,
  mostStrangers: 64,
  handshakeTimeoutMs: 5_000,
  mostUnreadBytes: 2_000_000,
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
