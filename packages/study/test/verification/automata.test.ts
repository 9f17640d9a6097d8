/** The verdicts on random automata, which do what no author of an algorithm would write. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import type { AnyAlgorithm } from '../../src/kernel/index.ts';
import { Random } from '../../src/kernel/random.ts';
import { randomAlgorithm } from '../checker/network/random-algorithm.ts';
import { repeatCommand, seed } from './seed.ts';
import { compareVerdicts } from './three-verdicts.ts';

const NAME = 'full search, reduced search and simulation agree about random automata';
const AUTOMATA = effort({ quick: 150, full: 5000 });
const LIMITS = { states: effort({ quick: 2000, full: 50_000 }), simulations: 4, events: 5000 };

// biome-ignore lint/suspicious/noExplicitAny: the handlers of any automaton
type Loose = any;

/**
 * The automaton decides nothing; a node decides, and rightly, when it has reached the highest level. So the election is
 * valid if every node reaches it, in every schedule.
 */
function decidingAtTop(automaton: AnyAlgorithm): AnyAlgorithm {
  const silent = (ctx: Loose) => ({
    degree: ctx.degree,
    send: (...args: Loose[]) => ctx.send(...args),
    setTimer: (...args: Loose[]) => ctx.setTimer(...args),
    random: (k: number) => ctx.random(k),
    decide: () => {},
  });
  const then = (state: Loose, level: number, ctx: Loose) => {
    if (state.level > level && state.level === 3) ctx.decide(ctx.id === 3 ? 'leader' : 'follower', 3);
  };
  const wrap =
    (handler: Loose, at: number) =>
    (...args: Loose[]) => {
      const { level } = args[0];
      handler(...args.with(at, silent(args[at])));
      then(args[0], level, args[at]);
    };
  return {
    ...automaton,
    onStart: wrap(automaton.onStart, 1) as Loose,
    onTimer: wrap(automaton.onTimer, 2) as Loose,
    on: Object.fromEntries(
      Object.entries(automaton.on).map(([type, handler]) => [type, wrap(handler, 3)]),
    ) as Loose,
  };
}

it(NAME, { timeout: 900_000 }, () => {
  process.stdout.write(`seed ${seed}; repeat: ${repeatCommand('automata', NAME)}\n`);
  const random = new Random(seed, 'automata');
  const sums = { violated: 0, passed: 0, failed: 0, full: 0, reduced: 0 };
  for (const [k, automaton] of fc.sample(randomAlgorithm(), { numRuns: AUTOMATA, seed }).entries()) {
    const fifo = random.below(2) === 0;
    const algorithm = { ...decidingAtTop(automaton), assumes: { ...automaton.assumes, fifo } };
    const starts = (['free', 'first', 'together'] as const)[random.below(3)];
    const initiators = [[0, 1, 2], [0], [0, 2]][random.below(3)];
    const losses = random.below(4) === 0 ? 1 : 0;
    const ids = [
      [1, 2, 3],
      [3, 1, 2],
      [2, 1, 3],
    ][random.below(3)];
    const election = { nodes: 3, ids, initiators, search: { starts, fifo, losses } };
    try {
      const compared = compareVerdicts(algorithm, election, LIMITS, random);
      if (compared.isViolated) sums.violated++;
      else if (compared.isConclusive) sums.passed++;
      sums.failed += compared.failed;
      sums.full += compared.full;
      sums.reduced += compared.reduced;
    } catch (error) {
      throw new Error(`automaton ${k}: ${String(error)}, in ${JSON.stringify(election)}`);
    }
  }
  // Verdicts of one kind, or without a reduction, would prove little.
  expect(sums.passed).toBeGreaterThan(AUTOMATA / 50);
  expect(sums.violated).toBeGreaterThan(AUTOMATA / 5);
  expect(sums.failed).toBeGreaterThan(AUTOMATA / 5);
  expect(sums.reduced).toBeLessThan(sums.full);
});
