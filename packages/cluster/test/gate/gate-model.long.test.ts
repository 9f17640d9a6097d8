import { expect, test } from 'vitest';
import { searchSystem } from '../../../study/src/checker/index.ts';
import { GateSystem } from './gate-system.ts';

const SMALL = { leaseMs: 1, claimants: 2, tokens: 2, inFlight: 1, restarts: 1 };

test.each([
  ['one message in flight and one restart', SMALL, 27_905, 163_218],
  ['two messages in flight', { ...SMALL, inFlight: 2, restarts: 0 }, 37_753, 268_549],
  ['two messages in flight and one restart', { ...SMALL, inFlight: 2 }, 126_103, 978_792],
])(
  'every run of the quorum gate, with two claimants, %s: one leader at a time, and tokens rise',
  (_, setting, states, transitions) => {
    expect(searchSystem(new GateSystem(setting))).toMatchObject({
      violation: null,
      complete: true,
      states,
      transitions,
    });
  },
);
