/**
 * Real processes, real stores, real faults: no overlap, increasing tokens, stale writes refused, acknowledged terms in the
 * audit trail.
 */
import { describe, expect, test } from 'vitest';
import { missing } from '../../../../../test-kit/servers/index.ts';
import { type FaultRun, type FaultRunPlan, runFaults } from './fault-run.ts';
import { TEST_STORES } from './stores.ts';

/** Each takes some three seconds. The long test has hundreds on each store. */
const FAULTS = 4;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);

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
          const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npx vitest run packages/hustings/test/lease/faults/faults.test.ts`;
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
    await isCaught(
      () => runFaults({ ...plan(null), faults: 4, seed, ttlMs: 1_000, careless: true, only }),
      ['work under an older term', 'the sink took', 'stopped at'],
    );
  }, 240_000);

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
    await isCaught(
      () => runOnRedis({ only: ['store flushed'] }, '?waitAfterRestart=false'),
      ['work under an older term'],
    );
  }, 240_000);

  test.concurrent('a recreated bucket that grants at once, as if nobody had led, is caught', async ({
    skip,
  }) => {
    const { start, plan, program } = TEST_STORES.find(({ title }) => title === 'NATS')!;
    const reason = await missing(program!);
    skip(reason !== undefined, reason);
    const run = async (): Promise<FaultRun> => {
      const server = await start();
      try {
        const url = () => `${server!.url}?waitAfterCreation=false`;
        const only = ['bucket deleted'];
        return await runFaults({ ...plan(server), url, faults: 2, seed, ttlMs: 1_000, only });
      } finally {
        await server?.stop();
      }
    };
    await isCaught(run, ['work under an older term']);
  }, 240_000);

  test.concurrent('a store that loses an election is caught, if the guarantees do not exempt it', async ({
    skip,
  }) => {
    skip(noRedis !== undefined, noRedis);
    await isCaught(
      () => runOnRedis({ only: ['keys deleted'], isStrict: true }),
      ['work under an older term', 'not in the audit trail'],
    );
  }, 240_000);
});

/** A waiter may come too late to meet the old leader still at work: then the run is repeated. */
const MAX_RUNS = 5;

async function isCaught(run: () => Promise<FaultRun>, kinds: readonly string[]): Promise<void> {
  const found: string[] = [];
  for (let runs = 0; runs < MAX_RUNS && !kinds.every((kind) => found.includes(kind)); runs++) {
    const { wrongs } = await run();
    found.push(...kinds.filter((kind) => wrongs.some((wrong) => wrong.startsWith(kind))));
  }
  expect([...new Set(found)].sort()).toEqual([...kinds].sort());
}
