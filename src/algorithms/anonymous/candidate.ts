/**
 * What a node without an id is in an election by lot: it stands with a number that it has drawn, in a round, and goes
 * by the pair of both. Itai–Rodeh in all its forms.
 */
import { choice, counter, integer, type Limit, MAX_WORD, type View } from '../../kernel/index.ts';

/** Parameter c: how many numbers there are to draw from. One would be no lot: all would draw the same for ever. */
export const sides = integer('ids are drawn from 1 to c', {
  min: 2,
  max: MAX_WORD,
  byDefault: (n) => Math.max(2, n),
});

/**
 * No largest round follows from the algorithm: it takes a word, and more rounds than fit it never come to pass. Rounds are
 * compared with one another and counted up, and with nothing else.
 */
export const roundNumber = counter(MAX_WORD, { relative: true });

const largestDrawn: Limit = ({ params }) => Number(params.c);

export const drawnId = counter(largestDrawn);

/** Who stands no more does not compare itself with anybody. */
const unread = { at: ['passive', 'leader'] };

/** A node that does not initiate is passive from the start. */
export const candidate = {
  at: choice(['passive', 'active', 'leader']),
  round: counter(MAX_WORD, { relative: true, unread }),
  id: counter(largestDrawn, { unread }),
};

interface Pair {
  readonly round: number;
  readonly id: number;
}

/** Above 0 if a token is stronger than a candidate, below if weaker, 0 if their pairs are the same; rounds count first. */
export function strength(token: Pair, { round, id }: Pick<View<typeof candidate>, 'round' | 'id'>): number {
  return token.round - round || token.id - id;
}
