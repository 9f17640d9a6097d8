import { afterEach, expect, it, vi } from 'vitest';
import { changRoberts } from '../../../src/algorithms/index.ts';
import * as watchdog from '../../../src/cli/user-file/watchdog.ts';
import { chunkRunner } from '../../../src/cli/workers/chunk-runner.ts';
import { chunksOf, planSweep, runChunk } from '../../../src/sweep/index.ts';

vi.mock('../../../src/cli/user-file/watchdog.ts', { spy: true });
afterEach(() => void vi.clearAllMocks());

const RUNS = 256;
const planOf = (name: string) =>
  planSweep([changRoberts], { nodes: [16], runs: RUNS, calledAs: [name], measure: 'election' });

// A watchdog takes longer to set up than a run of 16 nodes.
it('small runs of a user’s file share watchdogs, and give the figures of a built-in algorithm', () => {
  const plan = planOf('./mine.ts');
  const [chunk] = chunksOf(plan);
  expect(chunkRunner(plan)(chunk)).toEqual(runChunk(planOf('chang-roberts'), chunk));
  const { calls } = vi.mocked(watchdog.watch).mock;
  expect(calls.length).toBeGreaterThan(0);
  expect(calls.length).toBeLessThan(RUNS / 2);
});

it('a built-in algorithm has no watchdog', () => {
  const plan = planOf('chang-roberts');
  for (const chunk of chunksOf(plan)) chunkRunner(plan)(chunk);
  expect(watchdog.watch).not.toHaveBeenCalled();
});
