/**
 * The normal form of all states that behave alike (symmetry reduction): numbers without gaps (see renumbering.ts) and, for
 * candidates that are alike, the least of the states that differ only by an exchange of candidates.
 */
import type { CandidateMoves } from './candidate-moves.ts';
import {
  exchangeOf,
  hasGaps,
  type Renumbering,
  renumberCandidate,
  renumberingOf,
  renumberStore,
} from './renumbering.ts';
import type { StoreMoves } from './store-moves.ts';

interface Renumbered {
  readonly by: Renumbering;
  /** The new place of each candidate. */
  readonly order: readonly number[];
  /** For each part of a state, by number, its new number. */
  readonly parts: number[][];
}

/** By the number of candidates: all permutations except the identity. */
const EXCHANGES: Readonly<Record<number, readonly (readonly number[])[]>> = {
  1: [],
  2: [[1, 0]],
  3: [
    [0, 2, 1],
    [1, 0, 2],
    [1, 2, 0],
    [2, 0, 1],
    [2, 1, 0],
  ],
};

export class NormalForm {
  /** By the numbers that occur in a state. */
  private readonly renumbered = new Map<number, Renumbered>();
  private readonly exchanges: readonly Renumbered[];
  private readonly marks: Int32Array;
  private readonly turned: Int32Array;
  private readonly least: Int32Array;

  constructor(
    private readonly candidates: readonly CandidateMoves[],
    private readonly store: StoreMoves,
    areAlike: boolean,
  ) {
    const n = candidates.length;
    this.marks = new Int32Array(2 + n);
    this.turned = new Int32Array(n + 1);
    this.least = new Int32Array(n + 1);
    this.exchanges = (areAlike ? EXCHANGES[n] : []).map((order) => this.remembered(exchangeOf(order), order));
  }

  /** The numbers of the candidates' states, then of the store's. */
  settle(state: Int32Array): void {
    this.renumber(state);
    if (this.exchanges.length > 0) this.exchange(state);
  }

  private renumber(state: Int32Array): void {
    const { marks, candidates } = this;
    const n = candidates.length;
    const hallMarks = this.store.marksOf(state[n]);
    let gaps = false;
    for (let k = 0; k < marks.length; k++) {
      let all = hallMarks[k];
      for (let candidate = 0; candidate < n; candidate++) {
        all |= candidates[candidate].factsOf(state[candidate]).marks[k];
      }
      marks[k] = all;
      gaps ||= hasGaps(all);
    }
    if (!gaps) return;
    // Each set fits into 9 bits.
    const key = marks.reduce((sum, mark) => sum * 512 + mark, 0);
    let known = this.renumbered.get(key);
    if (known === undefined) {
      known = this.remembered(
        renumberingOf(marks.slice()),
        candidates.map(({ candidate }) => candidate),
      );
      this.renumbered.set(key, known);
    }
    this.apply(known, state, state);
  }

  private remembered(by: Renumbering, order: readonly number[]): Renumbered {
    return { by, order, parts: Array.from(this.least, () => []) };
  }

  private apply({ by, order, parts }: Renumbered, state: Int32Array, into: Int32Array): void {
    const { candidates, store } = this;
    const n = candidates.length;
    into[n] = parts[n][state[n]] ??= store.numberOf(renumberStore(store.states.all[state[n]], by));
    for (let k = 0; k < n; k++) {
      into[order[k]] = parts[k][state[k]] ??= candidates[order[k]].numberOf(
        renumberCandidate(candidates[k].states.all[state[k]], k, by),
      );
    }
  }

  private exchange(state: Int32Array): void {
    const { turned, least } = this;
    least.set(state);
    for (const exchange of this.exchanges) {
      this.apply(exchange, state, turned);
      for (let k = 0; k < least.length; k++) {
        if (turned[k] === least[k]) continue;
        if (turned[k] < least[k]) least.set(turned);
        break;
      }
    }
    state.set(least);
  }
}
