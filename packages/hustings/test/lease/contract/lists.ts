import { describe, expect, it } from 'vitest';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, type Suite } from './suite.ts';

export function listsContract(current: () => Suite): void {
  describe('a list', () => {
    it('may be empty', async () => {
      const { store } = current();
      expect(await store.acquire([])).toEqual([]);
      expect(await store.renew([])).toEqual([]);
      expect(await store.release([])).toEqual([]);
      expect(await store.read([])).toEqual([]);
    });

    it('of a thousand is answered in its order, and a lost item does not affect the others', async () => {
      const { store, other, name } = current();
      const many = Array.from({ length: 1_000 }, (_, index) => `${name}/${index}`);
      const taken = many.filter((_, index) => index % 10 === 3);
      await other.acquire(taken.map((each) => claimOf(each, 'z')));
      const answers = await store.acquire(many.map((each) => claimOf(each, 'a')));
      expect(answers.map(({ type }) => type)).toEqual(
        many.map((_, index) => (index % 10 === 3 ? 'held' : 'ok')),
      );
      const records = await other.read(many);
      expect(records.map((record) => record.name)).toEqual(many);
      const nonce = 'a-nonce';
      const renewals = many.map((each, index) => ({
        name: each,
        nonce,
        token: records[index].token,
        ttlMs: LONG_MS,
      }));
      const kinds = (await store.renew(renewals)).map(({ type }) => type);
      expect(kinds).toEqual(many.map((_, index) => (index % 10 === 3 ? 'lost' : 'ok')));
      const releases = many.map((each, index) => releaseOf(each, 'a', records[index].token));
      const released = (await store.release(releases.toReversed())).map(({ type }) => type);
      expect(released.toReversed()).toEqual(many.map((_, index) => (index % 10 === 3 ? 'lost' : 'ok')));
      const after = await other.read(many);
      expect(after.map(({ holder }) => holder?.id ?? null)).toEqual(
        many.map((_, index) => (index % 10 === 3 ? 'z' : null)),
      );
    });

    it('may name an election twice: the items take effect one after the other', async () => {
      const { store, name } = current();
      const [first, second, third] = await store.acquire([
        claimOf(name, 'a'),
        claimOf(name, 'b'),
        claimOf(name, 'a'),
      ]);
      if (first.type !== 'ok') throw new Error('the first did not win');
      expect(second).toMatchObject({ type: 'held', record: { holder: { id: 'a' }, token: first.token } });
      expect(third).toEqual(first);
      const each = { name, nonce: 'a-nonce', token: first.token, ttlMs: LONG_MS };
      expect(
        (await store.renew([each, { ...each, nonce: 'b-nonce' }, each])).map(({ type }) => type),
      ).toEqual(['ok', 'lost', 'ok']);
      expect((await store.read([name, name])).map(({ token }) => token)).toEqual([first.token, first.token]);
      const end = releaseOf(name, 'a', first.token);
      expect((await store.release([end, end])).map(({ type }) => type)).toEqual(['ok', 'lost']);
    });
  });
}
