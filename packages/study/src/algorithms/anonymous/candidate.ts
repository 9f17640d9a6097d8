/**
 * The state of an anonymous candidate in the randomized elections of Itai and Rodeh: it draws an id in each round and
 * is compared by the pair (round, id).
 */
import {
  choice,
  counter,
  integer,
  type Limit,
  MAX_WORD,
  type StateRecord,
  type View,
} from '../../kernel/index.ts';

/** Parameter c: the number of possible ids. With c = 1 all nodes would draw the same id in every round. */
export const idRange = integer('ids are drawn from 1 to c', {
  min: 2,
  max: MAX_WORD,
  byDefault: (n) => Math.max(2, n),
});

/**
 * The algorithm has no largest round; a 32-bit word is enough in practice. Rounds are only incremented and compared with
 * one another, so the checker may shift them all alike (relative).
 */
export const roundNumber = counter(MAX_WORD, { relative: true });

const largestDrawn: Limit = ({ params }) => Number(params.c);

export const drawnId = counter(largestDrawn);

/** With more numbers or rounds than these a search takes minutes; without a bound it never ends, because rounds have none. */
export const roundPresets = { small: { nodes: 3, set: { c: 2 }, bound: { round: 2 } } } as const;

/** A node that is not active no longer compares its pair. */
const unread = { at: ['passive', 'leader'] };

/** A node that does not initiate is passive from the start. */
export const candidate = {
  at: choice(['passive', 'active', 'leader']),
  round: counter(MAX_WORD, { relative: true, unread }),
  id: counter(largestDrawn, { unread }),
};

/** The round of a node that still compares its pair. */
export function candidatePhase({ at, round }: StateRecord<typeof candidate>): string | null {
  return at === 'active' ? `round ${round}` : null;
}

interface Pair {
  readonly round: number;
  readonly id: number;
}

/** Positive if a token is stronger than a candidate, negative if weaker, 0 if equal: by round, then by id. */
export function strength(token: Pair, { round, id }: Pick<View<typeof candidate>, 'round' | 'id'>): number {
  return token.round - round || token.id - id;
}
