/**
 * Real processes, real stores, real faults: no overlap, increasing tokens, stale writes refused, acknowledged terms in the
 * audit trail.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { setup } from '../../../scripts/setup.mjs';
import { missing } from '../servers/index.ts';
import { runFaults } from './fault-run.ts';
import { TEST_STORES } from './stores.ts';

const FAULTS = 20;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);

beforeAll(() => setup({ mayInstall: false }).then(() => undefined), 120_000);

describe('five processes through kill -9, SIGSTOP, a blocked event loop, a cut and a half-open network, a restarted store', async () => {
  for (const { title, program, start, plan } of TEST_STORES) {
    const reason = program === null ? undefined : await missing(program);
    const claim = reason === undefined ? test.concurrent : test.skip;
    claim(
      `on ${title}: one candidate leads at a time${reason === undefined ? '' : ` (${reason})`}`,
      async () => {
        const server = await start();
        try {
          const run = await runFaults({ ...plan(server), faults: FAULTS, seed, ttlMs: 1_000 });
          const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npx vitest run test/lease/faults/faults.test.ts`;
          expect(run.wrongs, replay).toEqual([]);
          expect(run.onLeader).toBe(FAULTS / 2);
          expect(run.terms, 'faults that change no leader prove nothing').toBeGreaterThan(FAULTS / 4);
          expect(run.staleWrites, 'too few stale writes prove nothing').toBeGreaterThanOrEqual(20);
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
    const run = await runFaults({ ...plan(null), faults: 4, seed, ttlMs: 1_000, careless: true });
    expect(run.wrongs.filter((wrong) => wrong.startsWith('work under an older term'))).not.toEqual([]);
    expect(run.wrongs.filter((wrong) => wrong.startsWith('the sink took'))).not.toEqual([]);
    expect(run.wrongs.filter((wrong) => wrong.startsWith('stopped at'))).not.toEqual([]);
  }, 120_000);
});
