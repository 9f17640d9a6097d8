import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../packages/study/src/algorithms/index.ts';
import { searchesOf } from '../../../packages/study/test/algorithms/read-cases.ts';
import { expectKept } from '../../../test-kit/golden/golden.ts';
import { isFull } from '../../../test-kit/limits/effort.ts';
import { cellsIn, checkedTable, fillIn, searchOf } from './checked.ts';

/** A second or two each, where the machine is not shared. */
const LIMIT_MS = 300_000;
const PAGE = new URL('../../../docs/checked.md', import.meta.url);
/**
 * Searches with more states are repeated only in long runs and when the page is written, except the smallest of an algorithm.
 * Where that one is large, a search of fewer nodes takes its place.
 */
const isWhole = isFull || process.env.HUSTINGS_GOLDEN === 'rewrite';
const MAX_STATES = isWhole ? Number.POSITIVE_INFINITY : 5_000;
const LARGE = 20_000;
const FEWER_NODES = 3;

/** The cells of a row that need not be searched again, by the position of the search. */
function keptRows(page: string, name: string, searches: number): ReadonlyMap<number, readonly string[]> {
  const rows = (checkedTable(page).rows.get(name) ?? []).map(cellsIn);
  const states = rows.map((cells) => Number(cells[4].replace(/about |,/g, '')));
  const smallest = Math.min(...states);
  const least = Math.max(MAX_STATES, smallest > LARGE ? 0 : smallest);
  // Another number of searches is another list of searches.
  return new Map([...rows.entries()].filter(([k]) => rows.length === searches && states[k] > least));
}

describe('docs/checked.md', () => {
  const page = readFileSync(PAGE, 'utf8');
  const searched = new Map<string, (readonly string[])[]>();

  for (const algorithm of registry) {
    it(`${algorithm.name}: no schedule fails, unless the algorithm says that it may err`, {
      timeout: LIMIT_MS,
    }, () => {
      const searches = searchesOf(algorithm);
      const kept = keptRows(page, algorithm.name, searches.length);
      const rows: (readonly string[])[] = [];
      searched.set(algorithm.name, rows);
      for (const [k, options] of searches.entries()) {
        const row = kept.get(k);
        if (row !== undefined) {
          rows.push(row);
          if (kept.size < searches.length || k > 0) continue;
        }
        const { result, cells } = searchOf(
          algorithm,
          row === undefined ? options : { ...options, nodes: FEWER_NODES },
        );
        if (row === undefined) rows.push(cells);
        expect(result.stopped).toBeNull();
        if (algorithm.assumes.mayErr) continue;
        expect(result.violations).toEqual([]);
        expect(result.complete || options.bound !== undefined).toBe(true);
      }
    });
  }

  it('has the results of these searches', () => {
    expectKept(PAGE, fillIn(readFileSync(PAGE, 'utf8'), searched));
  });
});
