/** The run of slot-faults.test.ts on every store that processes can share, with every kind of fault. */
import { describe, expect, test } from 'vitest';
import { missing } from '../../../../../test-kit/servers/index.ts';
import { TEST_STORES } from '../../lease/faults/stores.ts';
import { runSlots } from './slot-run.ts';

const FAULTS = 40;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);

describe('ten processes for three slots, at length', async () => {
  for (const { title, program, start, plan } of TEST_STORES) {
    const reason = program === null ? undefined : await missing(program);
    test(`on ${title}: three lead, through faults, and never four`, async ({ skip }) => {
      skip(reason !== undefined, reason);
      const server = await start();
      try {
        const run = await runSlots({ ...plan(server), faults: FAULTS, seed, ttlMs: 1_000 });
        const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npx vitest run packages/hustings/test/elector/slots/slot-faults.long.test.ts`;
        expect(run.wrongs, replay).toEqual([]);
        // Few on a busy machine: a term that is over before its work begins is not counted.
        expect(run.terms).toBeGreaterThan(FAULTS / 8);
        process.stdout.write(`slots on ${title}: ${JSON.stringify(run)}\n`);
      } finally {
        await server?.stop();
      }
    }, 1_200_000);
  }
});
