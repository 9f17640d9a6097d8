/** Real processes, real stores, real faults: three of ten candidates lead, never four. */
import { describe, expect, test } from 'vitest';
import { missing } from '../../../../../test-kit/servers/index.ts';
import type { Entry } from '../../lease/faults/journal.ts';
import { TEST_STORES } from '../../lease/faults/stores.ts';
import { judge, runSlots } from './slot-run.ts';

const FAULTS = 3;
const seed = Number(process.env.HUSTINGS_FAULT_SEED ?? Date.now() % 1_000_000);

describe('ten processes for three slots', async () => {
  for (const title of ['SQLite', 'Redis that keeps every write']) {
    const { program, start, plan } = TEST_STORES.find((each) => each.title === title)!;
    const reason = program === null ? undefined : await missing(program);
    test.concurrent(`on ${title}: three lead, through faults, and never four`, async ({ skip }) => {
      skip(reason !== undefined, reason);
      const server = await start();
      try {
        const run = await runSlots({ ...plan(server), faults: FAULTS, seed, ttlMs: 1_000 });
        const replay = `replay: HUSTINGS_FAULT_SEED=${seed} npx vitest run packages/hustings/test/elector/slots/slot-faults.test.ts`;
        expect(run.wrongs, replay).toEqual([]);
        expect(run.maxAtWork, 'fewer than three at work prove nothing').toBeGreaterThanOrEqual(3);
        process.stdout.write(`slots on ${title}: ${JSON.stringify(run)}\n`);
      } finally {
        await server?.stop();
      }
    }, 300_000);
  }

  test('four at work, two in one slot and two slots of one candidate are caught', () => {
    const term = (id: string, slot: number, token: string, fromMs: number, toMs: number): Entry[] => [
      { event: 'begin', id, slot, token, at: fromMs },
      { event: 'work', id, slot, token, at: fromMs },
      { event: 'work', id, slot, token, at: toMs },
    ];
    const three = [...term('a', 1, '1', 0, 9), ...term('b', 2, '1', 1, 9), ...term('c', 3, '1', 2, 9)];
    const wrongsWith = (...more: Entry[]): readonly string[] =>
      judge([...three, ...more].sort((a, b) => a.at - b.at)).wrongs;
    expect(wrongsWith()).toEqual([]);
    expect(wrongsWith(...term('d', 1, '2', 10, 12))).toEqual([]);
    expect(wrongsWith(...term('d', 1, '2', 8, 12))).toEqual([
      '4 at work at the same time',
      expect.stringContaining('work under an older term'),
    ]);
    expect(wrongsWith(...term('d', 4, '1', 3, 5))).toContainEqual(
      expect.stringContaining('a slot that there is not'),
    );
    expect(judge([...term('a', 1, '1', 0, 9), ...term('a', 2, '1', 3, 5)]).wrongs).toEqual([
      expect.stringContaining('two slots of one candidate'),
    ]);
    // A store that forgot its leases: one older term for each time that it did.
    const forgotten = [...term('a', 1, '1', 0, 9), ...term('b', 1, '2', 3, 8), ...term('d', 1, '3', 6, 12)];
    const inOrder = forgotten.sort((a, b) => a.at - b.at);
    const [first, second] = [
      { fromMs: 2, toMs: 10 },
      { fromMs: 5, toMs: 13 },
    ];
    expect(judge(inOrder, [first, second]).wrongs).toEqual([]);
    expect(judge(inOrder, [first]).wrongs).toEqual([expect.stringContaining('work under an older term')]);
  });
});
