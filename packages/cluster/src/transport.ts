/**
 * What the cluster needs of a network. `wire` implements it over TCP; the tests have one in memory, with seeds, delays, cuts
 * and resets. Members are named by their ids, which a change of the member list does not move.
 */

/** Delivers frames between the present incarnations of members: once, in order, unless the link is reset. */
export interface Transport {
  /** Resolves when frames of others can arrive. */
  open(events: TransportEvents): Promise<void>;
  /** Kept until the peer acknowledges it. To a peer without a connection it waits; a full queue resets the link. */
  send(to: number, frame: Frame): void;
  /**
   * Drops what the peer has not acknowledged, and calls `onReset` with it before it returns. For a suspected peer: after a
   * cut heals, it must not receive messages whose sender was told that they were not delivered.
   */
  reset(to: number): void;
  /** Resolves when no link is open any more. */
  close(): Promise<void>;
}

/** What a transport reports to its member. */
export interface TransportEvents {
  /** The body is parsed as JSON and bounded. It is NOT yet checked against the algorithm's schema. */
  onFrame(from: number, frame: Frame): void;
  /** At each frame and heartbeat, for the failure detector. */
  onSignOfLife(from: number): void;
  /** A process has connected that runs as this member in this folder: before its frames, and again with each connection. */
  onFolder?(peer: number, folder: string): void;
  /** A new incarnation of the peer, a queue that was full, or `reset`: these frames may or may not have arrived. */
  onReset(peer: number, unacknowledged: readonly Frame[]): void;
}

/** What a member has sent and received since it was opened, heartbeats included. */
export interface Traffic {
  framesSent: number;
  bytesSent: number;
  framesReceived: number;
  bytesReceived: number;
}

/** One unit of transfer between two members. */
export type Frame = {
  readonly type: 'message' | 'epoch' | 'support' | 'members' | 'folder' | 'recovery';
  readonly [field: string]: unknown;
};
