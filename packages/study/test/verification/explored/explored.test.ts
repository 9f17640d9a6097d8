/** Random automata, searched and explored a second time by a plain explorer: a few of them, and planted faults. */
import { expect, it } from 'vitest';
import { repeatCommand, seed } from '../seed.ts';
import { compare, drawn } from './comparison.ts';
import { compareMany } from './many-automata.ts';
import { isFound } from './planted-faults.ts';

const NAME = 'all searches agree with a plain explorer about random automata';
const timeout = 600_000;
/** Most automata have fewer states. */
const limit = 400;

it(NAME, { timeout }, async () => {
  process.stdout.write(`seed ${seed}; repeat: ${repeatCommand('explored/explored.test', NAME)}\n`);
  const sums = await compareMany(seed, 60, { limit }, async () => {});
  // Verdicts of one kind, or without a reduction, would prove little.
  expect(sums.held).toBeGreaterThan(20);
  expect(sums.held).toBeLessThan(54);
  expect(sums.reduced).toBeGreaterThan(8);
});

it('a search that only sees the last decision of a handler is found', { timeout }, () => {
  const found = Array.from({ length: 200 }, (_, k) => k + 1).find((own) =>
    isFound(drawn(own), 'last decision', limit),
  );
  expect(found).toBeDefined();
});

it('sequences of draws with one outcome are one transition', { timeout }, () => {
  // The start and the message of one step both draw the same field.
  expect(compare(drawn(2_000_536), { limit: 1500 })?.plain.transitions).toBe(1810);
});
