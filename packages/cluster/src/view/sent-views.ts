/**
 * The views that a member has sent, and the peers to which it must send its view. While many members start, the view of each
 * changes with every other one. If all members sent each change to all others, the frames would grow with the cube of the
 * members.
 *
 * T1 Every change is sent to the member that this member takes for the proposer: only the proposer builds a clique.
 * T2 The view is sent to another peer when its proposer or its epoch changes, or when this member begins or ceases to hear that
 *    peer: the peer reads nothing else of a view. A peer that becomes the proposer has therefore just received the whole view.
 * T3 Nothing is sent to a peer that was never heard. It has no view of this member, which means the same.
 */
import type { MemberView } from './clique.ts';

/** The view that one member has sent to each peer last. */
export class SentViews {
  private readonly sent = new Map<number, string>();

  /** What was sent to this peer may be lost: the view must be sent again. */
  forget(peer: number): void {
    this.sent.set(peer, '');
  }

  /** The peers to which this view must be sent. From now on it counts as sent. */
  peersToSend(peers: readonly number[], view: MemberView): number[] {
    const { chooses, epoch, hears, seen } = view;
    const reachable = new Set(hears);
    const shared = JSON.stringify([chooses, epoch]);
    const whole = `${shared} ${JSON.stringify([hears, seen])}`;
    return peers.filter((peer) => {
      if (!reachable.has(peer) && !this.sent.has(peer)) return false; // T3
      const text = peer === chooses ? whole : `${shared} ${reachable.has(peer)}`; // T1, T2
      if (this.sent.get(peer) === text) return false;
      this.sent.set(peer, text);
      return true;
    });
  }
}
