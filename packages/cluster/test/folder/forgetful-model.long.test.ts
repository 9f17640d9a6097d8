/** Members that lose their folders, in every order of events: with folders that are compared, and with ephemeral ones. */
import { expect, test } from 'vitest';
import { searchSystem } from '../../../study/src/checker/index.ts';
import { LONG, LONG_MUTANTS } from './forgetful-searches.ts';
import { ForgetfulSystem } from './forgetful-system.ts';

test.each(LONG)(
  '%s: one leader at a time, and no token leads twice',
  { timeout: 600_000 },
  (_, setting, states) => {
    expect(searchSystem(new ForgetfulSystem(setting))).toMatchObject({
      violation: null,
      complete: true,
      states,
    });
  },
);

test.each(Object.entries(LONG_MUTANTS))('mutant: %s', { timeout: 600_000 }, (_, [setting, property]) => {
  expect(searchSystem(new ForgetfulSystem(setting)).violation?.property).toBe(property);
});
