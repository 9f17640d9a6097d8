/**
 * What every lease store must do: one suite, run on each of them. Names are new for each test, so one server with one
 * set of data serves all. Where a lease must run out, the suite polls the store rather than counting on time.
 */
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { InputError } from '../../src/kernel/errors.ts';
import type { AcquireRequest, ReleaseRequest } from '../../src/lease/core/calls.ts';
import { checkName } from '../../src/lease/core/election-name.ts';
import type { LeaseStore, StoreOptions } from '../../src/lease/lease-store.ts';
import { StoreError } from '../../src/lease/store-error.ts';
import { StoreModel } from './store-model.ts';
import * as single from './stores/single-call.ts';

export interface StoreUnderTest {
  /** Each call makes a connection of its own to the same data. The suite closes it. */
  open(options?: StoreOptions): Promise<LeaseStore>;
  /** Lets the store's clock run on. Without it the suite waits. */
  advance?(ms: number): void | Promise<void>;
  /** Makes `token` the latest one of an election that was acquired at least once and is free. */
  setToken(name: string, token: bigint): Promise<void>;
  /** False in a store whose tokens rise by more than one. */
  tokensConsecutive?: boolean;
  /** How many sequences of calls the property is tried on; 20 unless told. */
  runs?: number;
}

const LONG_MS = 3_600_000;
/** Of a lease that is to run out within the test. */
const SHORT_MS = 200;

let names = 0;
const fresh = (): string => `election ${++names}`;

const claimOf = (election: string, id: string, more: Partial<AcquireRequest> = {}): AcquireRequest =>
  single.claimOf(election, id, { ttlMs: LONG_MS, ...more });
