import { describe, expect, it } from 'vitest';
import { effort } from '../../../../test-kit/limits/effort.ts';
import { registry } from '../../src/algorithms/index.ts';
import type { AnyAlgorithm, Law } from '../../src/kernel/index.ts';
import { runLaws } from './law-runs.ts';
import { repeatCommand, seed } from './seed.ts';

/** Takes a few seconds in all; in the long test some minutes. */
const RUNS = effort({ quick: 10, full: 2000 });

describe('every law holds in random runs over all parameters', () => {
  process.stdout.write(`seed ${seed}; repeat one algorithm: ${repeatCommand('laws', 'NAME:')}\n`);

  it.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))('%s:', (_name, algorithm) => {
    runLaws(algorithm, RUNS, seed);
  });

  it('which fails for a law that is wrong for one setting', () => {
    const raft = registry.find(({ name }) => name === 'raft') as AnyAlgorithm;
    const right = raft.laws.find(({ formula }: Law) => formula === 'n−1') as Law;
    const value: Law['value'] = (facts) => {
      const claimed = right.value(facts);
      return claimed !== undefined && facts.params.heartbeats === 3 ? claimed + 1 : claimed;
    };
    expect(() => runLaws({ ...raft, laws: [{ ...right, value }] }, 400, 1)).toThrow('broke a law');
  });
});
