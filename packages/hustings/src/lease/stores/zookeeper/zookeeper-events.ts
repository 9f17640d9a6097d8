/** What a session reports to its owner. */

/** changed: data; the others say what became of the node. */
export type NodeEvent = 'created' | 'deleted' | 'changed' | 'other';
/** By their numbers in the protocol. */
export const EVENTS: readonly NodeEvent[] = ['other', 'created', 'deleted', 'changed'];

/** Calls of the session to its owner. */
export interface SessionListener {
  /** Whether requests are answered now. Watches of an earlier connection are gone. */
  onConnection(isConnected: boolean): void;
  onEvent(path: string, event: NodeEvent): void;
  /** The server has ended the session, with its nodes. */
  onExpired(): void;
}