const { releaseOf, eventually } = single;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export function storeContract(label: string, under: StoreUnderTest): void {
  const { tokensConsecutive = true, runs = 20 } = under;

  describe(`the contract of a lease store, kept by ${label}`, () => {
    let store: LeaseStore;
    let other: LeaseStore;
    let name: string;
    const opened: LeaseStore[] = [];
    const open = async (options?: StoreOptions): Promise<LeaseStore> => {
      const connection = await under.open(options);
      opened.push(connection);
      return connection;
    };

    beforeAll(async () => {
      store = await open();
      other = await open();
    });
    afterAll(async () => {
      for (const each of opened) await each.close();
    });
    beforeEach(() => {
      name = fresh();
    });

    const acquire = async (claim: AcquireRequest, via = store) => (await via.acquire([claim]))[0];
    /** The token of a claim that must succeed. */
    const win = async (claim: AcquireRequest, via = store): Promise<bigint> => {
      const answer = await acquire(claim, via);
      if (answer.type !== 'ok') throw new Error(`${claim.id} did not get ${claim.name}`);
      return answer.token;
    };
    const renew = async (who: string, token: bigint, ttlMs = LONG_MS, via = store) =>
      (await via.renew([{ name, nonce: `${who}-nonce`, token, ttlMs }]))[0];
    const release = async (each: ReleaseRequest, via = store) => (await via.release([each]))[0];
    const read = async (via = store) => (await via.read([name]))[0];
    const wait = async (ms: number): Promise<void> => {
      if (under.advance) await under.advance(ms);
      else await sleep(ms);
    };
    const untilFree = async (): Promise<void> => {
      await wait(SHORT_MS);
      await eventually(
        async () => ((await read()).remainingMs === 0 ? true : undefined),
        'the lease is over',
      );
    };
    /** Leases end by the store's clock only where it has one. */
    const needClock = (skip: (condition: boolean, note: string) => void): void =>
      skip(!store.capabilities.clock, 'this store has no clock: challengers judge expiry');

    describe('names', () => {
      it('that never were have token 0, no holder, and are not made by reading', async () => {
        expect(await read()).toMatchObject({ name, token: 0n, holder: null, successor: null });
        expect((await read()).remainingMs).toBe(store.capabilities.clock ? 0 : null);
        expect(await store.names()).not.toContain(name);
        expect(await store.history(name)).toEqual([]);
        expect(await store.evict(name)).toBe(false);
        expect(await store.requestTransfer(name, 'b')).toBe(false);
        expect(await renew('a', 1n)).toEqual({ type: 'lost' });
        expect(await release(releaseOf(name, 'a', 1n))).toEqual({ type: 'lost' });
        expect(await store.names()).not.toContain(name);
      });

      it('are in records and terms that JSON.stringify writes, with tokens and versions as decimal text', async () => {
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

      const TROUBLESOME = [
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
        ...[
          '<b>job</b>',
          '&lt;',
          '<!--',
          'job\u200b',
          '\u00e5',
          'a\u030a'.normalize('NFC').toUpperCase(),
          'ß',
          'ss',
        ],
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

      it('that look alike or mean something to a server never share a lease', async () => {
        const distinct = [...new Set(TROUBLESOME)];
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
        expect(after.filter((record) => record.holder?.evicted).map((record) => record.name)).toEqual([
          'job',
        ]);
      });

      it('in another normal form are refused before they come to a store', () => {
        expect(() => checkName('a\u030angstrom', 'an election')).toThrow(InputError);
      });

      it('of candidates, nonces and proofs come back as they were given', async () => {
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
        expect(await store.requestTransfer(name, text)).toBe(true);
        expect((await store.renew([{ name, nonce: claim.nonce, token, ttlMs: LONG_MS }]))[0]).toMatchObject({
          type: 'ok',
          transferTo: text,
        });
        expect((await other.history(name))[0]).toMatchObject({ holder: text, nonce: claim.nonce });
      });
    });

    describe('a claim', () => {
      it('of a free election is granted, and everybody sees the holder', async () => {
        const token = await win(claimOf(name, 'a', { priority: 3, processProof: 'proof' }));
        const record = await read(other);
        expect(record).toMatchObject({ name, token, successor: null });
        expect(record.holder).toEqual({
          id: 'a',
          nonce: 'a-nonce',
          ttlMs: LONG_MS,
          priority: 3,
          processProof: 'proof',
          evicted: false,
        });
        if (store.capabilities.clock) expect(record.remainingMs).toBeGreaterThan(LONG_MS / 2);
        else expect(record.remainingMs).toBeNull();
        expect(await store.names()).toContain(name);
      });

      it('of a held election is refused with the record of its holder, and changes nothing', async () => {
        const token = await win(claimOf(name, 'a'));
        const before = await read();
        const answer = await acquire(claimOf(name, 'b'), other);
        expect(answer).toMatchObject({ type: 'held', record: { name, token, holder: { id: 'a' } } });
        expect(await read()).toMatchObject({ token, version: before.version, holder: before.holder });
      });

      it('that is repeated with its nonce keeps its token and is extended', async () => {
        const token = await win(claimOf(name, 'a', { ttlMs: LONG_MS / 100 }));
        const before = await read();
        expect(await win(claimOf(name, 'a'), other)).toBe(token);
        const after = await read();
        expect(after.version).not.toBe(before.version);
        if (store.capabilities.clock) expect(after.remainingMs).toBeGreaterThan(LONG_MS / 100);
        expect(await store.history(name)).toHaveLength(1);
      });

      it('with the same name of a candidate and another nonce is another claim', async () => {
        await win(claimOf(name, 'a'));
        expect((await acquire(claimOf(name, 'a', { nonce: 'a-again' }))).type).toBe('held');
      });

      it('may ask for ten years', async () => {
        const tenYearsMs = 315_360_000_000;
        const token = await win(claimOf(name, 'a', { ttlMs: tenYearsMs }));
        expect((await read()).holder?.ttlMs).toBe(tenYearsMs);
        if (store.capabilities.clock)
          expect((await read()).remainingMs).toBeGreaterThan(tenYearsMs - LONG_MS);
        expect((await renew('a', token, tenYearsMs)).type).toBe('ok');
      });

      it('that knows the holder to be gone ends the lease of that holder, and of no other', async () => {
        const first = await win(claimOf(name, 'a'));
        expect((await acquire(claimOf(name, 'b', { goneNonce: 'x-nonce' }))).type).toBe('held');
        const second = await win(claimOf(name, 'b', { goneNonce: 'a-nonce' }));
        expect(second > first).toBe(true);
        expect((await acquire(claimOf(name, 'c', { goneNonce: 'a-nonce' }))).type).toBe('held');
        expect(await renew('a', first)).toEqual({ type: 'lost' });
        expect((await renew('b', second)).type).toBe('ok');
        expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'gone']);
      });

      it('is granted on a version that stood still only where the store has no clock', async () => {
        await win(claimOf(name, 'a'));
        const { version } = await read();
        const late = await acquire(claimOf(name, 'b', { staleVersion: version + 1_000_000n }));
        expect(late.type).toBe('held');
        const answer = await acquire(claimOf(name, 'b', { staleVersion: version }));
        expect(answer.type).toBe(store.capabilities.clock ? 'held' : 'ok');
      });
    });

    describe('a renewal', () => {
      it('extends the lease for its nonce and token alone', async () => {
        const token = await win(claimOf(name, 'a', { ttlMs: LONG_MS / 100 }));
        const before = await read();
        expect(await renew('b', token)).toEqual({ type: 'lost' });
        expect(await renew('a', token + 1n)).toEqual({ type: 'lost' });
        expect(await renew('a', token - 1n)).toEqual({ type: 'lost' });
        expect(await renew('a', 2n ** 70n)).toEqual({ type: 'lost' });
        expect(await renew('a', -1n)).toEqual({ type: 'lost' });
        expect((await read()).version).toBe(before.version);
        expect(await renew('a', token)).toEqual({ type: 'ok', challenger: null, transferTo: null });
        const after = await read();
        expect(after.version).not.toBe(before.version);
        expect(after.token).toBe(token);
        if (store.capabilities.clock) expect(after.remainingMs).toBeGreaterThan(LONG_MS / 2);
      });

      it('of an expired lease is lost, also when nobody took it, and changes nothing', async ({ skip }) => {
        needClock(skip);
        const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS }));
        await untilFree();
        const before = await read();
        expect(before).toMatchObject({ token, holder: null, remainingMs: 0 });
        expect(await renew('a', token)).toEqual({ type: 'lost' });
        expect(await read()).toEqual(before);
        expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'lost' });
        expect(await store.evict(name)).toBe(false);
        expect(await store.requestTransfer(name, 'b')).toBe(false);
        expect(await read()).toEqual(before);
      });

      it('names a waiting candidate of higher priority, the highest, while that one asks', async ({
        skip,
      }) => {
        const token = await win(claimOf(name, 'a', { priority: 5 }));
        const ask = (id: string, priority: number, ttlMs = LONG_MS) =>
          acquire(claimOf(name, id, { priority, ttlMs }), other);
        expect((await ask('b', 5)).type).toBe('held');
        expect(await renew('a', token)).toMatchObject({ challenger: null });
        await ask('c', 6);
        await ask('d', 7);
        await ask('c', 6);
        await ask('e', 7);
        const answer = await renew('a', token);
        expect(answer).toMatchObject({ type: 'ok', challenger: { id: 'd', priority: 7 } });
        await wait(20);
        await ask('d', 7);
        const again = await renew('a', token);
        if (answer.type !== 'ok' || again.type !== 'ok') throw new Error('lost');
        expect(again.challenger!.waitedMs).toBeGreaterThan(answer.challenger!.waitedMs);
        skip(!store.capabilities.clock, 'this store cannot judge how long a challenger was silent');
        await ask('d', 7, SHORT_MS);
        await wait(SHORT_MS);
        await eventually(async () => {
          const later = await renew('a', token);
          return later.type === 'ok' && later.challenger === null ? true : undefined;
        }, 'the challenger is forgotten');
      });

      it('does not name the holder itself, which was waiting before', async () => {
        const token = await win(claimOf(name, 'a'));
        await acquire(claimOf(name, 'b', { priority: 1 }));
        await release(releaseOf(name, 'a', token));
        const next = await win(claimOf(name, 'b', { priority: 1 }));
        expect(await renew('b', next)).toEqual({ type: 'ok', challenger: null, transferTo: null });
      });
    });

    describe('a release', () => {
      it('by the holder frees the election at once; its token stays in the record', async () => {
        const token = await win(claimOf(name, 'a'));
        expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'ok' });
        expect(await read(other)).toMatchObject({ token, holder: null, successor: null });
        expect(await release(releaseOf(name, 'a', token))).toEqual({ type: 'lost' });
        expect(await renew('a', token)).toEqual({ type: 'lost' });
        expect((await win(claimOf(name, 'b'), other)) > token).toBe(true);
      });

      it('by anybody else changes nothing', async () => {
        const token = await win(claimOf(name, 'a'));
        const before = await read();
        expect(await release(releaseOf(name, 'b', token))).toEqual({ type: 'lost' });
        expect(await release(releaseOf(name, 'a', token + 1n))).toEqual({ type: 'lost' });
        expect(await read()).toMatchObject({ token, holder: before.holder, version: before.version });
        expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null]);
      });

      it('with a successor keeps the election for that candidate', async () => {
        const token = await win(claimOf(name, 'a'));
        await release(
          releaseOf(name, 'a', token, { reason: 'transferred', successor: 'b', reserveMs: LONG_MS }),
        );
        expect(await read()).toMatchObject({ token, holder: null, successor: 'b' });
        const answer = await acquire(claimOf(name, 'c'));
        expect(answer).toMatchObject({ type: 'held', record: { holder: null, successor: 'b' } });
        expect((await acquire(claimOf(name, 'a'))).type).toBe('held');
        expect((await win(claimOf(name, 'b'), other)) > token).toBe(true);
        expect(await read()).toMatchObject({ holder: { id: 'b' }, successor: null });
        expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'transferred']);
      });

      it('with a successor that does not come frees the election when the reservation ends', async ({
        skip,
      }) => {
        needClock(skip);
        const token = await win(claimOf(name, 'a'));
        await release(releaseOf(name, 'a', token, { successor: 'b', reserveMs: SHORT_MS }));
        await untilFree();
        expect(await read()).toMatchObject({ holder: null, successor: null });
        expect((await win(claimOf(name, 'c'))) > token).toBe(true);
      });
    });

    describe('an operator', () => {
      it('evicts: the holder cannot renew, and the next one still waits for the end', async ({ skip }) => {
        const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS * 10 }));
        const { version } = await read();
        expect(await other.evict(name)).toBe(true);
        expect(await other.evict(name)).toBe(true);
        const record = await read();
        expect(record).toMatchObject({ token, holder: { id: 'a', evicted: true } });
        expect(record.version).not.toBe(version);
        expect(await renew('a', token)).toEqual({ type: 'evicted' });
        expect((await acquire(claimOf(name, 'a'))).type).toBe('held');
        expect((await acquire(claimOf(name, 'b'))).type).toBe('held');
        needClock(skip);
        await wait(SHORT_MS * 9);
        await untilFree();
        expect(await renew('a', token)).toEqual({ type: 'lost' });
        expect((await win(claimOf(name, 'b'))) > token).toBe(true);
        expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'evicted']);
        expect((await read()).holder?.evicted).toBe(false);
      });

      it('evicts, and the holder may let go early', async () => {
        const token = await win(claimOf(name, 'a'));
        await store.evict(name);
        expect(await release(releaseOf(name, 'a', token, { reason: 'evicted' }))).toEqual({ type: 'ok' });
        await win(claimOf(name, 'b'));
        expect((await store.history(name)).map(({ cause }) => cause)).toEqual([null, 'evicted']);
      });

      it('asks for a transfer: the holder hears it with each renewal, the next holder does not', async () => {
        const token = await win(claimOf(name, 'a'));
        expect(await other.requestTransfer(name, 'b')).toBe(true);
        expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'b' });
        expect(await other.requestTransfer(name, 'c')).toBe(true);
        expect(await renew('a', token)).toMatchObject({ type: 'ok', transferTo: 'c' });
        await release(releaseOf(name, 'a', token));
        const next = await win(claimOf(name, 'b'));
        expect(await renew('b', next)).toMatchObject({ type: 'ok', transferTo: null });
        expect(await other.requestTransfer(name, 'a')).toBe(true);
        const last = await win(claimOf(name, 'c', { goneNonce: 'b-nonce' }));
        expect(await renew('c', last)).toMatchObject({ type: 'ok', transferTo: null });
      });
    });

    describe('tokens', () => {
      it('rise strictly through release, expiry, proof of death and a new connection', async () => {
        const tokens = [
          await win(claimOf(name, 'a', { ttlMs: store.capabilities.clock ? SHORT_MS : LONG_MS })),
        ];
        if (store.capabilities.clock) await untilFree();
        else await release(releaseOf(name, 'a', tokens[0]));
        tokens.push(await win(claimOf(name, 'a')));
        await release(releaseOf(name, 'a', tokens[1]));
        tokens.push(await win(claimOf(name, 'a')));
        tokens.push(await win(claimOf(name, 'b', { goneNonce: 'a-nonce' })));
        const reopened = await open();
        expect((await reopened.read([name]))[0]).toMatchObject({ token: tokens[3], holder: { id: 'b' } });
        tokens.push(await win(claimOf(name, 'c', { goneNonce: 'b-nonce' }), reopened));
        await reopened.close();
        expect(tokens).toEqual([...new Set(tokens)].sort((a, b) => (a < b ? -1 : 1)));
        if (tokensConsecutive) expect(tokens).toEqual([1n, 2n, 3n, 4n, 5n]);
        expect((await store.history(name)).map(({ token }) => token)).toEqual(tokens.reverse());
      });

      it('are exact beyond 2^53', async () => {
        for (const start of [2n ** 53n + 1n, 2n ** 60n + 3n]) {
          await release(releaseOf(name, 'a', await win(claimOf(name, 'a'))));
          await under.setToken(name, start);
          expect((await read()).token).toBe(start);
          const token = await win(claimOf(name, 'a'));
          expect(token > start).toBe(true);
          if (tokensConsecutive) expect(token).toBe(start + 1n);
          expect(await renew('a', token + 1n)).toEqual({ type: 'lost' });
          expect(await renew('a', token - 1n)).toEqual({ type: 'lost' });
          expect((await renew('a', token)).type).toBe('ok');
          expect(await acquire(claimOf(name, 'b'))).toMatchObject({ record: { token } });
          expect((await other.history(name))[0].token).toBe(token);
          await release(releaseOf(name, 'a', token));
        }
      });

      it('have one winner in each round of a race between connections', async () => {
        const racers = [store, other, ...(await Promise.all([1, 2, 3, 4].map(() => open())))];
        const won: bigint[] = [];
        for (let round = 0; round < 12; round++) {
          const answers = await Promise.all(
            racers.map((racer, index) =>
              acquire(claimOf(name, `r${index}`, { nonce: `${round}/${index}` }), racer),
            ),
          );
          const winners = answers.flatMap((answer, index) =>
            answer.type === 'ok' ? [{ index, ...answer }] : [],
          );
          expect(winners).toHaveLength(1);
          const [{ index, token }] = winners;
          won.push(token);
          const [answer] = await racers[index].release([
            { ...releaseOf(name, '', token), nonce: `${round}/${index}` },
          ]);
          expect(answer.type).toBe('ok');
        }
        expect(won.every((token, index) => index === 0 || token > won[index - 1])).toBe(true);
        // What was granted is in the history, and nothing else is.
        expect((await other.history(name)).map(({ token }) => token)).toEqual(won.reverse());
        for (const racer of racers.slice(2)) await racer.close();
      });
    });

    describe('a list', () => {
      it('may be empty', async () => {
        expect(await store.acquire([])).toEqual([]);
        expect(await store.renew([])).toEqual([]);
        expect(await store.release([])).toEqual([]);
        expect(await store.read([])).toEqual([]);
      });

      it('of a thousand is answered in its order, and one that is lost harms no other', async () => {
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

      it('may name an election twice: its items take effect one after another', async () => {
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
        expect((await store.read([name, name])).map(({ token }) => token)).toEqual([
          first.token,
          first.token,
        ]);
        const end = releaseOf(name, 'a', first.token);
        expect((await store.release([end, end])).map(({ type }) => type)).toEqual(['ok', 'lost']);
      });
    });

    describe('history', () => {
      it('has each term with holder, token, start, end, cause and how long it was granted', async () => {
        const first = await win(claimOf(name, 'a'));
        await wait(30);
        await release(releaseOf(name, 'a', first, { reason: 'stalled' }), other);
        await wait(30);
        const second = await win(claimOf(name, 'b'));
        const [open, closed, ...rest] = await other.history(name);
        expect(rest).toEqual([]);
        expect(closed).toMatchObject({ name, token: first, holder: 'a', nonce: 'a-nonce', cause: 'stalled' });
        expect(open).toMatchObject({
          name,
          token: second,
          holder: 'b',
          nonce: 'b-nonce',
          cause: null,
          endMs: null,
        });
        expect(closed.endMs! - closed.startMs).toBeGreaterThan(20);
        expect(open.startMs - closed.endMs!).toBeGreaterThan(20);
        expect(closed.claimedUntilMs - closed.startMs).toBeGreaterThan(LONG_MS - 2_000);
        await wait(30);
        await renew('b', second);
        const [renewed] = await store.history(name);
        expect(renewed.startMs).toBe(open.startMs);
        expect(renewed.claimedUntilMs - open.claimedUntilMs).toBeGreaterThan(20);
      });

      it('tells who led at a moment, and that nobody did', async () => {
        for (const id of ['a', 'b']) {
          const token = await win(claimOf(name, id));
          await wait(40);
          await release(releaseOf(name, id, token));
          await wait(40);
        }
        await win(claimOf(name, 'c'));
        const [c, b, a] = await store.history(name);
        const at = async (atMs: number) => (await store.history(name, { atMs })).map(({ holder }) => holder);
        expect(await at(a.startMs - 1)).toEqual([]);
        expect(await at(a.startMs)).toEqual(['a']);
        expect(await at(a.endMs! - 1)).toEqual(['a']);
        expect(await at(a.endMs!)).toEqual([]);
        expect(await at(b.startMs + 1)).toEqual(['b']);
        expect(await at(b.endMs! + 1)).toEqual([]);
        expect(await at(c.startMs + LONG_MS / 2)).toEqual(['c']);
        const limited = async (limit: number) =>
          (await store.history(name, { limit })).map(({ holder }) => holder);
        expect(await limited(2)).toEqual(['c', 'b']);
        expect(await limited(99)).toEqual(['c', 'b', 'a']);
      });

      it('shows a lease that ran out as ended then, before and after somebody else comes', async ({
        skip,
      }) => {
        needClock(skip);
        const token = await win(claimOf(name, 'a', { ttlMs: SHORT_MS }));
        await untilFree();
        await wait(20);
        const [alone] = await store.history(name);
        expect(alone).toMatchObject({ token, cause: 'expired', endMs: alone.claimedUntilMs });
        expect(alone.endMs! - alone.startMs).toBeGreaterThan(SHORT_MS - 50);
        expect(await store.history(name, { atMs: alone.endMs! + 10 })).toEqual([]);
        await win(claimOf(name, 'b'));
        const [next, before] = await store.history(name);
        expect(before).toMatchObject({ token, cause: 'expired', endMs: before.claimedUntilMs });
        // A store may reckon the end anew from its two clocks.
        expect(Math.abs(before.endMs! - alone.endMs!)).toBeLessThanOrEqual(2);
        expect(next.startMs).toBeGreaterThanOrEqual(before.endMs!);
      });

      it('keeps the newest terms, as many as was asked for', async () => {
        const frugal = await open({ keepTerms: 3 });
        const kept: bigint[] = [];
        for (let term = 0; term < 7; term++) {
          const token = await win(claimOf(name, `h${term}`), frugal);
          kept.unshift(token);
          await release(releaseOf(name, `h${term}`, token), frugal);
        }
        expect((await frugal.history(name)).map(({ token }) => token)).toEqual(kept.slice(0, 3));
        await frugal.close();
      });

      it('of another election is another history', async () => {
        await win(claimOf(name, 'a'));
        await win(claimOf(`${name}!`, 'b'));
        expect((await store.history(name)).map(({ holder }) => holder)).toEqual(['a']);
        expect((await store.history(`${name}!`)).map(({ holder }) => holder)).toEqual(['b']);
      });
    });

    describe('a watch', () => {
      it.each(['release', 'evict', 'transfer'] as const)(
        'notifications from another connection after: %s',
        async (what) => {
          if (store.watch === undefined) return expect(store.capabilities.push).toBe(false);
          expect(store.capabilities.push).toBe(true);
          let notifications = 0;
          const end = store.watch(name, () => notifications++);
          // A watch takes a while to stand, and a notification may be lost: so the event is repeated.
          await eventually(async () => {
            const token = await win(claimOf(name, 'a'), other);
            if (what === 'evict') await other.evict(name);
            if (what === 'transfer') await other.requestTransfer(name, 'b');
            await sleep(60);
            if (notifications > 0) return true;
            await release(releaseOf(name, 'a', token), other);
            return what === 'release' && notifications > 0 ? true : undefined;
          }, 'a notification came');
          end();
          const before = notifications;
          await other.evict(name);
          await sleep(80);
          expect(notifications).toBe(before);
          end();
        },
      );
    });

    describe('a store', () => {
      it('does what the pure rules do, call by call, on any sequence of calls', async () => {
        await fc.assert(
          fc.asyncProperty(sequence, async (calls) => {
            const model = new StoreModel([store, other], tokensConsecutive);
            const prefix = fresh();
            const named = <T extends { name: string }>(items: readonly T[]): T[] =>
              items.map((item) => ({ ...item, name: `${prefix} ${item.name}` }));
            for (const call of calls) {
              if (call.verb === 'acquire') await model.acquire(named(call.items));
              else if (call.verb === 'renew') await model.renew(named(call.items));
              else if (call.verb === 'release') await model.release(named(call.items));
              else if (call.verb === 'evict') await model.evict(`${prefix} ${call.name}`);
              else if (call.verb === 'transfer')
                await model.requestTransfer(`${prefix} ${call.name}`, call.to);
              await model.read(['x', 'y'].map((each) => `${prefix} ${each}`));
            }
            for (const each of ['x', 'y']) await model.history(`${prefix} ${each}`);
          }),
          { numRuns: runs },
        );
      });

      it('can be prepared twice, and says of itself what a person can use', async () => {
        await store.init();
        await store.init();
        expect(store.initStatements().every((statement) => typeof statement === 'string')).toBe(true);
        const probe = await store.probe();
        expect(probe.problems).toEqual([]);
        expect(probe.server).not.toBe('');
        expect(probe.roundTripMs).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(probe.clockOffsetMs)).toBe(true);
        expect(store.label).not.toBe('');
        expect(store.capabilities.push).toBe(store.watch !== undefined);
      });

      it('that is closed rejects every call with a StoreError, and may be closed again', async () => {
        const closed = await open();
        await closed.acquire([claimOf(name, 'a')]);
        await closed.close();
        await closed.close();
        const calls: (() => Promise<unknown>)[] = [
          () => closed.acquire([claimOf(name, 'a')]),
          () => closed.renew([{ name, nonce: 'a-nonce', token: 1n, ttlMs: LONG_MS }]),
          () => closed.release([releaseOf(name, 'a', 1n)]),
          () => closed.read([name]),
          () => closed.evict(name),
          () => closed.requestTransfer(name, 'b'),
          () => closed.history(name),
          () => closed.names(),
          () => closed.init(),
          () => closed.probe(),
        ];
        for (const call of calls) await expect(call()).rejects.toThrow(StoreError);
        expect((await read()).holder?.id).toBe('a');
      });
    });
  });
}

