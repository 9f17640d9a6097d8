/** One thread's part in the rounds of a parallel search; see worker-pool.ts. */
import { Explorer } from '../search/explorer.ts';
import type { PairMemory } from '../search/pair-set.ts';
import type { RowMemory } from '../search/row-set.ts';
import { StateStore } from '../search/state-store.ts';
import type { System } from '../search/system.ts';
import { ClaimedPairs } from './claimed-pairs.ts';
import * as control from './control.ts';
import { RoundFull } from './control.ts';
import type { InternLog } from './intern-log.ts';
import { SharedRows } from './shared-rows.ts';

/** The memory of the states, which moves when it grows. */
export interface StoreMemory {
  readonly pairs: PairMemory;
  readonly left: RowMemory;
  readonly right: RowMemory;
}

/** What all workers share. */
export interface RoundMemory {
  readonly workers: number;
  readonly words: Int32Array;
  readonly claims: Int32Array;
  /** The claims that each worker can make in a round. */
  readonly claimsEach: number;
}

/** A worker looks at the others' abort after this number of states. */
const LOOK_EVERY = 32;

export class SearchWorker {
  private readonly pairs = new ClaimedPairs();
  private readonly left: SharedRows;
  private readonly right: SharedRows;
  private readonly explorer: Explorer;

  constructor(
    private readonly index: number,
    system: System,
    private readonly shared: RoundMemory,
    private readonly log: InternLog | null,
  ) {
    const store = new StateStore(system.width, system.order, { pairs: this.pairs, Rows: SharedRows });
    this.left = store.left as SharedRows;
    this.right = store.right as SharedRows;
    this.explorer = new Explorer(system, store);
  }

  attach({ left, pairs, right }: StoreMemory): void {
    const { claims, words } = this.shared;
    this.pairs.attach(pairs, claims);
    this.left.attach(left, words, control.LEFT_ROWS);
    this.right.attach(right, words, control.RIGHT_ROWS);
  }

  run(phase: number): void {
    const { words } = this.shared;
    if (phase === control.EXPAND) this.expand();
    if (phase === control.COUNT) this.set(control.WINNERS, this.pairs.countWinners());
    if (phase === control.NUMBER) this.pairs.numberWinners(words[this.word(control.FIRST_NUMBER)]);
    if (phase === control.DISCARD) this.pairs.discard();
  }

  /** Expands this worker's part of the round. */
  private expand(): void {
    const { explorer, index, shared } = this;
    const { claimsEach, workers, words } = shared;
    const [from, size] = [words[control.FROM], words[control.TO] - words[control.FROM]];
    const begin = from + Math.floor((size * index) / workers);
    const end = from + Math.floor((size * (index + 1)) / workers);
    const nextLevel = words[control.NEXT_LEVEL];
    explorer.reset();
    this.pairs.begin(words[control.BASE], claimsEach * index, claimsEach * (index + 1));
    try {
      this.log?.pull();
      for (let number = begin; number < end && explorer.finding === null; number++) {
        if (number % LOOK_EVERY === 0) {
          if (Atomics.load(words, control.ABORT) !== 0) return;
          words[this.word(control.PULSE)]++;
        }
        explorer.explore(number, nextLevel);
      }
      if (explorer.finding !== null) Atomics.store(words, control.ABORT, control.ALONE);
    } catch (error) {
      // One thread expands the round again, and meets the same error.
      Atomics.store(words, control.ABORT, error instanceof RoundFull ? control.FULL : control.ALONE);
    }
    this.set(control.TRANSITIONS, explorer.transitions);
    this.set(control.TERMINAL, explorer.terminal);
    this.set(control.BEYOND_BOUND, explorer.beyondBound);
    this.set(control.MAY_CYCLE, explorer.mayCycle ? 1 : 0);
    this.set(control.IS_REDUCED, explorer.isReduced ? 1 : 0);
  }

  private word(word: number): number {
    return control.workerWord(this.index, word);
  }

  private set(word: number, value: number): void {
    this.shared.words[this.word(word)] = value;
  }
}
