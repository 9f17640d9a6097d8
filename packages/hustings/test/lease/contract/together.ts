import { describe, expect, it } from 'vitest';
import type { LeaseStore } from '../../../src/lease/lease-store.ts';
import { releaseOf } from './single-call.ts';
import { claimOf, SHORT_MS, type Suite } from './suite.ts';

/** All leases of a list, or none: of a store that has transactions over several elections. */
export function togetherContract(current: () => Suite): void {
  describe('all of several leases, or none', () => {
    const namesOf = (name: string): string[] => ['a', 'b', 'c'].map((each) => `${name} ${each}`);
    const all = (store: LeaseStore, names: readonly string[], id: string, more = {}) =>
      store.acquireAll!(names.map((each) => claimOf(each, id, more)));
    const types = (answers: readonly { readonly type: string }[]): string[] =>
      answers.map(({ type }) => type);
    const needAll = ({ store }: Suite, skip: (condition: boolean, note: string) => void): void =>
      skip(!store.capabilities.transactions, 'this store has no transactions over several elections');

    it('are granted by a store that declares transactions, and by no other', () => {
      const { store } = current();
      expect(typeof store.acquireAll).toBe(store.capabilities.transactions ? 'function' : 'undefined');
    });

    it('grants all that are free, each with its own token', async ({ skip }) => {
      const suite = current();
      needAll(suite, skip);
      const names = namesOf(suite.name);
      const answers = await all(suite.store, names, 'x');
      expect(types(answers)).toEqual(['ok', 'ok', 'ok']);
      const records = await suite.other.read(names);
      expect(records.map(({ holder, token }) => [holder?.id, token])).toEqual(
        answers.map((answer) => ['x', answer.type === 'ok' ? answer.token : null]),
      );
      // The same nonce finds what it holds.
      expect(await all(suite.other, names, 'x')).toEqual(answers);
    });

    it('grants none if one is held: the others stay free, and the candidate waits for the held one', async ({
      skip,
    }) => {
      const suite = current();
      needAll(suite, skip);
      const names = namesOf(suite.name);
      await suite.win(claimOf(names[1], 'z'));
      const answers = await all(suite.store, names, 'x', { registerMs: 60_000 });
      expect(types(answers)).toEqual(['held', 'held', 'held']);
      expect(answers.map((answer) => answer.type === 'held' && answer.record.holder?.id)).toEqual([
        undefined,
        'z',
        undefined,
      ]);
      const records = await suite.other.read(names);
      expect(records.map(({ holder }) => holder?.id)).toEqual([undefined, 'z', undefined]);
      expect((await suite.other.candidates(names[1])).map(({ id }) => id)).toEqual(['x']);
      for (const each of [names[0], names[2]]) expect(await suite.store.history(each)).toEqual([]);
    });

    it('grants all when the last of them was released, or has expired', async ({ skip }) => {
      const suite = current();
      needAll(suite, skip);
      suite.needClock(skip);
      const names = namesOf(suite.name);
      const tokens = await Promise.all([
        suite.win(claimOf(names[0], 'z')),
        suite.win(claimOf(names[2], 'y', { ttlMs: SHORT_MS })),
      ]);
      expect(types(await all(suite.store, names, 'x'))).toContain('held');
      await suite.other.release([releaseOf(names[0], 'z', tokens[0])]);
      let answers = await all(suite.store, names, 'x');
      for (let tries = 0; tries < 400 && answers[0].type === 'held'; tries++) {
        await suite.wait(20);
        answers = await all(suite.store, names, 'x');
      }
      expect(types(answers)).toEqual(['ok', 'ok', 'ok']);
      const granted = answers.map((answer) => (answer.type === 'ok' ? answer.token : 0n));
      expect([granted[0] > tokens[0], granted[2] > tokens[1]]).toEqual([true, true]);
      expect((await suite.store.history(names[2])).map(({ holder, cause }) => [holder, cause])).toEqual([
        ['x', null],
        ['y', 'expired'],
      ]);
    });

    it('grants all when the challenger has observed the record of the held one for its whole TTL', async ({
      skip,
    }) => {
      const suite = current();
      needAll(suite, skip);
      skip(suite.store.capabilities.expiry === 'clock', 'the clock of this store judges expiry');
      const names = namesOf(suite.name);
      const token = await suite.win(claimOf(names[1], 'y'));
      const [, { version }] = await suite.store.read(names);
      const observing = (staleVersion: bigint) =>
        suite.store.acquireAll!(
          names.map((each, index) => claimOf(each, 'x', index === 1 ? { staleVersion } : {})),
        );
      expect(types(await observing(version - 1n))).toEqual(['held', 'held', 'held']);
      const answers = await observing(version);
      expect(types(answers)).toEqual(['ok', 'ok', 'ok']);
      expect(answers[1].type === 'ok' && answers[1].token > token).toBe(true);
      expect(await suite.renew('y', token)).toEqual({ type: 'lost' });
      const tokens = answers.map((answer) => (answer.type === 'ok' ? answer.token : 0n));
      const renewals = names.map((each, index) => ({
        name: each,
        nonce: 'x-nonce',
        token: tokens[index],
        ttlMs: 1_000,
      }));
      expect(types(await suite.store.renew(renewals))).toEqual(['ok', 'ok', 'ok']);
    });

    it('candidates with overlapping lists, in any order, hold all of theirs or none, and one of them wins', async ({
      skip,
    }) => {
      const suite = current();
      needAll(suite, skip);
      for (let round = 0; round < 10; round++) {
        const [a, b, c] = namesOf(`${suite.name} ${round}`);
        const lists = { x: [a, b], y: [b, c], z: [c, a] };
        const stores = [suite.store, suite.other, suite.store];
        const outcomes = await Promise.all(
          Object.entries(lists).map(async ([id, names], index) => types(await all(stores[index], names, id))),
        );
        expect(outcomes.filter((outcome) => outcome.every((type) => type === 'ok'))).toHaveLength(1);
        expect(outcomes.filter((outcome) => new Set(outcome).size > 1)).toEqual([]);
        const holders = (await suite.store.read([a, b, c])).map(({ holder }) => holder?.id);
        const winner = holders.find((id) => id !== undefined)!;
        expect(holders.filter((id) => id !== undefined)).toEqual([winner, winner]);
      }
    });

    it('an empty list is granted', async ({ skip }) => {
      const suite = current();
      needAll(suite, skip);
      expect(await suite.store.acquireAll!([])).toEqual([]);
    });
  });
}
