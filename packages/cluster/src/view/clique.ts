/** Which members hear each other, and the clique that one of them proposes. */

/** What a member says about itself to all others. */
export interface MemberView {
  /** The members that it hears, without itself. */
  readonly hears: readonly number[];
  /** The member that it takes for the proposer: the smallest id among itself and those with which it hears each other. */
  readonly chooses: number;
  /** The largest epoch number that it has seen. */
  readonly seen: number;
  /** The epoch that it takes part in. */
  readonly epoch: Epoch | null;
}

/** One election: its members, and a number that no other epoch of the same proposer has. */
export interface Epoch {
  readonly number: number;
  readonly proposer: number;
  /** Ids, ascending. */
  readonly members: readonly number[];
}

/** Orders epochs: by number, then by proposer. */
export function compareEpochs(a: Epoch, b: Epoch): number {
  return a.number - b.number || a.proposer - b.proposer;
}

export function isSameEpoch(a: Epoch | null, b: Epoch | null): boolean {
  return a === null || b === null ? a === b : compareEpochs(a, b) === 0;
}

/** Whether two members hear each other, as far as their views tell. */
export function areConnected(
  a: MemberView | undefined,
  idA: number,
  b: MemberView | undefined,
  idB: number,
): boolean {
  return a !== undefined && b !== undefined && a.hears.includes(idB) && b.hears.includes(idA);
}

/** The members with which `self` hears each other, ascending. */
export function mutualMembers(self: number, views: ReadonlyMap<number, MemberView>): number[] {
  const own = views.get(self);
  return [...views.keys()]
    .filter((id) => id !== self && areConnected(own, self, views.get(id), id))
    .sort((a, b) => a - b);
}

/**
 * The clique that `self` proposes: itself, then greedily by ascending id each member that chooses `self` and is connected
 * with all so far. Null if others are connected with it and none chooses it: it is outside another member's clique, and an
 * epoch of its own would only add a leader.
 */
export function cliqueOf(self: number, views: ReadonlyMap<number, MemberView>): number[] | null {
  const mutual = mutualMembers(self, views);
  const clique = [self];
  for (const id of mutual) {
    const view = views.get(id);
    if (view?.chooses !== self) continue;
    if (clique.every((other) => areConnected(view, id, views.get(other), other))) clique.push(id);
  }
  return clique.length === 1 && mutual.length > 0 ? null : clique.sort((a, b) => a - b);
}
