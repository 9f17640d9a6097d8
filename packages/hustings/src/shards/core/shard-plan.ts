/**
 * Which member should own which shard: a pure function of what a member sees. There is no coordinator. Every member computes
 * the plan and acts for itself alone: it claims the shards that the plan gives to it, and hands over those that the plan gives
 * to another member. Members that see the same compute the same plan. Members that see different things may claim one shard;
 * its lease decides.
 *
 * Guaranteed, for any view:
 * - Balance: with n shards and the total weight W, a member of weight w gets n·w/W shards, rounded up or down.
 * - Least moves: a shard whose owner is a member moves only if its owner has more than its quota, and no shard moves between
 *   two members that stay below theirs. A plan that is carried out is its own plan: moves end.
 * - Order does not matter: carrying out a part of the plan, in any order, leaves the plan as it was.
 *
 * A member may be quarantined from a shard, because it does not take it. Then the shard goes to another one, and another shard to
 * the quarantined member instead: no assignment that respects the quarantines is better balanced (quarantine-balance.ts).
 */
import { balanceQuarantined } from './quarantine-balance.ts';
import { textHash } from './text-hash.ts';

/** A process that takes part in a shard group. */
export interface ShardMember {
  readonly id: string;
  /** Its share of the shards is its part of the sum of all weights. */
  readonly weight: number;
}

export interface ShardView {
  readonly members: readonly ShardMember[];
  /** Every live shard, with its owner or the member for which it is reserved; null if nobody has it. */
  readonly owners: ReadonlyMap<string, string | null>;
  /** By shard: members that do not take it. */
  readonly quarantined?: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The member that should own each shard. A shard from which all members are quarantined is left out. */
export type ShardPlan = ReadonlyMap<string, string>;

export function planShards(view: ShardView): ShardPlan {
  const members = [...view.members].sort(byId);
  const { owners, quarantined = NONE } = view;
  const isQuarantined = (shard: string, id: string): boolean => quarantined.get(shard)?.has(id) ?? false;
  // A shard that cannot go to every member is the last one to move.
  const sorted = [...owners.keys()].sort();
  const shards = [
    ...sorted.filter((shard) => quarantined.has(shard)),
    ...sorted.filter((each) => !quarantined.has(each)),
  ];
  const plan = new Map<string, string>();
  if (members.length === 0) return plan;
  const owned = new Map<string, string[]>(members.map(({ id }) => [id, []]));
  const ownerOf = (shard: string): string => {
    const owner = owners.get(shard) ?? '';
    return isQuarantined(shard, owner) ? '' : owner;
  };
  for (const shard of shards) owned.get(ownerOf(shard))?.push(shard);
  const quotas = quotasOf(members, shards.length, owned);
  for (const { id } of members) {
    // A surplus is always the last of the shards in order: after a part of it has moved, the rest is still the surplus.
    for (const shard of owned.get(id)!.slice(0, quotas.get(id))) plan.set(shard, id);
  }
  const room = new Map(
    members.map(({ id }) => [id, quotas.get(id)! - Math.min(quotas.get(id)!, owned.get(id)!.length)]),
  );
  for (const shard of shards) {
    if (plan.has(shard)) continue;
    const allowed = [...room].filter(([id]) => !isQuarantined(shard, id));
    const withRoom = allowed.filter(([, left]) => left > 0);
    if (allowed.length === 0) continue;
    const owner = ownerOf(shard);
    // Without room for it, a shard stays where it is.
    const to =
      withRoom.length === 0 && owned.has(owner)
        ? owner
        : bestFor(shard, withRoom.length === 0 ? allowed : withRoom);
    room.set(to, room.get(to)! - 1);
    plan.set(shard, to);
  }
  return quarantined.size === 0 ? plan : balanced(members, shards, plan, owners, isQuarantined);
}

/** A shard that moves anyway is the first to go elsewhere; then one that can go to every member. */
function balanced(
  members: readonly ShardMember[],
  shards: readonly string[],
  plan: ShardPlan,
  owners: ShardView['owners'],
  isQuarantined: (shard: string, id: string) => boolean,
): ShardPlan {
  const shares = members.map(({ id, weight }) => {
    const own = shards.filter((shard) => plan.get(shard) === id);
    const stays = (shard: string): boolean => owners.get(shard) === id;
    return { id, weight, shards: [...own.filter(stays), ...own.filter((shard) => !stays(shard))] };
  });
  balanceQuarantined(shares, isQuarantined);
  return new Map(shares.flatMap(({ id, shards: own }) => own.map((shard) => [shard, id] as const)));
}

const NONE: ReadonlyMap<string, ReadonlySet<string>> = new Map();

/** Rounded up for as many members as needed: first for those that own more than the rounded-down number, so that less moves. */
function quotasOf(
  members: readonly ShardMember[],
  shards: number,
  owned: ReadonlyMap<string, readonly string[]>,
): ReadonlyMap<string, number> {
  const weights = members.reduce((sum, { weight }) => sum + weight, 0);
  const quotas = new Map(members.map(({ id, weight }) => [id, Math.floor((shards * weight) / weights)]));
  let left = shards - [...quotas.values()].reduce((sum, quota) => sum + quota, 0);
  const rounded = members.filter(({ weight }) => (shards * weight) % weights > 0);
  const owns = ({ id }: ShardMember): boolean => owned.get(id)!.length > quotas.get(id)!;
  for (const { id } of [...rounded.filter(owns), ...rounded.filter((member) => !owns(member))]) {
    if (left-- > 0) quotas.set(id, quotas.get(id)! + 1);
  }
  return quotas;
}

/** By rendezvous hashing: members whose views differ a little still agree on most shards. */
function bestFor(shard: string, members: readonly (readonly [id: string, room: number])[]): string {
  let best = '';
  let most = -1;
  for (const [id] of members) {
    const score = textHash(`${id}\0${shard}`);
    if (score > most) {
      most = score;
      best = id;
    }
  }
  return best;
}

const byId = (a: ShardMember, b: ShardMember): number => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);

