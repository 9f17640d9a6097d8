import { describe, expect, it } from 'vitest';
import { InputError } from '../../../../base/src/hustings-error.ts';
import { checkName } from '../../../src/lease/core/election-name.ts';
import { releaseOf } from './single-call.ts';
import { claimOf, LONG_MS, type Suite } from './suite.ts';

export function namesContract(current: () => Suite): void {
  describe('names', () => {
    it('of unknown elections have no holder, and reading does not create them', async () => {
      const { store, name, renew, release, read } = current();
      expect(await read()).toMatchObject({ name, holder: null, successor: null, durationMs: 0 });
      expect((await read()).remainingMs).toBe(store.capabilities.expiry === 'clock' ? 0 : null);
      expect(await store.names()).not.toContain(name);
      expect(await store.history(name)).toEqual([]);
      expect(await store.evict(name)).toBe(false);
      expect(await store.requestTransfer(name, 'b')).toBe('not-held');
      expect(await renew('a', 1n)).toEqual({ type: 'lost' });
      expect(await release(releaseOf(name, 'a', 1n))).toEqual({ type: 'lost' });
      expect(await store.names()).not.toContain(name);
    });

    it('and all of records and terms can be written by JSON.stringify, with tokens and versions as decimal text', async () => {
      const { store, name, win, read } = current();
      const token = await win(claimOf(name, 'a'));
      const record = await read();
      expect(JSON.parse(JSON.stringify(record))).toMatchObject({
        name,
        token: `${token}`,
        version: `${record.version}`,
        holder: { id: 'a' },
      });
      const [term] = await store.history(name);
      expect(JSON.parse(JSON.stringify(term))).toEqual({ ...term, token: `${token}` });
    });

    const DIFFICULT = [
      ...['Job', 'job', 'JOB', 'job ', ' job', 'jo b', 'job\u00a0', 'job.', 'job/', '/job', 'job\\'],
      ...[
        "o'brien",
        'say "so"',
        '`tick`',
        "'; DROP TABLE hustings_lease; --",
        '$1',
        '?',
        ':name',
        '%',
        '_',
        'a%',
      ],
      ...[
        'a_',
        'ab',
        'a*',
        '*',
        '[a-z]',
        '{job}',
        '{job}a',
        '{',
        '}',
        '{}',
        '..',
        '../job',
        '.',
        '~',
        '-',
        '--',
      ],
      ...[
        '__proto__',
        'constructor',
        'toString',
        'hasOwnProperty',
        '0',
        '00',
        '1e3',
        'null',
        'undefined',
        'true',
      ],
      ...['<b>job</b>', '&lt;', '<!--', '\u00e5', 'a\u030a'.normalize('NFC').toUpperCase(), 'ß', 'ss'],
      ...[
        '😀',
        '😁',
        '日本',
        'ｊｏｂ',
        'i',
        'ı',
        'İ'.normalize('NFC'),
        'a:b',
        'a:b:c',
        'a',
        'b'.repeat(200),
        'ü'.repeat(100),
      ],
      ...[`${'b'.repeat(199)}c`, 'b'.repeat(199)],
    ];

    it('that look alike, or are special to a server, never share a lease', async () => {
      const { store, other, release } = current();
      const distinct = [...new Set(DIFFICULT)];
      for (const each of distinct) checkName(each, 'an election');
      const holder = (each: string) => `holder of ${each.slice(0, 60)}`;
      const answers = await store.acquire(distinct.map((each) => claimOf(each, holder(each))));
      expect(answers.map(({ type }) => type)).toEqual(distinct.map(() => 'ok'));
      const records = await other.read(distinct);
      expect(records.map((record) => [record.name, record.holder?.id])).toEqual(
        distinct.map((each) => [each, holder(each)]),
      );
      const known = await other.names();
      expect(distinct.filter((each) => !known.includes(each))).toEqual([]);
      expect(new Set(known).size).toBe(known.length);
      for (const each of distinct.slice(0, 40)) {
        expect((await other.history(each)).map((term) => [term.name, term.holder])).toEqual([
          [each, holder(each)],
        ]);
      }
      // Evicting one, and releasing one, leaves all the others alone.
      expect(await store.evict('job')).toBe(true);
      expect(await release(releaseOf('%', holder('%'), (await store.read(['%']))[0].token))).toEqual({
        type: 'ok',
      });
      const after = await other.read(distinct);
      expect(after.filter((record) => record.holder === null).map((record) => record.name)).toEqual(['%']);
      expect(after.filter((record) => record.holder?.evicted).map((record) => record.name)).toEqual(['job']);
    });

    it('in another normal form are refused before they reach a store', () => {
      expect(() => checkName('a\u030angstrom', 'an election')).toThrow(InputError);
    });

    it('of candidates, nonces and proofs are stored unchanged', async () => {
      const { store, other, name, win, read } = current();
      const text = `O'Neil "x" {y} %_* \\ $1 :a ? <b> 日本 😀 '||'`;
      const claim = claimOf(name, text, {
        nonce: `${text}#1`,
        processProof: `${text}\n\t{"pid":1}`,
        priority: -7,
      });
      const token = await win(claim);
      expect((await read(other)).holder).toEqual({
        id: text,
        nonce: claim.nonce,
        processProof: claim.processProof,
        priority: -7,
        ttlMs: LONG_MS,
        evicted: false,
      });
      await store.acquire([{ ...claim, nonce: `${text}#2`, registerMs: LONG_MS }]);
      expect(await other.candidates(name)).toMatchObject([{ id: text, nonce: `${text}#2`, priority: -7 }]);
      expect(await store.requestTransfer(name, text)).toBe('requested');
      expect((await store.renew([{ name, nonce: claim.nonce, token, ttlMs: LONG_MS }]))[0]).toMatchObject({
        type: 'ok',
        transferTo: text,
      });
      expect((await other.history(name))[0]).toMatchObject({ holder: text, nonce: claim.nonce });
    });
  });
}
