/** What counts for a member that has forgotten. The rules in every order of events: forgetful-model.test.ts. */
import { describe, expect, test } from 'vitest';
import {
  askedAgain,
  extendedRecovery,
  neededAnswers,
  type RecoveryAnswer,
  recollected,
  startedRecovery,
  withAnswer,
} from '../../src/folder/recovery.ts';
import { NOBODY } from '../../src/gate/supporter.ts';

const IDS = [1, 2, 3, 4, 5];
const NOTHING = { token: 0, leader: NOBODY };
const answer = (token: number, leader: number, more: Partial<RecoveryAnswer> = {}): RecoveryAnswer => ({
  ...{ token, leader, process: 1, isRecovering: false, list: null },
  ...more,
});
const told = (
  answers: Readonly<Record<number, RecoveryAnswer>>,
  wereRecovering: readonly number[] = [],
): ReturnType<typeof recollected> =>
  recollected({ ...startedRecovery(0, 0, 1), answers, wereRecovering }, IDS, 1, NOTHING, null);

test('the members that must answer share one with each majority, also of a list with one member more or less', () => {
  for (let members = 3; members < 50; members++) {
    const needed = neededAnswers(members);
    // A majority without the forgetful member, among the others of both lists.
    for (const next of [members - 1, members, members + 1])
      expect(needed + Math.floor(next / 2), `${members} members, then ${next}`).toBeGreaterThan(
        Math.max(members, next) - 1,
      );
  }
});

describe('a member takes the largest token', () => {
  test('when three of four others have answered', () => {
    expect(told({ 2: answer(7, 3), 3: answer(7, 3) })).toBeNull();
    expect(told({ 2: answer(7, 3), 3: answer(7, 3), 4: answer(5, 5) })).toEqual({ token: 7, leader: 3 });
  });

  test('when all others have answered twice, of which some are recovering', () => {
    const [lost, also] = [2, 3].map((process) => answer(0, NOBODY, { process, isRecovering: true }));
    expect(told({ 2: answer(7, 3), 3: answer(6, 3), 4: lost }, [2])).toBeNull();
    expect(told({ 2: answer(7, 3), 3: answer(6, 3), 4: lost, 5: also })).toBeNull();
    expect(told({ 2: answer(7, 3), 3: answer(6, 3), 4: lost, 5: also }, [2, 3])).toEqual({
      token: 7,
      leader: 3,
    });
    expect(told({ 2: lost, 3: lost, 4: lost, 5: lost }, [2])).toEqual(NOTHING);
  });

  test('and the next one, with nobody, if two leaders are named for it', () => {
    expect(told({ 2: answer(7, 3), 3: answer(7, 2), 4: answer(5, 5) })).toEqual({
      token: 8,
      leader: NOBODY,
    });
  });

  test('of its own disk too', () => {
    const answers = { 2: answer(5, 5), 3: answer(5, 5), 4: answer(5, 5) };
    const own = { token: 9, leader: 4 };
    expect(recollected({ ...startedRecovery(0, 0, 1), answers }, IDS, 1, own, null)).toEqual(own);
  });
});

test('an answer counts when the list of the other member is stored', () => {
  const list = { stamp: 3, version: 2, origin: 3 };
  const answers = { 2: answer(5, 5, { list }), 3: answer(5, 5, { list }), 4: answer(5, 5) };
  const recovery = { ...startedRecovery(0, 0, 1), answers };
  const older = { stamp: 2, version: 2, origin: 2 };
  expect(recollected(recovery, IDS, 1, NOTHING, null)).toBeNull();
  expect(recollected(recovery, IDS, 1, NOTHING, older)).toBeNull();
  expect(recollected(recovery, IDS, 1, NOTHING, list)).toEqual({ token: 5, leader: 5 });
});

test('answers to earlier questions do not count, nor those from before a longer lease has passed', () => {
  const first = withAnswer(startedRecovery(0, 100, 7), 7, 2, answer(1, 2));
  expect(withAnswer(first, 6, 3, answer(1, 2))).toBe(first);
  expect(extendedRecovery(first, 100)).toBe(first);
  expect(extendedRecovery(first, 200)).toEqual(startedRecovery(0, 200, 8));
});

test('members that were recovering one after the other are asked until they were so at one time', () => {
  const lost = (process: number): RecoveryAnswer => answer(0, NOBODY, { process, isRecovering: true });
  let recovery = startedRecovery(0, 0, 1);
  const tell = (answers: Readonly<Record<number, RecoveryAnswer>>): void => {
    for (const [id, each] of Object.entries(answers))
      recovery = withAnswer(recovery, recovery.question, Number(id), each);
  };
  const found = () => recollected(recovery, IDS, 1, NOTHING, null);
  const ask = (): void => {
    recovery = askedAgain(recovery, IDS, 1, null);
  };
  // Member 2 had recovered before member 3 forgot what both knew.
  tell({ 2: lost(12), 3: lost(13), 4: answer(6, 4) });
  ask();
  expect(recovery.question).toBe(1);
  tell({ 5: answer(6, 4) });
  expect(found()).toBeNull();
  ask();
  expect(recovery).toMatchObject({ question: 2, answers: { 4: answer(6, 4), 5: answer(6, 4) } });
  tell({ 3: lost(13) });
  expect(found()).toBeNull();
  // Another process of member 2.
  tell({ 2: lost(22) });
  expect(found()).toBeNull();
  ask();
  tell({ 2: lost(22), 3: lost(13) });
  expect(found()).toEqual({ token: 6, leader: 4 });
});