/** What a member holds and wants at the moment. */
export interface OwnShards {
  readonly id: string;
  /** Shards whose lease it holds. */
  readonly held: ReadonlySet<string>;
  /** Shards for which it waits. */
  readonly claimed: ReadonlySet<string>;
  /** Shards whose lease it is about to give up, with the member for which it reserves them, if any. */
  readonly ending: ReadonlyMap<string, string | null>;
}

/** What a member does: one step of its own, never one of another member. */
export interface ShardSteps {
  readonly plan: ShardPlan;
  readonly claim: readonly string[];
  /** Claims that the plan no longer gives to this member. */
  readonly withdraw: readonly string[];
  readonly handOver: readonly { readonly shard: string; readonly to: string }[];
}

/**
 * What the member knows about its own shards is newer than what it has read. A free shard that it waits for counts as its own:
 * otherwise the plan of a member whose requests are under way would change its mind without end.
 */
export function stepsOf(view: ShardView, own: OwnShards): ShardSteps {
  const owners = new Map(view.owners);
  const isMember = (id: string | null): boolean => view.members.some((member) => member.id === id);
  for (const shard of own.held) if (owners.has(shard)) owners.set(shard, own.id);
  for (const [shard, to] of own.ending) if (owners.get(shard) === own.id) owners.set(shard, to);
  for (const shard of own.claimed) {
    const owner = owners.get(shard);
    if (owner !== undefined && !isMember(owner)) owners.set(shard, own.id);
  }
  const plan = planShards({ ...view, owners });
  const claim: string[] = [];
  const handOver: { shard: string; to: string }[] = [];
  for (const [shard, to] of plan) {
    if (to !== own.id && own.held.has(shard)) handOver.push({ shard, to });
    else if (to === own.id && !own.held.has(shard) && !own.claimed.has(shard) && !own.ending.has(shard)) {
      claim.push(shard);
    }
  }
  const withdraw = [...own.claimed].filter((shard) => plan.get(shard) !== own.id);
  return { plan, claim, withdraw, handOver };
}
