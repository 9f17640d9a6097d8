/** Every sequence of outcomes that the calls of `random` in a step can have: the step is run once for each. */

import { InputError, OutcomesError } from '../errors.ts';

/** A handler that draws more often has at least 2^64 sequences, or draws until it likes the result, and then they have no end. */
const MAX_DRAWS = 64;
/** A step with more outcomes takes too long: a search cannot be interrupted within a step. */
export const MAX_OUTCOMES = 1 << 16;

/** What has too many outcomes: a step, or a round of a synchronous network. */
export function tooManyOutcomes(what: 'step' | 'round'): OutcomesError {
  return new OutcomesError(
    `the random draws of one ${what} have more than ${MAX_OUTCOMES} outcomes; draw less often, or from fewer numbers`,
  );
}

/** The sequences of outcomes of one step, one after the other. */
export class DrawSequences {
  private readonly drawn: { value: number; readonly sides: number }[] = [];
  private next = 0;
  /** The number of sequences that must exist: those so far, and one for each outcome that was not drawn yet. */
  private certain = 1;

  /** The next outcome of the present sequence. */
  readonly draw = (sides: number): number => {
    if (this.next === this.drawn.length) {
      if (this.next === MAX_DRAWS) {
        throw new InputError(
          `a handler that draws until it likes the result cannot be searched: one call drew ${MAX_DRAWS} numbers; draw once from ` +
            'the numbers that it accepts, or draw again in a later event',
        );
      }
      this.certain += sides - 1;
      if (this.certain > MAX_OUTCOMES) throw tooManyOutcomes('step');
      this.drawn.push({ value: 1, sides });
    }
    return this.drawn[this.next++].value;
  };

  /** Back to the first sequence of a step. */
  reset(): void {
    this.drawn.length = 0;
    this.next = 0;
    this.certain = 1;
  }

  /** The present sequence is drawn once more. */
  rewind(): void {
    this.next = 0;
  }

  /** How many draws the present sequence has. */
  get length(): number {
    return this.drawn.length;
  }

  /** The present sequence has probability 1/among. */
  get among(): bigint {
    return this.drawn.reduce((product, { sides }) => product * BigInt(sides), 1n);
  }

  /** Moves to the next sequence, as an odometer does: the last draw first. False after the last sequence. */
  advance(): boolean {
    this.next = 0;
    let last = this.drawn.at(-1);
    for (; last !== undefined && last.value === last.sides; last = this.drawn.at(-1)) this.drawn.pop();
    if (last === undefined) return false;
    last.value++;
    return true;
  }
}

/** `run` once for every sequence. A caller with many steps brings the sequences, which serve one step at a time. */
export function forEachSequence<T>(
  run: (sequence: DrawSequences) => T,
  sequence: DrawSequences = new DrawSequences(),
): T[] {
  const results: T[] = [];
  sequence.reset();
  do results.push(run(sequence));
  while (sequence.advance());
  return results;
}
