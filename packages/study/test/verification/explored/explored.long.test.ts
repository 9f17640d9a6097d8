/** 10,000 random automata, searched in four ways and explored a second time by a plain explorer. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { repeatCommand, seed } from '../seed.ts';
import { drawnOf } from './comparison.ts';
import { compareMany, type Sums } from './many-automata.ts';
import { isFound } from './planted-faults.ts';
import { SearchPool } from './search-pool.ts';

const NAME =
  'full, reduced, parallel and fingerprint searches agree with a plain explorer about 10,000 random automata';
const AUTOMATA = 10_000;

it(NAME, { timeout: 4 * 3_600_000 }, async () => {
  process.stdout.write(`seed ${seed}; repeat: ${repeatCommand('explored/explored.long', NAME)}\n`);
  const pool = await SearchPool.open();
  let printed = 0;
  const say = (sums: Sums): void => {
    process.stdout.write(`seed ${seed}, ${pool.searches} searches in two threads: ${JSON.stringify(sums)}\n`);
  };
  try {
    const threadsOf = (automaton: Parameters<typeof pool.threadsOf>[0]) => pool.threadsOf(automaton);
    const sums = await compareMany(seed, AUTOMATA, { limit: 1500, threadsOf }, async (sofar) => {
      await nextTurn();
      if (sofar.compared < printed + 500) return;
      printed = sofar.compared;
      say(sofar);
    });
    say(sums);
    expect(pool.searches).toBeGreaterThan(AUTOMATA / 4);
    expect(sums.held).toBeGreaterThan(AUTOMATA / 2);
    expect(sums.reduced).toBeGreaterThan(AUTOMATA / 4);
    expect(sums.reducedWithCrashes).toBeGreaterThan(AUTOMATA / 25);
    expect(sums.reducedWithDelay).toBeGreaterThan(AUTOMATA / 10);
    expect(sums.late).toBeGreaterThan(AUTOMATA / 1000);
  } finally {
    await pool.close();
  }
});

it('a search whose rounds have 16 bits is found', { timeout: 3_600_000 }, () => {
  const found = Array.from({ length: 10 }, (_, k) => k + 1).find((own) =>
    isFound(drawnOf(own, true), 'short round', 100_000),
  );
  expect(found).toBeDefined();
});
