import { describe, expect, test } from 'vitest';
import { MAX_EPOCHS, REST_MS, runSeed } from './view-seeds.ts';
import { ViewSimulation } from './view-simulation.ts';

describe('crashes, restarts, cuts and non-transitive cuts by seed', () => {
  test('at rest every clique agrees on one epoch, and one change costs few epochs', async () => {
    let most = 0;
    for (let seed = 1; seed <= 20; seed++) {
      const report = await runSeed(seed);
      expect(report.flaw).toBeNull();
      most = Math.max(most, report.most);
    }
    process.stdout.write(`views: at most ${most} epochs after one change, seeds 1 to 20\n`);
    expect(most).toBeLessThanOrEqual(MAX_EPOCHS);
  });

  test('a mutant without damping is caught: it proposes more epochs, and may never rest', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      const report = await runSeed(seed, { damping: false }, 3);
      if (report.flaw !== null || report.most > MAX_EPOCHS) return;
    }
    expect.unreachable('8 seeds without damping looked like damped ones');
  });

  test('a mutant without durable numbers enters an epoch again after a restart', async () => {
    const flaws: (string | null)[] = [];
    for (let seed = 1; seed <= 40; seed++) flaws.push((await runSeed(seed, { durable: false })).flaw);
    expect(flaws.some((found) => found?.includes('two incarnations'))).toBe(true);
  });
});

describe('views are sent to those whom they concern', () => {
  test('a mutant that tells its proposer no more than the others is caught', async () => {
    for (let seed = 1; seed <= 8; seed++) {
      if ((await runSeed(seed, { tellsProposer: false })).flaw !== null) return;
    }
    expect.unreachable('8 seeds with a proposer that does not get all had no flaw');
  });

  test('so that the views of a start grow with the pairs of members, and not with their cube', async () => {
    const perPair: number[] = [];
    for (const n of [10, 40]) {
      const simulation = new ViewSimulation(n, 1);
      await simulation.time.runUntil(5_000);
      expect(simulation.epochOf(n)?.members).toEqual(simulation.ids);
      perPair.push(simulation.frames / (n * (n - 1)));
    }
    process.stdout.write(`views: ${perPair.map((views) => views.toFixed(1)).join(' and ')} on each link\n`);
    expect(perPair[1]).toBeLessThan(2 * perPair[0]);
  });
});

test('a restart of all members uses no number again', async () => {
  const simulation = new ViewSimulation(4, 3);
  await simulation.time.runUntil(REST_MS);
  const first = simulation.epochOf(1)?.number ?? 0;
  for (const id of simulation.ids) simulation.crash(id);
  for (const id of simulation.ids) simulation.start(id);
  await simulation.time.runUntil(2 * REST_MS);
  expect(simulation.epochOf(4)?.members).toEqual([1, 2, 3, 4]);
  expect(simulation.epochOf(4)?.number).toBeGreaterThan(first);
});

test('a member that is cut from the smallest id alone is outside the clique, and takes part in nothing', async () => {
  const simulation = new ViewSimulation(5, 1);
  await simulation.time.runUntil(REST_MS);
  simulation.cut(1, 2);
  await simulation.time.runUntil(2 * REST_MS);
  expect(simulation.epochOf(2)).toBeNull();
  expect(simulation.epochOf(5)?.members).toEqual([1, 3, 4, 5]);
});
