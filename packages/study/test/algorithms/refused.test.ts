/** What each algorithm refuses: the assumptions of its source, one by one. */
import { describe, expect, it } from 'vitest';
import { registry } from '../../src/algorithms/registry.ts';
import { AssumptionError } from '../../src/kernel/errors.ts';
import { Run, type SimulateOptions } from '../../src/simulator/index.ts';
import { casesOf } from './read-cases.ts';

/** Each violates an assumption that an algorithm may make. */
const ATTEMPTS: readonly SimulateOptions[] = [
  { topology: 'ring' },
  { topology: 'complete' },
  { ids: 'anonymous' },
  { schedule: 'random' },
  { schedule: 'random:nofifo' },
  { crash: [{ position: 1, time: 1 }] },
  { crash: [{ position: 1, time: 1 }], recover: [{ position: 1, time: 2 }] },
  { loss: 0.1 },
  { duplicate: 0.1 },
  { partition: [{ groups: [[0], [1]], from: 0, until: 1 }] },
];

const BY_DEFAULT = 'network ids crash loss duplication partition';

describe.each(registry.map((algorithm) => [algorithm.name, algorithm] as const))('%s', (_, algorithm) => {
  it('refuses a run that violates an assumption, and names it', () => {
    const refused = ATTEMPTS.flatMap((options) => {
      try {
        new Run(algorithm, { nodes: 5, ...options });
        return [];
      } catch (error) {
        if (!(error instanceof AssumptionError)) throw error;
        return [error.assumption];
      }
    });
    expect([...new Set(refused)].join(' ')).toBe(casesOf(algorithm).refuses ?? BY_DEFAULT);
  });
});
