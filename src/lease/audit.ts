/**
 * A check over recorded terms, of one store or of all that candidates wrote down: no two terms of an election overlap,
 * and later terms have larger tokens. A term that several recorded counts once.
 *
 * The times are those of the wall clock that recorded them: between several recorders it finds no overlap that is
 * smaller than the difference of their clocks, and may find one of that size that was none.
 */
import type { Term } from './lease-store.ts';

export interface Conflict {
  /** overlap: both led at once, for `byMs`. token: the later one's token is not larger. */
  readonly type: 'overlap' | 'token';
  readonly earlier: Term;
  readonly later: Term;
  readonly byMs: number;
}

export function overlaps(terms: readonly Term[]): Conflict[] {
  const byName = new Map<string, Term[]>();
  for (const term of terms) {
    const others = byName.get(term.name);
    if (others === undefined) byName.set(term.name, [term]);
    else others.push(term);
  }
  return [...byName.values()].flatMap(overlapsOfOne);
}

/** A term that still lasts may last as long as it was granted. */
const endOf = ({ endMs, claimedUntilMs }: Term): number => endMs ?? claimedUntilMs;

function overlapsOfOne(terms: readonly Term[]): Conflict[] {
  const once = [...new Map(terms.map((term) => [`${term.token} ${term.nonce}`, term])).values()];
  // Terms of no length may begin at once: their tokens order them.
  once.sort((a, b) => a.startMs - b.startMs || endOf(a) - endOf(b) || (a.token < b.token ? -1 : 1));
  const conflicts: Conflict[] = [];
  let lasting: Term | undefined;
  let highest: Term | undefined;
  for (const later of once) {
    if (lasting !== undefined && later.startMs < endOf(lasting)) {
      const byMs = Math.min(endOf(lasting), endOf(later)) - later.startMs;
      conflicts.push({ type: 'overlap', earlier: lasting, later, byMs });
    }
    if (highest !== undefined && later.token <= highest.token) {
      conflicts.push({ type: 'token', earlier: highest, later, byMs: 0 });
    }
    if (lasting === undefined || endOf(later) > endOf(lasting)) lasting = later;
    if (highest === undefined || later.token > highest.token) highest = later;
  }
  return conflicts;
}
