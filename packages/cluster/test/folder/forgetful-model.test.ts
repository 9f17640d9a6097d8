/** Members that lose their folders, in every order of events: with folders that are compared, and with ephemeral ones. */
import { describe, expect, test } from 'vitest';
import { searchSystem } from '../../../study/src/checker/index.ts';
import { MUTANTS, QUICK } from './forgetful-searches.ts';
import { ForgetfulSystem } from './forgetful-system.ts';

/** forgetful-model.long.test.ts has larger searches. */
test.each(QUICK)(
  '%s: one leader at a time, and no token leads twice',
  { timeout: 120_000 },
  (_, setting, states) => {
    expect(searchSystem(new ForgetfulSystem(setting))).toMatchObject({
      violation: null,
      complete: true,
      states,
    });
  },
);

describe('mutants', () => {
  test.each(Object.entries(MUTANTS))('%s is caught', { timeout: 120_000 }, (_, [setting, property]) => {
    expect(searchSystem(new ForgetfulSystem(setting)).violation?.property).toBe(property);
  });
});
