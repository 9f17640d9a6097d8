/** The warning of a slow disk, in virtual time. */
import { expect, test } from 'vitest';
import { bully } from '../../../study/src/algorithms/complete/bully.ts';
import { raft } from '../../../study/src/algorithms/quorum/raft.ts';
import { changRoberts } from '../../../study/src/algorithms/ring/chang-roberts.ts';
import type { ElectionSetup } from '../../src/host/node-setup.ts';
import { warnOfSlowSaves } from '../../src/host/slow-saves.ts';
import type { MemberRecord } from '../../src/runtime/durable-outbox.ts';
import { SimulatedClock } from '../simulated-clock.ts';
import { VirtualTime } from '../virtual-time.ts';

const RECORD: MemberRecord = { algorithm: 'any', entered: 0, durable: {} };

/** Saves one after another, each of which takes so long; what it warns of, and when. */
async function warnings(setup: ElectionSetup, ...saveMs: number[]): Promise<string[]> {
  const time = new VirtualTime();
  const clock = new SimulatedClock(time, 1);
  const told: string[] = [];
  const remaining = [...saveMs];
  const disk = {
    load: async () => null,
    save: () =>
      new Promise<void>((resolve) => {
        time.after(remaining.shift() ?? 0, () => {
          resolve();
          time.hasSettled = true;
        });
      }),
  };
  const options = { setup, members: [1, 2, 3], clock };
  const store = warnOfSlowSaves(disk, options, (text) => told.push(`${time.nowMs}: ${text}`));
  for (let left = saveMs.length; left > 0; left--) {
    let isSaved = false;
    void store.save(RECORD).then(() => {
      isSaved = true;
    });
    await time.runUntil(time.nowMs + 100_000, () => isSaved);
  }
  return told;
}

test('a save that takes longer than T of Raft is a warning with a remedy, while it lasts, and once', async () => {
  expect(await warnings({ algorithm: raft }, 150, 900, 900)).toEqual([
    '650: a save takes longer than 500 ms, the timeout of elections, which wait for it: use a faster disk, or a longer heartbeat at all members',
  ]);
  expect(await warnings({ algorithm: raft }, 499)).toEqual([]);
});

test('the timeout is that of the options', async () => {
  expect(await warnings({ algorithm: raft, heartbeatMs: 500 }, 900)).toEqual([]);
  expect(await warnings({ algorithm: raft, unitMs: 50, set: { timeout: 20 } }, 1_100)).toEqual([
    expect.stringMatching(/^1000: .* 1000 ms.* a longer unit at all members$/),
  ]);
  expect(await warnings({ algorithm: bully }, 300)).toEqual([expect.stringMatching(/^200: .* 200 ms/)]);
});

test('an algorithm without a timeout waits for any disk', async () => {
  expect(await warnings({ algorithm: changRoberts }, 10_000)).toEqual([]);
});

test('the time for which the process is stopped does not count', async () => {
  const time = new VirtualTime();
  const clock = new SimulatedClock(time, 1);
  const told: string[] = [];
  const disk = { load: async () => null, save: () => new Promise<void>(() => undefined) };
  const options = { setup: { algorithm: raft }, members: [1, 2, 3], clock };
  const store = warnOfSlowSaves(disk, options, () => told.push(`${time.nowMs}`));
  void store.save(RECORD);
  await time.runUntil(100);
  clock.stop();
  await time.runUntil(5_000);
  clock.resume();
  await time.runUntil(5_100);
  expect(told).toEqual([]);
  await time.runUntil(6_000);
  expect(told).toEqual(['5500']);
});
