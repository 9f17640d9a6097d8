import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { registry } from '../../../src/algorithms/index.ts';
import { searchesOf } from '../../algorithms/read-cases.ts';
import { expectKept } from '../../golden/golden.ts';
import { fillIn, searchOf } from './checked.ts';

/** A second or two each, where the machine is not shared. */
const LIMIT_MS = 300_000;
const PAGE = new URL('../../../docs/checked.md', import.meta.url);

describe('docs/checked.md', () => {
  const searched = new Map<string, (readonly string[])[]>();

  for (const algorithm of registry) {
    it(`${algorithm.name}: no schedule fails, unless the algorithm says that it may err`, {
      timeout: LIMIT_MS,
    }, () => {
      for (const options of searchesOf(algorithm)) {
        const { result, cells } = searchOf(algorithm, options);
        searched.set(algorithm.name, [...(searched.get(algorithm.name) ?? []), cells]);
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
