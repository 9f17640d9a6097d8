/**
 * Which peers are suspected. A process that was stopped (SIGSTOP, a long garbage collection, a suspended machine) heard
 * nobody in that time. It recognises its own pause by its own polls, which are late, and counts none of it as silence of
 * others; otherwise it would suspect everybody when it resumes.
 */
import { type DetectorLimits, PhiAccrual } from './phi-accrual.ts';

/** What changed at a poll or a sign of life. */
export interface SuspicionChange {
  readonly peer: number;
  readonly suspected: boolean;
}

/** The failure detector of one member. */
export class PeerDetector {
  /** How often `poll` must be called. */
  readonly pollMs: number;
  private readonly peers = new Map<number, PhiAccrual>();
  private readonly suspected = new Set<number>();
  private readonly receivedFrom = new Set<number>();
  private polledMs: number;

  constructor(
    private readonly limits: DetectorLimits,
    peers: readonly number[],
    nowMs: number,
  ) {
    this.pollMs = limits.heartbeatMs / 2;
    this.polledMs = nowMs;
    for (const peer of peers) this.peers.set(peer, new PhiAccrual(limits, nowMs));
  }

  /** Other peers: those that stay keep their history. */
  usePeers(peers: readonly number[], nowMs: number): void {
    for (const peer of [...this.peers.keys()]) {
      if (peers.includes(peer)) continue;
      this.peers.delete(peer);
      this.suspected.delete(peer);
      this.receivedFrom.delete(peer);
    }
    for (const peer of peers)
      if (!this.peers.has(peer)) this.peers.set(peer, new PhiAccrual(this.limits, nowMs));
  }

  /** A sign of life; returns a change if the peer was suspected. */
  hear(peer: number, nowMs: number): SuspicionChange | null {
    const phi = this.peers.get(peer);
    if (phi === undefined) return null;
    this.noticePause(nowMs);
    phi.hear(nowMs);
    this.receivedFrom.add(peer);
    return this.suspected.delete(peer) ? { peer, suspected: false } : null;
  }

  /** New suspicions. */
  poll(nowMs: number): SuspicionChange[] {
    this.noticePause(nowMs);
    this.polledMs = nowMs;
    const changes: SuspicionChange[] = [];
    for (const [peer, phi] of this.peers) {
      if (this.suspected.has(peer) || !phi.suspects(nowMs)) continue;
      this.suspected.add(peer);
      changes.push({ peer, suspected: true });
    }
    return changes;
  }

  /** Whether this peer has been silent for too long. */
  suspects(peer: number): boolean {
    return this.suspected.has(peer);
  }

  /** Whether it was ever heard. */
  hasReceivedFrom(peer: number): boolean {
    return this.receivedFrom.has(peer);
  }

  /** The suspicion of this peer: 0 right after a heartbeat, and larger the longer it is silent. */
  phi(peer: number, nowMs: number): number {
    return this.peers.get(peer)?.phi(nowMs) ?? 0;
  }

  /** The peers that were heard and are not suspected, in the order of the members. */
  hears(): number[] {
    return [...this.peers.keys()].filter((peer) => this.receivedFrom.has(peer) && !this.suspected.has(peer));
  }

  /** A poll may be late by one interval; what is beyond that is a pause. */
  private noticePause(nowMs: number): void {
    const pauseMs = nowMs - this.polledMs - 2 * this.pollMs;
    if (pauseMs <= 0) return;
    for (const phi of this.peers.values()) phi.forgive(pauseMs);
    this.polledMs += pauseMs;
  }
}
