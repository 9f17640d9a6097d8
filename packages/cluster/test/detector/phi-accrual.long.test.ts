import { expect, test } from 'vitest';
import { simulateDetector } from './detector-simulation.ts';

const DAY = { hours: 24, delayMs: 5, loss: 0, pausesPerHour: 0, pauseMs: 0, stopsPerHour: 0 };

const days = [
  { name: 'a quiet network', faults: DAY, most: 0 },
  { name: 'own stops of up to a minute', faults: { ...DAY, stopsPerHour: 60 }, most: 0 },
  { name: 'pauses below the floor', faults: { ...DAY, pausesPerHour: 60, pauseMs: 150 }, most: 0 },
  // Two bursts of losses may follow each other.
  {
    name: 'lost heartbeats and short pauses',
    faults: { ...DAY, loss: 0.01, pausesPerHour: 60, pauseMs: 50 },
    most: 24,
  },
  // Beyond the model: a silence from the floor on cannot be told from a crash, and is counted.
  {
    name: 'pauses of up to a second',
    faults: { ...DAY, loss: 0.01, pausesPerHour: 60, pauseMs: 1_000 },
    most: 24 * 60,
  },
  { name: 'slow links', faults: { ...DAY, delayMs: 80, loss: 0.01 }, most: 24 },
];

for (const { faults, most, name } of days) {
  test(`24 hours with ${name}`, () => {
    for (const seed of [1, 2, 3]) {
      const report = simulateDetector({ heartbeatMs: 100 }, { ...faults, seed });
      process.stdout.write(`detector, ${name}, seed ${seed}: ${JSON.stringify(report)}\n`);
      expect(report.falseSuspicions).toBeLessThanOrEqual(most);
      expect(report.detectedAfterMs).toBeLessThanOrEqual(2_000);
    }
  });
}
