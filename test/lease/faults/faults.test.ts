/**
 * Real processes, real stores, real faults: no overlap, increasing tokens, stale writes refused, acknowledged terms in the
 * audit trail.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { setup } from '../../../scripts/setup.mjs';
import { missing } from '../servers/index.ts';
import { type FaultRun, type FaultRunPlan, runFaults } from './fault-run.ts';
import { TEST_STORES } from './stores.ts';

/** Each takes some three seconds. The long test has hundreds on each store. */
const FAULTS = 4;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);

beforeAll(() => setup({ mayInstall: false }).then(() => undefined), 120_000);

describe('five processes through faults of their own, of the network and of the store', async () => {
  for (const { title, program, start, plan, shortFaults: faults = FAULTS } of TEST_STORES) {
    const reason = program === null ? undefined : await missing(program);
    const claim = reason === undefined ? test.concurrent : test.skip;
    claim(
      `on ${title}: one candidate leads at a time${reason === undefined ? '' : ` (${reason})`}`,
      async () => {
        const server = await start();
        try {
          const run = await runFaults({ ...plan(server), faults, seed, ttlMs: 1_000 });
          const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npx vitest run test/lease/faults/faults.test.ts`;
          expect(run.wrongs, replay).toEqual([]);
          // The long test has enough faults to ask for more.
          expect(run.terms, 'a run with one term proves nothing').toBeGreaterThan(1);
          expect(run.staleWrites, 'a run without stale writes proves nothing').toBeGreaterThan(0);
          process.stdout.write(`faults on ${title}: ${JSON.stringify(run)}\n`);
        } finally {
          await server?.stop();
        }
      },
      300_000,
    );
  }

  test.concurrent('candidates and a sink that check nothing are caught', async () => {
    const [{ plan }] = TEST_STORES;
    const only = ['kill -9', 'stopped'];
    const run = await runFaults({ ...plan(null), faults: 4, seed, ttlMs: 1_000, careless: true, only });
    expect(wrongsOf(run, 'work under an older term')).not.toEqual([]);
    expect(wrongsOf(run, 'the sink took')).not.toEqual([]);
    expect(wrongsOf(run, 'stopped at')).not.toEqual([]);
  }, 120_000);

  const redis = TEST_STORES.find(({ program }) => program === 'redis-server')!;
  const noRedis = await missing('redis-server');
  const runOnRedis = async (changes: Partial<FaultRunPlan>, query = ''): Promise<FaultRun> => {
    const server = await redis.start();
    try {
      const url = () => `${server!.url}${query}`;
      return await runFaults({ ...redis.plan(server), url, faults: 2, seed, ttlMs: 1_000, ...changes });
    } finally {
      await server?.stop();
    }
  };

  test.concurrent('a store that grants a lease at once after it forgot it is caught', async ({ skip }) => {
    skip(noRedis !== undefined, noRedis);
    const run = await runOnRedis({ only: ['store flushed'] }, '?waitAfterRestart=false');
    expect(wrongsOf(run, 'work under an older term')).not.toEqual([]);
  }, 120_000);

  test.concurrent('a store that loses an election is caught, if the guarantees do not exempt it', async ({
    skip,
  }) => {
    skip(noRedis !== undefined, noRedis);
    const run = await runOnRedis({ only: ['keys deleted'], isStrict: true });
    expect(wrongsOf(run, 'work under an older term')).not.toEqual([]);
    expect(wrongsOf(run, 'not in the audit trail')).not.toEqual([]);
  }, 120_000);
});

const wrongsOf = ({ wrongs }: FaultRun, kind: string): string[] =>
  wrongs.filter((wrong) => wrong.startsWith(kind));
