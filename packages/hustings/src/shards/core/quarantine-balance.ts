/**
 * The balance of a plan in which members are quarantined from shards. A quarantine may keep a member that has more than its
 * share from giving a shard directly to a member that has less: then a shard moves to a third member, which gives up another one.
 *
 * Guaranteed: afterwards no sequence of such moves would improve the balance. So no assignment that respects the quarantines
 * is better balanced, and a plan at rest stays as it is: only moves that improve the balance are made.
 */

/** A member with the shards that the plan gives to it. */
export interface MemberShare {
  readonly id: string;
  readonly weight: number;
  /** In the order in which they are given away: the last one first. */
  readonly shards: string[];
}

/** Moves shards between the shares, in place. */
export function balanceQuarantined(
  shares: readonly MemberShare[],
  isQuarantined: (shard: string, id: string) => boolean,
): void {
  const sum = (of: (share: MemberShare) => number): number => shares.reduce((all, each) => all + of(each), 0);
  const perWeight = sum(({ shards }) => shards.length) / sum(({ weight }) => weight);
  while (shares.some((share) => giveOne(share, shares, perWeight, isQuarantined))) {
    // Each time the balance has improved, so this ends.
  }
}

/** A shard of `to` that goes to the next member of the path, and the path to `to` before it. */
interface Reached {
  readonly share: MemberShare;
  readonly from: { readonly reached: Reached; readonly shard: string } | null;
}

/** Gives one shard of this member away, by the shortest path to the member that needs one most. */
function giveOne(
  share: MemberShare,
  shares: readonly MemberShare[],
  perWeight: number,
  isQuarantined: (shard: string, id: string) => boolean,
): boolean {
  const gain = costOf(share, share.shards.length - 1, perWeight);
  const reached: Reached[] = [{ share, from: null }];
  const missing = new Set(shares.filter((other) => other !== share));
  let best: Reached | null = null;
  let least = gain;
  for (const each of reached) {
    for (const other of missing) {
      const shard = each.share.shards.findLast((one) => !isQuarantined(one, other.id));
      if (shard === undefined) continue;
      missing.delete(other);
      const next = { share: other, from: { reached: each, shard } };
      reached.push(next);
      const cost = costOf(other, other.shards.length, perWeight);
      if (cost < least) [best, least] = [next, cost];
    }
  }
  for (let to = best; to?.from; to = to.from.reached) move(to.from.shard, to.from.reached.share, to.share);
  return best !== null;
}

/**
 * What one more shard costs a member that has `count`: negative below its quota rounded down, positive from its quota rounded
 * up on, and more the further it is. Between the two, both counts are in balance.
 */
function costOf({ weight }: MemberShare, count: number, perWeight: number): number {
  const quota = perWeight * weight;
  // The quota of integers may miss an integer by a rounding error.
  const [low, high] = [Math.floor(quota + EPSILON), Math.ceil(quota - EPSILON)];
  return count < low ? (count - low) / weight : count < high ? 0 : (count + 1 - high) / weight;
}

const EPSILON = 1e-9;

function move(shard: string, from: MemberShare, to: MemberShare): void {
  from.shards.splice(from.shards.indexOf(shard), 1);
  to.shards.push(shard);
}
