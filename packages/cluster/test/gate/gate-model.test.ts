import { describe, expect, test } from 'vitest';
import { searchSystem } from '../../../study/src/checker/index.ts';
import { granted } from '../../src/gate/claim.ts';
import { considerRequest, NO_SUPPORT, startedSupporter } from '../../src/gate/supporter.ts';
import { type GateSetting, GateSystem } from './gate-system.ts';

/** gate-model.long.test.ts has larger searches. */
const SMALL: GateSetting = { leaseMs: 1, claimants: 2, tokens: 2, inFlight: 1, restarts: 1 };

/** The lease is long enough for an answer that arrives when the support of an earlier request has ended. */
const LATE: GateSetting = { ...SMALL, leaseMs: 2, claimants: 1, restarts: 0, lateTimers: true };

describe('every run of the quorum gate: one leader at a time, tokens rise, and no lead that is over begins again', () => {
  test.each([
    ['one token, one message in flight, one restart', { ...SMALL, tokens: 1 }, 3_109, 16_664],
    ['one token, two messages in flight', { ...SMALL, tokens: 1, inFlight: 2, restarts: 0 }, 2_929, 19_213],
    ['two tokens, one message in flight', { ...SMALL, restarts: 0 }, 8_217, 42_811],
    ['one claimant, which may look at its clock late', LATE, 6_845, 30_294],
  ])('%s', { timeout: 120_000 }, (_, setting, states, transitions) => {
    expect(searchSystem(new GateSystem(setting))).toMatchObject({
      violation: null,
      complete: true,
      states,
      transitions,
    });
  });

  const mutants: Readonly<Record<string, [Partial<GateSetting>, string]>> = {
    'a supporter that answers at once after a restart': [
      { starts: (support) => ({ support, boundTo: -1, boundUntilMs: 0 }) },
      'one leader',
    ],
    'a supporter that answers at once after a first start, and has lost its folder': [
      {
        keeps: () => NO_SUPPORT,
        starts: (support, startMs, leaseMs) =>
          support.token === 0
            ? { support, boundTo: -1, boundUntilMs: 0 }
            : startedSupporter(support, startMs, leaseMs),
      },
      'one leader',
    ],
    'a supporter that is bound to nobody': [
      {
        restarts: 0,
        considers: (supporter, ...rest) => considerRequest({ ...supporter, boundUntilMs: 0 }, ...rest),
      },
      'one leader',
    ],
    'a leader that counts from the arrival of the answer': [
      { leaseMs: 2, restarts: 0, countsFromAnswer: true },
      'one leader',
    ],
    'a supporter that keeps nothing on disk': [{ keeps: () => NO_SUPPORT }, 'rising tokens'],
    'a supporter that supports one token for two leaders': [
      {
        restarts: 0,
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
    'a claimant that counts an answer after its lead is over': [
      {
        ...LATE,
        grants: (claim, ...rest) => {
          const next = granted({ ...claim, hasLed: false }, ...rest);
          return { ...next, hasLed: claim.hasLed || next.hasLed };
        },
      },
      'one lead per token',
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
