/**
 * The leading half of the quorum gate, as pure functions: a member that was elected claims the lead, and leads while a
 * majority of all configured members supports it.
 *
 * Guarantees, if clock rates differ by less than the margin allows: no two members lead at the same time, and tokens rise
 * from leader to leader. Two majorities share a member. It answered the earlier leader after the request was sent, and
 * supports no other leader for a whole lease after its answer; the earlier leader counts the lease from the sending.
 * Does not guarantee that a majority can be found.
 */

export interface LeadClaim {
  readonly token: number;
  /** By member: when the latest request that the member granted was sent. The claimant's own support is one of them. */
  readonly grantedMs: ReadonlyMap<number, number>;
  /** It has had a majority. Once it has lost it, it is over: the next lead has another token. */
  readonly hasLed: boolean;
}

/** The durations of the gate. */
export interface GateTiming {
  readonly leaseMs: number;
  /** A leader stops this long before the support of a majority ends: clocks do not run at equal rates. */
  readonly marginMs: number;
}

export function newClaim(token: number): LeadClaim {
  return { token, grantedMs: new Map(), hasLed: false };
}

/** A member granted a request that was sent at `sentMs`. */
export function granted(
  claim: LeadClaim,
  by: number,
  sentMs: number,
  nowMs: number,
  size: number,
  timing: GateTiming,
): LeadClaim {
  if (isOver(claim, nowMs, size, timing)) return claim;
  const before = claim.grantedMs.get(by) ?? Number.NEGATIVE_INFINITY;
  const grantedMs = new Map(claim.grantedMs).set(by, Math.max(before, sentMs));
  const next = { ...claim, grantedMs };
  return { ...next, hasLed: claim.hasLed || nowMs < leadsUntilMs(next, size, timing) };
}

/** Until when a claim has the support of a majority; −∞ if it never had it. */
export function leadsUntilMs(
  { grantedMs }: LeadClaim,
  size: number,
  { leaseMs, marginMs }: GateTiming,
): number {
  const majority = Math.floor(size / 2) + 1;
  const latestFirst = [...grantedMs.values()].sort((a, b) => b - a);
  return (latestFirst[majority - 1] ?? Number.NEGATIVE_INFINITY) + leaseMs - marginMs;
}

/**
 * A claim that had a majority and has lost it. One that has not found a majority yet is not over, however long that takes: the
 * disks of the others may need longer than a lease, and each further token would have to be saved again.
 */
export function isOver(claim: LeadClaim, nowMs: number, size: number, timing: GateTiming): boolean {
  return claim.hasLed && nowMs >= leadsUntilMs(claim, size, timing);
}
