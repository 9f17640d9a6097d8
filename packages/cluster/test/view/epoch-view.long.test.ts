import { expect, test } from 'vitest';
import { MAX_EPOCHS, runSeed } from './view-seeds.ts';

test('400 seeds of crashes, restarts and cuts: at rest every clique agrees on one epoch', async () => {
  let most = 0;
  for (let seed = 1_000; seed < 1_400; seed++) {
    const report = await runSeed(seed, {}, 12);
    expect(report.flaw).toBeNull();
    most = Math.max(most, report.most);
  }
  process.stdout.write(`views: at most ${most} epochs after one change, seeds 1000 to 1399\n`);
  expect(most).toBeLessThanOrEqual(MAX_EPOCHS);
});
