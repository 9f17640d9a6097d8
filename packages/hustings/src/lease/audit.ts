/**
 * Checks recorded terms, of one store or of many recorders: no two terms of an election overlap, and later terms have larger
 * tokens. A term with several records counts once.
 *
 * The times are those of the wall clock of each recorder. Between several recorders, overlaps shorter than the difference of
 * their clocks are not found, and overlaps of that size may be false.
 */
import type { Term } from './lease-store.ts';

/** Two terms that contradict P1 or P3. */
export interface Conflict {
  /** overlap: both terms led at the same time, for `byMs`. token: the token of the later term is not larger. */
  readonly type: 'overlap' | 'token';
  readonly earlier: Term;
  readonly later: Term;
  readonly byMs: number;
}

/** The conflicts of each election, in the order of time. */
export function overlaps(terms: readonly Term[]): Conflict[] {
  const byName = new Map<string, Term[]>();
  for (const term of terms) {
    const others = byName.get(term.name);
    if (others === undefined) byName.set(term.name, [term]);
    else others.push(term);
  }
  return [...byName.values()].flatMap(overlapsOfOne);
}

/** A term that has not ended may last as long as its lease was granted. */
const endOf = ({ endMs, claimedUntilMs }: Term): number => endMs ?? claimedUntilMs;

function overlapsOfOne(terms: readonly Term[]): Conflict[] {
  const once = [...new Map(terms.map((term) => [`${term.token} ${term.nonce}`, term])).values()];
  // Terms of length 0 may begin at the same time: their tokens order them.
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
