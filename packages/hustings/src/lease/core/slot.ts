/**
 * An election with several slots: up to that many candidates lead at once, each with a lease of its own. So P1 of each lease
 * bounds the number of leaders. The first slot is the lease of the election without slots: candidates that disagree on
 * the number share leases, and there are never more leaders than the largest number says.
 *
 * A nonce tells the number of slots that its candidate was given, so that candidates notice a disagreement.
 */

/** A waiting candidate asks for all of them in one request. */
export const MAX_SLOTS = 100;

/** The name of the lease of one slot, from 1, for a store, `history`, `evict` and fences. */
export function slotName(name: string, slot: number): string {
  return slot === 1 ? name : `${name}#${slot}`;
}

/** The names of all slots, in order. */
export function slotNames(name: string, slots: number): readonly string[] {
  return Array.from({ length: slots }, (_, index) => slotName(name, index + 1));
}

/** The identity of a candidate, with its number of slots. */
export const slotIdentity = (identity: string, slots: number): string =>
  slots === 1 ? identity : `${identity}/of${slots}`;

/** The number of slots of the candidate with this nonce. */
export function slotsOf(nonce: string): number {
  const [, slots] = /\/of(\d+)\.\d+$/.exec(nonce) ?? [];
  return slots === undefined ? 1 : Number(slots);
}
