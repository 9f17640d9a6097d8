import { describe, expect, it } from 'vitest';
import type { LeaderMetadata, TermUpdate } from '../../../src/lease/core/term-data.ts';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, SHORT_MS, type Suite } from './suite.ts';

const AT_HOME: LeaderMetadata = { address: '10.0.0.7:80', labels: { zone: 'ä', weights: [1, null, true] } };
/** Text that a store must not read as its own, and as long as it may be. */
const AWKWARD = `'"\\ -= \n{}[]%ä€😀 null `;
const LONGEST = AWKWARD + 'x'.repeat(4_096 - Buffer.byteLength(AWKWARD));

export function termDataContract(current: () => Suite): void {
  const update = async (id: string, token: bigint, change: TermUpdate) => {
    const { store, name } = current();
    const request = { name, nonce: `${id}-nonce`, token, ttlMs: LONG_MS, update: change };
    return (await store.renew([request]))[0].type;
  };

  describe('metadata', () => {
    it('is in the record and in the history of its term, and ends with it', async () => {
      const { store, other, name, acquire, win, release, read } = current();
      const first = await win(claimOf(name, 'a', { metadata: AT_HOME }));
      expect((await read(other)).metadata).toEqual(AT_HOME);
      const refused = await acquire(claimOf(name, 'b'), other);
      expect(refused).toMatchObject({ type: 'held', record: { metadata: AT_HOME } });
      await release(releaseOf(name, 'a', first));
      expect((await read()).metadata).toBeNull();
      const second = await win(claimOf(name, 'b'));
      expect((await read()).metadata).toBeNull();
      await release(releaseOf(name, 'b', second));
      await win(claimOf(name, 'c', { metadata: {} }));
      const terms = await store.history(name);
      expect(terms.map(({ holder, metadata }) => [holder, metadata])).toEqual([
        ['c', {}],
        ['b', null],
        ['a', AT_HOME],
      ]);
    });

    it('is replaced by a renewal, which keeps the checkpoint', async () => {
      const { store, other, name, win, renew, release, read } = current();
      const token = await win(claimOf(name, 'a', { metadata: AT_HOME }));
      expect(await update('a', token, { number: 1, checkpoint: 'at 7' })).toBe('ok');
      expect(await update('a', token, { number: 2, metadata: { address: 'elsewhere' } })).toBe('ok');
      expect(await renew('a', token)).toMatchObject({ type: 'ok' });
      const record = { metadata: { address: 'elsewhere' }, checkpoint: 'at 7' };
      expect(await read(other)).toMatchObject(record);
      expect((await store.history(name))[0].metadata).toEqual(record.metadata);
      await release(releaseOf(name, 'a', token));
      expect((await other.history(name))[0].metadata).toEqual(record.metadata);
      expect(await read(other)).toMatchObject({ metadata: null, checkpoint: 'at 7' });
    });

    it('of an expired lease is gone from the record, and stays in the history', async ({ skip }) => {
      const { store, name, win, read, untilFree, needClock } = current();
      needClock(skip);
      await win(claimOf(name, 'a', { ttlMs: SHORT_MS, metadata: AT_HOME }));
      await untilFree();
      expect((await read()).metadata).toBeNull();
      await win(claimOf(name, 'b'));
      expect((await store.history(name)).map(({ metadata }) => metadata)).toEqual([null, AT_HOME]);
    });
  });

  describe('a checkpoint', () => {
    it('is written by the holder alone, and given to the next one', async () => {
      const { other, name, acquire, win, release, read } = current();
      expect(await acquire(claimOf(name, 'a'))).toMatchObject({ type: 'ok', checkpoint: null });
      const token = (await read()).token;
      expect(await update('b', token, { number: 1, checkpoint: 'forged' })).toBe('lost');
      expect(await update('a', token + 1n, { number: 1, checkpoint: 'forged' })).toBe('lost');
      expect((await read()).checkpoint).toBeNull();
      expect(await update('a', token, { number: 1, checkpoint: LONGEST })).toBe('ok');
      expect((await read(other)).checkpoint).toBe(LONGEST);
      expect(await acquire(claimOf(name, 'a'))).toMatchObject({ type: 'ok', token, checkpoint: LONGEST });
      expect(await release(releaseOf(name, 'b', token, { checkpoint: 'forged' }))).toEqual({ type: 'lost' });
      await release(releaseOf(name, 'a', token));
      const next = await acquire(claimOf(name, 'b'), other);
      expect(next).toMatchObject({ type: 'ok', checkpoint: LONGEST });
      // The latest token, but not the nonce of the holder.
      expect(await update('a', (await read()).token, { number: 2, checkpoint: 'late' })).toBe('lost');
      await win(claimOf(`${name}!`, 'b'));
      expect((await other.read([`${name}!`]))[0].checkpoint).toBeNull();
    });

    it('survives a holder that died', async ({ skip }) => {
      const { name, acquire, win, untilFree, needClock } = current();
      needClock(skip);
      const token = await win(claimOf(name, 'a'));
      const { store } = current();
      const request = { name, nonce: 'a-nonce', token, ttlMs: SHORT_MS };
      await store.renew([{ ...request, update: { number: 1, checkpoint: 'at 7' } }]);
      await untilFree();
      expect(await acquire(claimOf(name, 'b'))).toMatchObject({ type: 'ok', checkpoint: 'at 7' });
    });

    it('is replaced or removed in the step that releases the lease', async () => {
      const { name, acquire, win, release, read } = current();
      const first = await win(claimOf(name, 'a'));
      await release(releaseOf(name, 'a', first, { checkpoint: LONGEST, successor: 'b', reserveMs: LONG_MS }));
      expect(await read()).toMatchObject({ holder: null, successor: 'b', checkpoint: LONGEST });
      expect((await acquire(claimOf(name, 'c'))).type).toBe('held');
      const second = await acquire(claimOf(name, 'b'));
      if (second.type !== 'ok') throw new Error('held');
      expect(second.checkpoint).toBe(LONGEST);
      await release(releaseOf(name, 'b', second.token, { checkpoint: '' }));
      expect(await acquire(claimOf(name, 'c'))).toMatchObject({ type: 'ok', checkpoint: null });
    });

    it('is written by an evicted holder only when it releases', async () => {
      const { store, name, win, release, read } = current();
      const token = await win(claimOf(name, 'a'));
      await store.evict(name);
      expect(await update('a', token, { number: 1, checkpoint: 'at 7' })).toBe('evicted');
      expect((await read()).checkpoint).toBeNull();
      expect((await release(releaseOf(name, 'a', token, { checkpoint: 'at 8' }))).type).toBe('evicted');
      expect((await read()).checkpoint).toBe('at 8');
    });

    it('is not undone by a renewal that was delayed, in this term or the next', async () => {
      const { name, acquire, win, release, read } = current();
      const first = await win(claimOf(name, 'a'));
      expect(await update('a', first, { number: 2, checkpoint: 'at 8' })).toBe('ok');
      expect(await update('a', first, { number: 1, checkpoint: 'at 7', metadata: { old: true } })).toBe('ok');
      expect(await update('a', first, { number: 2, checkpoint: 'at 7' })).toBe('ok');
      expect(await read()).toMatchObject({ checkpoint: 'at 8', metadata: null });
      expect(await update('a', first, { number: 3, checkpoint: '' })).toBe('ok');
      expect((await read()).checkpoint).toBeNull();
      await release(releaseOf(name, 'a', first));
      await acquire(claimOf(name, 'b'));
      const second = (await read()).token;
      expect(await update('b', second, { number: 1, checkpoint: 'at 9' })).toBe('ok');
      expect(await update('a', first, { number: 4, checkpoint: 'at 8' })).toBe('lost');
      expect((await read()).checkpoint).toBe('at 9');
    });

    it('is written for each lease of a list that asks for it', async () => {
      const { store, name, win } = current();
      const names = ['1', '2', '3', '4'].map((each) => `${name} ${each}`);
      const tokens: bigint[] = [];
      for (const each of names) tokens.push(await win(claimOf(each, 'a')));
      const renewals = names.map((each, index) => ({
        ...{ name: each, nonce: 'a-nonce', token: tokens[index], ttlMs: LONG_MS },
        ...(index === 1 ? {} : { update: { number: 1, ...(index === 2 ? {} : { checkpoint: each }) } }),
      }));
      await store.renew([...renewals, { ...renewals[0], token: 1n }]);
      const records = await store.read(names);
      expect(records.map(({ checkpoint }) => checkpoint)).toEqual([names[0], null, null, names[3]]);
      const releases = names.map((each, index) =>
        releaseOf(each, 'a', tokens[index], index === 1 ? { checkpoint: 'one' } : {}),
      );
      await store.release(releases);
      const after = await store.read(names);
      expect(after.map(({ checkpoint }) => checkpoint)).toEqual([names[0], 'one', null, names[3]]);
    });
  });
}
