/**
 * Runs a list in rounds, until each item is answered. The items of one round have different names, so that items that name
 * an election twice take effect one after the other. An item without an answer, because another session has locked its row or
 * was faster, goes into the next round. If others have been answered, they do not wait long for it.
 */
import { PartialAnswerError, StoreError } from '../core/store-error.ts';

/** Pauses before a locked row is tried again. Under load they last as long as the last try. */
const FIRST_PAUSE_MS = 5;
const LONGEST_PAUSE_MS = 25;
const LONGEST_LOADED_PAUSE_MS = 100;
/** The part of the timeout for which the items of a list wait together for a locked row. */
const BRIEF = 100;

/** A call times out after one TTL, when its answer is of no use, but not before this time. */
const SHORTEST_TIMEOUT_MS = 1_000;

/** The timeout of a list, of at most `maxMs`. */
export function timeoutOf(items: readonly { readonly ttlMs: number }[], maxMs: number): number {
  const shortestMs = Math.min(maxMs, ...items.map(({ ttlMs }) => ttlMs));
  return Math.min(maxMs, Math.max(shortestMs, SHORTEST_TIMEOUT_MS));
}

/** Repeats a list as a whole until each item is answered: for a step that writes all of its rows or none. */
export async function untilWhole<Item extends { readonly name: string }, Answer>(
  items: readonly Item[],
  timeoutMs: number,
  run: RunRound<Item, Answer>,
  locked: (name: string) => StoreError,
): Promise<readonly Answer[]> {
  if (items.length === 0) return [];
  const endMs = performance.now() + timeoutMs / 2;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs)) {
    const answers = await run(items, Math.max(1, Math.ceil(timeoutMs / 2)));
    const missing = answers.indexOf(undefined);
    if (missing < 0) return answers as readonly Answer[];
    if (performance.now() > endMs) throw locked(items[missing].name);
    await new Promise((resolve) => setTimeout(resolve, pauseMs * (0.5 + Math.random())));
  }
}

/** The answers of one round, in its order; undefined for an item that is to be repeated. */
export type RunRound<Item, Answer> = (
  round: readonly Item[],
  timeoutMs: number,
) => Promise<readonly (Answer | undefined)[]>;

/** `locked` is the error if the row of an election stays locked. */
export async function inRounds<Item extends { readonly name: string }, Answer>(
  items: readonly Item[],
  timeoutMs: number,
  run: RunRound<Item, Answer>,
  locked: (name: string) => StoreError,
): Promise<readonly Answer[]> {
  const answers = new Map<number, Answer>();
  const endMs = performance.now() + timeoutMs;
  let skippedAtMs = Number.NaN;
  let pauseMs = FIRST_PAUSE_MS;
  let tookMs = 0;
  for (let rest = items.map((_, index) => index); rest.length > 0; ) {
    const names = new Set<string>();
    const round = rest.filter((index) => names.size < names.add(items[index].name).size);
    try {
      const sentMs = performance.now();
      const leftMs = Math.max(1, Math.ceil(endMs - sentMs));
      const given = await run(
        round.map((index) => items[index]),
        leftMs,
      );
      round.forEach((index, place) => {
        const answer = given[place];
        if (answer !== undefined) answers.set(index, answer);
      });
      rest = rest.filter((index) => !answers.has(index));
      const skipped = round.find((index) => !answers.has(index));
      if (skipped === undefined) continue;
      const nowMs = performance.now();
      if (Number.isNaN(skippedAtMs)) skippedAtMs = nowMs;
      const maxMs = timeoutMs / (answers.size === 0 ? 2 : BRIEF);
      if (nowMs - skippedAtMs + pauseMs > maxMs) throw locked(items[skipped].name);
      tookMs = nowMs - sentMs;
    } catch (error) {
      if (answers.size === 0 || !(error instanceof StoreError)) throw error;
      throw new PartialAnswerError(
        error,
        items.map((_, index) => answers.get(index)),
      );
    }
    const longMs = Math.max(pauseMs, Math.min(LONGEST_LOADED_PAUSE_MS, tookMs));
    await new Promise((resolve) => setTimeout(resolve, longMs * (0.5 + Math.random())));
    pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
  }
  return items.map((_, index) => answers.get(index)!);
}
