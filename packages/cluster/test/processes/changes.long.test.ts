/** The member list of raft is changed again and again, by the commands, between processes under faults. */
import { expect, test } from 'vitest';
import { runChanges } from './change-run.ts';
import { replayQueue } from './replay-queue.ts';

const CHANGES = Number(process.env.HUSTINGS_CLUSTER_CHANGES ?? 30);
const seed = Number(process.env.HUSTINGS_CLUSTER_SEED ?? Date.now() % 1_000_000);

const replay = replayQueue();

test(`${CHANGES} changes with faults: one leader in each term, one list in the end, and removed members end`, async () => {
  const run = await runChanges({ seed, changes: CHANGES, replay });
  process.stdout.write(
    `seed ${seed}: ${run.changes.length} changes, ${run.wrongs.length} wrong, ${run.asked} commands, ${run.repeated} repeated, ` +
      `${run.leaders} leaders, ${run.steps} steps replayed; agreement ${run.medianMs} ms after the heal (median), ` +
      `at most ${run.slowestMs} ms\n  ${run.changes.join('; ')}\n`,
  );
  const again = `HUSTINGS_LONG=1 HUSTINGS_CLUSTER_SEED=${seed} npx vitest run packages/cluster/test/processes/changes.long.test.ts`;
  expect(run.wrongs, again).toEqual([]);
  expect(run.changes).toHaveLength(CHANGES);
  expect(run.leaders, 'a run with one leader proves nothing').toBeGreaterThan(CHANGES / 2);
}, 3_600_000);
