import { expect, test } from 'vitest';
import { searchSystem } from '../../../src/checker/index.ts';
import { GateSystem } from './gate-system.ts';

test('every run of the quorum gate, with two claimants, two messages in flight and one restart: one leader at a time, and tokens rise', () => {
  const setting = { leaseMs: 1, claimants: 2, tokens: 2, inFlight: 2, restarts: 1 };
  expect(searchSystem(new GateSystem(setting))).toMatchObject({
    violation: null,
    complete: true,
    states: 126_103,
    transitions: 978_792,
  });
});
