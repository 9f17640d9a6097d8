/**
 * Joins the rounds of several calls (rounds.ts). While as many rounds are under way as the store has connections for them, later
 * ones wait, and then become one. So a server that was slow, or whose rows were locked, is not kept busy with a long queue of
 * short requests, most of which their senders have given up and sent again: one or two rounds answer all that wait.
 */
import { StoreError } from '../core/store-error.ts';
import type { RunRound } from './rounds.ts';

/** What one call adds to a round. */
interface Part<Item, Answer> {
  readonly items: readonly Item[];
  /** The time at which its caller gives up. */
  readonly endMs: number;
  /** Until it is part of a round. */
  readonly timer: NodeJS.Timeout;
  resolve(answers: readonly (Answer | undefined)[]): void;
  reject(error: unknown): void;
}

/** A longer list would block the store for all other clients. */
const MAX_ITEMS = 1_000;

export class JoinedRounds<Item extends { readonly name: string }, Answer> {
  readonly #run: RunRound<Item, Answer>;
  readonly #maxRounds: number;
  readonly #late: (timeoutMs: number) => StoreError;
  #waiting: Part<Item, Answer>[] = [];
  #underWay = 0;

  /** `maxRounds` may be under way at once. `late` makes the error of a call that has waited for its whole timeout. */
  constructor(run: RunRound<Item, Answer>, maxRounds: number, late: (timeoutMs: number) => StoreError) {
    this.#run = run;
    this.#maxRounds = maxRounds;
    this.#late = late;
  }

  /** The names of the items differ, here and in each round. */
  run(items: readonly Item[], timeoutMs: number): Promise<readonly (Answer | undefined)[]> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting = this.#waiting.filter((each) => each !== part);
        reject(this.#late(timeoutMs));
      }, timeoutMs);
      const part = { items, endMs: performance.now() + timeoutMs, timer, resolve, reject };
      this.#waiting.push(part);
      this.#begin();
    });
  }

  #begin(): void {
    while (this.#underWay < this.#maxRounds && this.#waiting.length > 0) {
      this.#underWay++;
      void this.#runParts(this.#next()).finally(() => {
        this.#underWay--;
        this.#begin();
      });
    }
  }

  /** The oldest part, and all that fit. */
  #next(): readonly Part<Item, Answer>[] {
    const names = new Set<string>();
    const fits = ({ items }: Part<Item, Answer>): boolean =>
      names.size === 0 ||
      (names.size + items.length <= MAX_ITEMS && items.every(({ name }) => !names.has(name)));
    const parts: Part<Item, Answer>[] = [];
    const rest: Part<Item, Answer>[] = [];
    for (const part of this.#waiting) {
      if (fits(part)) {
        clearTimeout(part.timer);
        parts.push(part);
        for (const { name } of part.items) names.add(name);
      } else rest.push(part);
    }
    this.#waiting = rest;
    return parts;
  }

  async #runParts(parts: readonly Part<Item, Answer>[]): Promise<void> {
    const leftMs = Math.max(...parts.map(({ endMs }) => endMs)) - performance.now();
    try {
      const answers = await this.#run(
        parts.flatMap(({ items }) => items),
        Math.max(1, Math.ceil(leftMs)),
      );
      let first = 0;
      for (const { items, resolve } of parts) {
        resolve(answers.slice(first, first + items.length));
        first += items.length;
      }
    } catch (error) {
      // An election that the store cannot use must not fail those of other calls.
      const isOfOne = error instanceof StoreError && error.kind === 'unusable' && parts.length > 1;
      if (isOfOne) for (const part of parts) await this.#runParts([part]);
      else for (const { reject } of parts) reject(error);
    }
  }
}
