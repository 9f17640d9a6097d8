/** The variants of the bully with every set that notices, and a crash, or a crash and a recovery, at any moment. */
import { describe, expect, it } from 'vitest';
import { bullyGrant, bullyIds, bullySuccessor } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';

const VARIANTS = [bullyIds, bullyGrant, bullySuccessor].map((each) => [each.name, each] as const);

describe.each(VARIANTS)('%s', (_name, algorithm) => {
  it('3 processes, a crash and a recovery', () => {
    const options = {
      nodes: 3,
      order: 'ascending',
      initiators: 'subsets',
      crashes: 1,
      recoveries: 1,
    } as const;
    expect(check(algorithm, options)).toMatchObject({ complete: true, violations: [] });
  });

  it('4 processes, a crash', () => {
    const options = { nodes: 4, order: 'ascending', initiators: 'subsets', crashes: 1 } as const;
    expect(check(algorithm, options)).toMatchObject({ complete: true, violations: [] });
  });
});
