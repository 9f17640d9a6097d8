import { describe, expect, test } from 'vitest';
import { searchSystem } from '../../../src/checker/index.ts';
import { considerRequest, NO_SUPPORT } from '../../../src/cluster/gate/supporter.ts';
import { type GateSetting, GateSystem } from './gate-system.ts';

const SMALL: GateSetting = { leaseMs: 1, claimants: 2, tokens: 2, inFlight: 2, restarts: 1 };

describe('every run of the quorum gate: one leader at a time, and tokens rise', () => {
  test('two claimants, one restart', { timeout: 120_000 }, () => {
    const { violation, complete, states, transitions } = searchSystem(new GateSystem(SMALL));
    expect(violation).toBeNull();
    expect({ complete, states, transitions }).toEqual({
      complete: true,
      states: 126_103,
      transitions: 978_792,
    });
  });

  const mutants: Readonly<Record<string, [Partial<GateSetting>, string]>> = {
    'a supporter that answers at once after a restart': [
      { starts: (support) => ({ support, boundTo: -1, boundUntilMs: 0 }) },
      'one leader',
    ],
    'a supporter that is bound to nobody': [
      { considers: (supporter, ...rest) => considerRequest({ ...supporter, boundUntilMs: 0 }, ...rest) },
      'one leader',
    ],
    'a leader that counts from the arrival of the answer': [
      { leaseMs: 2, restarts: 0, inFlight: 1, countsFromAnswer: true },
      'one leader',
    ],
    'a supporter that keeps nothing on disk': [{ keeps: () => NO_SUPPORT }, 'rising tokens'],
    'a supporter that supports one token for two leaders': [
      {
        considers: (supporter, from, token, ...rest) =>
          considerRequest(
            token === supporter.support.token
              ? { ...supporter, support: { ...supporter.support, leader: from } }
              : supporter,
            from,
            token,
            ...rest,
          ),
      },
      'rising tokens',
    ],
    'a claimant that asks others before its own support is on disk': [
      { asksFirst: true, claimants: 1 },
      'rising tokens',
    ],
  };
  test.each(Object.entries(mutants))('%s is caught', { timeout: 120_000 }, (_, [mutant, property]) => {
    const { violation } = searchSystem(new GateSystem({ ...SMALL, ...mutant }));
    expect(violation?.property).toBe(property);
  });
});
