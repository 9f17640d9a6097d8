/** Why a connection is closed. */

/** The check that a peer did not pass. */
export type RefusalReason =
  | 'frame' // length, version, type or body of a frame
  | 'mac'
  | 'certificate'
  | 'identity' // the certificate names another member, or none
  | 'cluster'
  | 'member' // the id is not in the member list
  | 'recipient' // the peer wants to reach, or is, another member
  | 'duplicate' // a newer process runs as this member
  | 'members' // the same version of the member list with other content
  | 'settings' // another algorithm, or other durations
  | 'folder' // its member had another folder before
  | 'sequence'
  | 'timeout'
  | 'strangers' // more connections that are not authenticated than the policy allows
  | 'unread';

/** Refuses a peer. The message is one line for the log, and is sent to the peer if its hello could be read. */
export class PeerRefused extends Error {
  constructor(
    readonly reason: RefusalReason,
    message: string,
  ) {
    super(message);
  }
}

/** What a transport reports beside frames, for the log and for metrics. No text holds a secret. */
export type WireEvent =
  | { readonly type: 'connected'; readonly peer: number }
  | { readonly type: 'disconnected'; readonly peer: number; readonly text: string }
  /** This process closed a connection. The peer is null if it did not prove who it is. */
  | {
      readonly type: 'refused';
      readonly peer: number | null;
      readonly address: string;
      readonly reason: RefusalReason;
      readonly text: string;
    }
  /** The other side closed the connection and says why. It may be another process at the address of the peer. */
  | { readonly type: 'refused-by-peer'; readonly peer: number; readonly text: string }
  /** The first of a series of attempts that failed. */
  | { readonly type: 'unreachable'; readonly peer: number; readonly text: string }
  /** Its member file has another version. */
  | { readonly type: 'other-members'; readonly peer: number; readonly version: number };
