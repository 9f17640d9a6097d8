/**
 * Which peers must be told a view. While many members start, the view of each changes with every other one. If all told all
 * others each change, the frames would grow with the cube of the members.
 *
 * T1 The member that it takes for the proposer is told every change: only the proposer builds a clique.
 * T2 Another peer is told when its proposer or its epoch changes, or when it begins or ceases to hear that peer: nothing else
 *    of a view is read there. A peer that becomes the proposer has therefore just been told the whole view.
 * T3 A peer that was never heard is not told. It has no view of this member, which means the same.
 */
import type { MemberView } from './clique.ts';

/** What one member has told each peer. */
export class ToldViews {
  private readonly told = new Map<number, string>();

  /** What this peer was told may be lost: it must be told again. */
  forget(peer: number): void {
    this.told.set(peer, '');
  }

  /** The peers that must be told this view. They count as told. */
  take(peers: readonly number[], view: MemberView): number[] {
    const { chooses, epoch, hears, seen } = view;
    const heard = new Set(hears);
    const shared = JSON.stringify([chooses, epoch]);
    const whole = `${shared} ${JSON.stringify([hears, seen])}`;
    return peers.filter((peer) => {
      if (!heard.has(peer) && !this.told.has(peer)) return false; // T3
      const text = peer === chooses ? whole : `${shared} ${heard.has(peer)}`; // T1, T2
      if (this.told.get(peer) === text) return false;
      this.told.set(peer, text);
      return true;
    });
  }
}