/** Two elections, three candidates with two attempts each: small enough that calls meet. */
const election = fc.constantFrom('x', 'y');
const nonce = fc.constantFrom('a1', 'a2', 'b1', 'b2', 'c1');
const term = fc.integer({ min: 0, max: 6 });
const items = { minLength: 1, maxLength: 3 };
const sequence = fc.array(
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({
        verb: fc.constant('acquire' as const),
        items: fc.array(
          fc
            .record({
              name: election,
              nonce,
              ttlMs: fc.constantFrom(LONG_MS, 2 * LONG_MS),
              priority: fc.integer({ min: -1, max: 2 }),
              goneNonce: fc.option(nonce, { freq: 3 }),
            })
            .map(
              (each): AcquireRequest => ({
                ...each,
                id: each.nonce[0],
                processProof: `p ${each.nonce}`,
                staleVersion: null,
              }),
            ),
          items,
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        verb: fc.constant('renew' as const),
        items: fc.array(fc.record({ name: election, nonce, term, ttlMs: fc.constant(LONG_MS) }), items),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        verb: fc.constant('release' as const),
        items: fc.array(
          fc.record({
            name: election,
            nonce,
            term,
            reason: fc.constantFrom('released' as const, 'transferred' as const, 'stalled' as const),
            successor: fc.option(fc.constantFrom('a', 'b')),
            reserveMs: fc.constantFrom(LONG_MS, 2 * LONG_MS),
          }),
          items,
        ),
      }),
    },
    { weight: 1, arbitrary: fc.record({ verb: fc.constant('evict' as const), name: election }) },
    {
      weight: 1,
      arbitrary: fc.record({
        verb: fc.constant('transfer' as const),
        name: election,
        to: fc.constantFrom('a', 'b'),
      }),
    },
  ),
  { minLength: 5, maxLength: 30 },
);
