import { describe, expect, it } from 'vitest';
import { changRoberts } from '../../src/algorithms/index.ts';
import {
  type CellTally,
  chunksOf,
  countChunks,
  decodeTally,
  encodeTally,
  mergeInto,
  planSweep,
  resultOf,
  runChunk,
  SweepTally,
  sweep,
} from '../../src/sweep/index.ts';

const carried = (tally: CellTally): CellTally => decodeTally(JSON.parse(JSON.stringify(encodeTally(tally))));

describe('a tally as JSON', () => {
  it('has the same bits after decoding, with infinities and negative zero', () => {
    const moments = { count: 3, mean: 0.1 + 0.2, squares: -0, least: Infinity, most: -Infinity };
    const tally = {
      runs: 7,
      failed: 1,
      figures: moments,
      sketch: new Map([
        [-1_000_000, 2],
        [5, 1],
      ]),
      laws: [{ said: { ...moments, mean: Number.NaN }, broken: 2 }],
    };
    expect(carried(tally)).toEqual(tally);
    expect(Object.is(carried(tally).figures.squares, -0)).toBe(true);
  });

  it('gives the result of one thread, to the last bit, when cells are merged elsewhere', () => {
    const options = { nodes: [3, 20, 100], runs: 700, seed: 4 };
    const plan = planSweep([changRoberts], options);
    let merged = new Map<number, CellTally>();
    let chunks = 0;
    for (const chunk of chunksOf(plan)) {
      // Each step in another process.
      merged = new Map([...merged].map(([cell, tally]) => [cell, carried(tally)]));
      merged.set(chunk.cell, mergeInto(merged.get(chunk.cell), carried(runChunk(plan, chunk))));
      chunks++;
    }
    expect(chunks).toBe(countChunks(plan));
    expect(resultOf(new SweepTally(plan, merged))).toEqual(sweep([changRoberts], options));
  });
});
