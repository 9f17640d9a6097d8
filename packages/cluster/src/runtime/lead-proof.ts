/**
 * Until when a member leads, by the requests that a majority has granted: a lease from the sending of the latest of them, minus
 * a margin.
 *
 * Guarantees, if every member keeps its promise for the whole lease by its own clock and clock rates differ by less than the
 * margin: no other member leads before this time. The time of a request is read before the step that sends it, and its
 * answers come later. So a process that was stopped finds, at its next look at the clock, that it does not lead, whatever
 * answers and timers are waiting for it.
 * A lead that has lapsed may be taken up in the same term, by a request that was sent later. No other member has led in
 * between: the majority that grants the request has not voted in a later term.
 */
import type { NodeSummary } from '@hustings/study/kernel';

const NEVER = Number.NEGATIVE_INFINITY;

export class LeadProof {
  private term = -1;
  /** When each round of the term began. */
  private readonly beganMs = new Map<number, number>();
  private sentMs = NEVER;

  constructor(
    /** How long a proof lasts. */
    readonly leaseMs: number,
    /** Its own support is a majority, and ends with it. */
    private readonly isAlone: boolean,
  ) {}

  /** Until when it leads, if it is the leader of its term; −∞ if no majority has granted a request. */
  untilMs(nowMs: number): number {
    return (this.isAlone ? nowMs : this.sentMs) + this.leaseMs;
  }

  /** After a step, which began at `beganMs`. */
  note({ lease, term }: NodeSummary, beganMs: number): void {
    if (lease === null) return;
    const { granted, round } = lease;
    if (term !== this.term) this.begin(term);
    if (!this.beganMs.has(round)) this.beganMs.set(round, beganMs);
    for (const earlier of this.beganMs.keys()) if (earlier < granted) this.beganMs.delete(earlier);
    this.sentMs = Math.max(this.sentMs, this.beganMs.get(granted) ?? NEVER);
  }

  /** A new term, or a new start in the same one. */
  begin(term: number): void {
    this.term = term;
    this.beganMs.clear();
    this.sentMs = NEVER;
  }
}
