import { describe, expect, it } from 'vitest';
import { bully } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';

describe('the bully with 4 processes, a crash and a recovery at any time', () => {
  it('every set of detections at any time: one leader at the end of every bounded-delay run', () => {
    const result = check(bully, {
      nodes: 4,
      order: 'ascending',
      starts: 'free',
      crashes: 1,
      recoveries: 1,
      stateLimit: 50_000_000,
    });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it.each([[0], [1], [2], [0, 1], [0, 2], [1, 2], [0, 1, 2]])(
    'those that notice at once are %j',
    (...initiators) => {
      const result = check(bully, { nodes: 4, order: 'ascending', initiators, crashes: 1, recoveries: 1 });
      expect(result).toMatchObject({ complete: true, violations: [] });
    },
  );
});
