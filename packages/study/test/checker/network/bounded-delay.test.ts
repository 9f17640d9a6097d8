import { describe, expect, it } from 'vitest';
import { effort } from '../../../../../test-kit/limits/effort.ts';
import { bully } from '../../../src/algorithms/index.ts';
import { check } from '../../../src/checker/index.ts';

/** The largest network with a crash and a recovery. */
const MAX_NODES = effort({ quick: 3, full: 4 });

describe('the bully, process n crashed, in every bounded-delay run', () => {
  it.each([2, 3, 4])('%i processes, every set that detects the crash: one leader, known to all', (nodes) => {
    const result = check(bully, { nodes, order: 'ascending', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('with delays of 1 or 2 units and a timeout of 4', () => {
    const result = check(bully, { nodes: 4, order: 'ascending', delay: 2, set: { timeout: 4 } });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });
});

describe('a network that violates the bound on delays', () => {
  it('a process that is suspected too early leads a term that another process leads', () => {
    const { violations } = check(bully, { nodes: 4, order: 'ascending', suspect: true });
    expect(violations[0]).toMatchObject({ property: 'uniqueness' });
    expect(violations[0].text).toMatch(/both lead term/);
    expect(violations[0].steps).toContain('tick');
  });
});

describe('a crash and a recovery at any time', () => {
  it('of the only process that detected the crash: the others detect it later, and elect', () => {
    const result = check(bully, { nodes: 3, order: 'ascending', initiators: [1], crashes: 1 });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('3 processes, every set of first and later detections: one leader at the end', () => {
    const options = { nodes: 3, order: 'ascending', crashes: 1, recoveries: 1 } as const;
    expect(check(bully, { ...options, initiators: 'subsets' })).toMatchObject({
      complete: true,
      violations: [],
    });
    expect(check(bully, { ...options, starts: 'free' })).toMatchObject({ complete: true, violations: [] });
  });

  it(`${MAX_NODES} processes, all detect the crash at once: one leader at the end`, () => {
    const result = check(bully, { nodes: MAX_NODES, order: 'ascending', crashes: 1, recoveries: 1 });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('with timers that fire early two processes lead the same term', () => {
    const { violations } = check(bully, {
      nodes: 3,
      order: 'ascending',
      crashes: 1,
      recoveries: 1,
      suspect: true,
    });
    expect(violations[0]).toMatchObject({ property: 'uniqueness' });
  });
});
