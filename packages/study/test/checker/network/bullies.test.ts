/** The four bully variants in every bounded-delay run of three processes, one crashed, and without the bound. */
import { describe, expect, it } from 'vitest';
import { bully, bullyGrant, bullyIds, bullySuccessor } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';
import type { AnyAlgorithm } from '../../../src/kernel/index.ts';

const VARIANTS = [bullyIds, bullyGrant, bullySuccessor].map((each) => [each.name, each] as const);
const FOUND_NOTHING = { complete: true, violations: [] };

describe.each(VARIANTS)('%s, process n crashed', (_name, algorithm) => {
  it('with 4 processes, every set that detects the crash: one leader, known to all', () => {
    expect(check(algorithm, { nodes: 4, order: 'ascending', initiators: 'subsets' })).toMatchObject(
      FOUND_NOTHING,
    );
  });

  it('with 3, a crash, a recovery and detections at any time', () => {
    const options = { nodes: 3, order: 'ascending', crashes: 1, recoveries: 1, starts: 'free' } as const;
    expect(check(algorithm, options)).toMatchObject(FOUND_NOTHING);
  });

  it('with 4, all detect the crash, and one of them crashes at any time', () => {
    expect(check(algorithm, { nodes: 4, order: 'ascending', crashes: 1 })).toMatchObject(FOUND_NOTHING);
  });

  it('with delays of 1 or 2 units and a timeout of 4', () => {
    const options = { nodes: 3, order: 'ascending', delay: 2, set: { timeout: 4 } } as const;
    expect(check(algorithm, options)).toMatchObject(FOUND_NOTHING);
  });
});

describe('timers that fire early: live processes are suspected', () => {
  const watched = (algorithm: AnyAlgorithm): AnyAlgorithm => ({
    ...algorithm,
    invariants: {
      network: {
        'one-at-a-time': {
          statement: 'At most one process takes itself for the coordinator',
          holds: ({ nodes }) => nodes.filter(({ id, state }) => state.coordinator === id).length <= 1,
        },
      },
    },
  });

  it('two processes lead the same term of bully-successor', () => {
    const { violations } = check(bullySuccessor, { nodes: 3, order: 'ascending', suspect: true });
    expect(violations[0]).toMatchObject({ property: 'uniqueness' });
    expect(violations[0].text).toMatch(/both lead term/);
  });

  it.each([bully, bullyIds, bullyGrant, bullySuccessor].map((each) => [each.name, each] as const))(
    'two processes lead at a time: %s; not if delays are bounded',
    (_name, algorithm) => {
      const options = { nodes: 4, order: 'ascending', invariants: 'all' } as const;
      const { violations } = check(watched(algorithm), { ...options, suspect: true });
      expect(violations.map(({ property }) => property)).toEqual(['one-at-a-time']);
      expect(check(watched(algorithm), options)).toMatchObject(FOUND_NOTHING);
    },
  );
});
