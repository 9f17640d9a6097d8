import { describe, expect, it } from 'vitest';
import { bully } from '../../src/algorithms/index.ts';
import { check } from '../../src/checker/index.ts';

describe('the bully, process n dead, in every timely run', () => {
  it.each([2, 3, 4])('%i processes, every set that notices: one leader, known to all', (nodes) => {
    const result = check(bully, { nodes, order: 'ascending', initiators: 'subsets' });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });

  it('with delays of 1 or 2 units and a time-out of 4', () => {
    const result = check(bully, { nodes: 4, order: 'ascending', delay: 2, set: { timeout: 4 } });
    expect(result).toMatchObject({ complete: true, violations: [] });
  });
});

describe('what breaks when the network is not timely', () => {
  it('a process that is suspected too early leads a term that another leads', () => {
    const { violations } = check(bully, { nodes: 4, order: 'ascending', suspect: true });
    expect(violations[0]).toMatchObject({ property: 'uniqueness' });
    expect(violations[0].text).toMatch(/both lead term/);
    expect(violations[0].steps).toContain('tick');
  });
});

describe('a crash in the election', () => {
  it('of the only process that noticed leaves the others in ignorance, as the bully says it does', () => {
    const { violations } = check(bully, { nodes: 3, order: 'ascending', initiators: [1], crashes: 1 });
    expect(violations[0]).toMatchObject({ property: 'termination', text: 'node 0 has not decided' });
    expect(violations[0].steps[0]).toBe('crash 1');
  });
});
