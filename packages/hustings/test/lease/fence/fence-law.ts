/** The law of every sink (P4), tried with writers that race: the tokens that it has accepted, in its own order, never fall. */
import { expect } from 'vitest';
import { FenceError } from '../../../src/lease/fence/index.ts';

export interface Sink {
  /** Throws a `FenceError` if the token is stale. */
  write(token: bigint): Promise<unknown>;
  /** What got through, in the order in which the resource has it. */
  accepted(): Promise<readonly bigint[]>;
}

export const falls = (tokens: readonly bigint[]): boolean =>
  tokens.some((token, i) => i > 0 && token < tokens[i - 1]);

/** Each list is the work of one writer, in order; the writers run at once. The number of stale writes. */
export async function race(sink: Sink, writers: readonly (readonly bigint[])[]): Promise<number> {
  let stale = 0;
  const work = async (tokens: readonly bigint[]): Promise<void> => {
    for (const token of tokens) {
      try {
        await sink.write(token);
      } catch (error) {
        if (!(error instanceof FenceError && error.refusal === 'stale')) throw error;
        stale++;
      }
    }
  };
  await Promise.all(writers.map(work));
  return stale;
}

export async function expectLaw(sink: Sink, writers: readonly (readonly bigint[])[]): Promise<number> {
  const stale = await race(sink, writers);
  const accepted = await sink.accepted();
  const tried = writers.flat();
  expect(falls(accepted), `accepted in this order: ${accepted.join(', ')}`).toBe(false);
  expect(accepted.length + stale).toBe(tried.length);
  // The newest is let through at every time, so it is the last that stands there.
  expect(tried.filter((token) => token > accepted[accepted.length - 1])).toEqual([]);
  return stale;
}

/** Writers that each go through terms at their own pace, so that most writes of the slow ones are late. */
export function terms(writers: number, each: number, from = 1n): bigint[][] {
  return Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: each }, (_, i) => from + BigInt((i * (writer + 1)) % (each + 3))),
  );
}
