/** Five hundred faults on each store: the run of faults.test.ts many times, each fleet on its own store. */
import { describe, expect, test } from 'vitest';
import { missing } from '../../../../../test-kit/servers/index.ts';
import { runFaults } from './fault-run.ts';
import { TEST_STORES } from './stores.ts';

const FLEETS_PER_STORE = 4;
const FAULTS = 125;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);

describe('five hundred faults', { concurrent: true }, async () => {
  for (const { title, program, start, plan } of TEST_STORES) {
    const reason = program === null ? undefined : await missing(program);
    for (let fleet = 0; fleet < FLEETS_PER_STORE; fleet++) {
      const claim = reason === undefined ? test.concurrent : test.skip;
      claim(
        `on ${title}, fleet ${fleet}: one leads at a time${reason === undefined ? '' : ` (${reason})`}`,
        async () => {
          const server = await start();
          try {
            const run = await runFaults({
              ...plan(server),
              faults: FAULTS,
              seed: seed + fleet,
              ttlMs: 1_000,
            });
            const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npx vitest run packages/hustings/test/lease/faults/faults.long.test.ts`;
            expect(run.wrongs, replay).toEqual([]);
            expect(run.staleWrites, 'too few stale writes prove nothing').toBeGreaterThanOrEqual(100);
            expect(run.onLeader, 'faults that miss the leader prove nothing').toBeGreaterThan(FAULTS / 4);
            expect(run.terms, 'faults that change no leader prove nothing').toBeGreaterThan(FAULTS / 4);
            // Not all: a successor may still be recovering from the fault before.
            expect(run.handovers).toBeGreaterThan(0);
            process.stdout.write(`faults on ${title}: ${JSON.stringify(run)}\n`);
          } finally {
            await server?.stop();
          }
        },
        2_400_000,
      );
    }
  }
});
