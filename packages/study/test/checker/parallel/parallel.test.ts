import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { check, type SearchThreads } from '../../../dist/checker/index.js';
import { PULSE, workerWord } from '../../../dist/checker/parallel/control.js';
import { resolveAlgorithm } from '../../../dist/cli/flags/algorithm-name.js';
import { searchThreads } from '../../../dist/cli/workers/search-threads.js';
import { cases, expectSame, outcomeOf } from './cases.ts';

/** Starting threads takes long on a busy machine. */
const timeout = 600_000;

describe('a search with several threads', () => {
  it('has the counts, the verdict and the counterexample of a search with one', { timeout }, () => {
    const results = fc
      .sample(cases, { seed: 13, numRuns: 12 })
      .map((one, k) => expectSame(one, [k % 2 === 0 ? 2 : 4]));
    const checked = results.filter((result) => typeof result !== 'string');
    // There must be some of each kind, or the comparison shows nothing.
    expect(checked.filter(({ violations }) => violations.length > 0).length).toBeGreaterThan(1);
    expect(checked.filter(({ complete }) => complete).length).toBeGreaterThan(1);
    expect(checked.filter(({ stopped }) => stopped === 'states').length).toBeGreaterThan(0);
  });

  it('expands states in every thread', { timeout }, () => {
    const one = {
      name: 'dolev-klawe-rodeh',
      options: { nodes: 9, starts: 'first', reduce: 'none' },
    } as const;
    const threads = searchThreads(one.name, 3);
    const pulses: (() => number)[] = [];
    const result = outcomeOf(one, 3, {
      start(task) {
        const { worker, work } = task.start;
        pulses.push(() => work.words[workerWord(worker, PULSE)]);
        return threads.start(task);
      },
    });
    expect(result).toEqual(outcomeOf(one, 1));
    expect(pulses.map((pulse) => pulse() > 0)).toEqual([true, true]);
  });

  it("loads a user's file in every thread", { timeout }, async () => {
    const path = fileURLToPath(new URL('../../../../../examples/my-election.ts', import.meta.url));
    const algorithm = await resolveAlgorithm(path);
    const options = { nodes: 5, reduce: 'none', losses: 1 } as const;
    const threads = searchThreads(path, 2);
    let pulse = (): number => 0;
    const start: SearchThreads['start'] = (task) => {
      pulse = () => task.start.work.words[workerWord(1, PULSE)];
      return threads.start(task);
    };
    const pace = { fromStates: 50, waits: true, minEach: 4 };
    const result = check(algorithm, { ...options, threads: { cores: 2, start, pace } });
    expect(result).toEqual(check(algorithm, options));
    expect(pulse()).toBeGreaterThan(0);
  });

  it('continues in one thread if another thread is lost', { timeout }, () => {
    const one = {
      name: 'dolev-klawe-rodeh',
      options: { nodes: 9, starts: 'first', reduce: 'none' },
    } as const;
    const threads = searchThreads(one.name, 2);
    let sent = 0;
    const result = outcomeOf(one, 2, {
      start(task) {
        const thread = threads.start(task);
        return {
          send(memory) {
            sent++;
            thread.send(memory);
            thread.end();
          },
          end: () => thread.end(),
        };
      },
      pace: { fromStates: 50, waits: true, minEach: 4, lostMs: 500 },
    });
    expect(result).toEqual(outcomeOf(one, 1));
    expect(sent).toBe(1);
  });
});
