import { describe, expect, it } from 'vitest';
import { PartialAnswerError } from '../../../../src/lease/core/store-error.ts';
import { DocumentLeaseStore } from '../../../../src/lease/stores/document/document-lease-store.ts';
import { SETTINGS } from '../../../../src/lease/stores/document/document-server.ts';
import { claimOf, releaseOf } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';
import { documentHooks } from './document-contract.ts';
import { Documents, MemoryDocumentServer } from './memory-document-server.ts';

const documents = new Documents();
let wallMs = 1_700_000_000_000;

storeContract('documents', {
  open: async (options = {}) =>
    new DocumentLeaseStore(new MemoryDocumentServer(documents, () => wallMs), {
      ...options,
      wallMs: () => wallMs,
    }),
  advance: (ms) => {
    wallMs += ms;
  },
  ...documentHooks({
    get: async (key) => documents.get(key)?.text ?? null,
    put: async (key, text) => {
      documents.put(key, text);
    },
  }),
  runs: 100,
});

function pair() {
  const shared = new Documents();
  const open = () => new DocumentLeaseStore(new MemoryDocumentServer(shared));
  return { shared, a: open(), b: open() };
}

const LONG = { ttlMs: 60_000 };

async function held(store: DocumentLeaseStore, name: string): Promise<{ nonce: string; token: bigint }> {
  const [answer] = await store.acquire([claimOf(name, 'a', LONG)]);
  if (answer.type !== 'ok') throw new Error('not granted');
  return { nonce: 'a-nonce', token: answer.token };
}

describe('a store of documents', () => {
  it('renews in one write, without reading, and reads again after a conflict', async () => {
    const { shared, a, b } = pair();
    const term = { name: 'x', ...(await held(a, 'x')), ...LONG };
    shared.reads = 0;
    shared.writes = 0;
    expect((await a.renew([term]))[0].type).toBe('ok');
    expect([shared.reads, shared.writes]).toEqual([0, 1]);
    await b.acquire([claimOf('x', 'b', { ...LONG, priority: 1, registerMs: 60_000 })]);
    shared.reads = 0;
    shared.writes = 0;
    expect((await a.renew([term]))[0]).toMatchObject({ type: 'ok', challenger: { id: 'b' } });
    expect([shared.reads, shared.writes]).toEqual([1, 2]);
    await b.evict('x');
    expect((await a.renew([term]))[0].type).toBe('evicted');
  });

  it('raises a token above those of terms that were granted and forgotten while the request took its time', async () => {
    const shared = new Documents();
    let nowMs = 1_700_000_000_000;
    const open = () => new DocumentLeaseStore(new MemoryDocumentServer(shared), { wallMs: () => nowMs });
    const [slow, other] = [open(), open()];
    await other.release([releaseOf('x', 'a', (await held(other, 'x')).token)]);
    let forgotten = 0n;
    shared.beforeWrite = async () => {
      shared.beforeWrite = () => undefined;
      nowMs += 500;
      forgotten = (await held(other, 'x')).token;
      shared.stored.delete('x');
      nowMs += 1;
    };
    const { token } = await held(slow, 'x');
    expect(token > forgotten && forgotten > 0n).toBe(true);
  });

  it('never gives a version again: one that was observed before the election was forgotten, or restored, frees no later lease', async () => {
    for (const loss of ['forgotten', 'restored'] as const) {
      const shared = new Documents();
      let nowMs = 1_700_000_000_000;
      const open = () => new DocumentLeaseStore(new MemoryDocumentServer(shared), { wallMs: () => nowMs });
      const [a, b] = [open(), open()];
      const before = await held(a, 'x');
      const backup = shared.get('x')!.text!;
      const renewals = 5;
      for (let i = 0; i < renewals; i++) await a.renew([{ name: 'x', ...before, ...LONG }]);
      // Cut off from now on, the challenger observes this version for the whole TTL.
      const [{ version: staleVersion }] = await b.read(['x']);
      if (loss === 'forgotten') shared.stored.delete('x');
      else shared.put('x', backup);
      nowMs++;
      const [answer] = await a.acquire([claimOf('x', 'c', { ...LONG, goneNonce: before.nonce })]);
      if (answer.type !== 'ok') throw new Error('not granted');
      const term = { name: 'x', nonce: 'c-nonce', token: answer.token, ...LONG };
      // Its record takes every version up to the one observed, and beyond.
      for (let i = 0; i < 2 * renewals; i++) {
        const [claimed] = await b.acquire([claimOf('x', 'b', { ...LONG, staleVersion })]);
        expect(claimed.type, `${loss}, renewed ${i} times`).toBe('held');
        expect(await a.renew([term])).toMatchObject([{ type: 'ok' }]);
      }
    }
  });

  it('judges a renewal as lost by what is stored, not by what this connection wrote last', async () => {
    const { a, b } = pair();
    const first = await held(a, 'x');
    await b.release([releaseOf('x', 'a', first.token)]);
    const second = await held(b, 'x');
    expect((await a.renew([{ name: 'x', ...second, ...LONG }]))[0].type).toBe('ok');
  });

  it('grants one of two requests that read the same document', async () => {
    const { a, b } = pair();
    await Promise.all([a.init(), b.init()]);
    for (let round = 0; round < 50; round++) {
      const name = `x ${round}`;
      const answers = await Promise.all(
        [a, b].map(
          async (store, index) => (await store.acquire([claimOf(name, String(index), LONG)]))[0].type,
        ),
      );
      expect(answers.sort()).toEqual(['held', 'ok']);
    }
  });

  it('says which items of a list have no answer, and repeats them without a second term', async () => {
    const { shared, a } = pair();
    await a.init();
    shared.beforeWrite = ({ key }) => {
      if (key === 'y') throw new Error('cut off');
    };
    const claims = ['x', 'y', 'z'].map((name) => claimOf(name, 'a', LONG));
    const error = await a.acquire(claims).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PartialAnswerError);
    expect((error as PartialAnswerError).answers.map((answer) => answer !== undefined)).toEqual([
      true,
      false,
      true,
    ]);
    shared.beforeWrite = () => undefined;
    const again = await a.acquire(claims);
    expect(again.map(({ type }) => type)).toEqual(['ok', 'ok', 'ok']);
    expect((await a.history('x')).length).toBe(1);
  });

  it('does not write for a candidate that is registered already, until half of its registration is over', async () => {
    const { shared, a, b } = pair();
    await held(a, 'x');
    const claim = claimOf('x', 'b', { ...LONG, registerMs: 60_000 });
    await b.acquire([claim]);
    shared.writes = 0;
    for (let request = 0; request < 5; request++) await b.acquire([claim]);
    expect(shared.writes).toBe(0);
    expect((await a.candidates('x')).map(({ id }) => id)).toEqual(['b']);
  });

  it('notifies of a release, an eviction and a request to hand over, but not of renewals and registrations', async () => {
    const { a, b } = pair();
    const term = { name: 'x', ...(await held(a, 'x')), ...LONG };
    let notifications = 0;
    b.watch!('x', () => notifications++);
    await a.renew([term]);
    notifications = 0;
    await a.renew([term]);
    await b.acquire([claimOf('x', 'b', { ...LONG, registerMs: 60_000 })]);
    expect(notifications).toBe(0);
    await b.requestTransfer('x', 'b');
    expect(notifications).toBe(1);
    await a.renew([term]);
    expect(notifications).toBe(1);
    await a.evict('x');
    expect(notifications).toBe(2);
    await a.release([releaseOf('x', 'a', term.token)]);
    expect(notifications).toBe(3);
  });

  it('raises the tokens of all elections, also of those that are held', async () => {
    const { a, b } = pair();
    const first = await held(a, 'x');
    const tokenFrom = first.token + 10_000_000_000_000n;
    await b.init({ tokenFrom });
    expect((await a.renew([{ name: 'x', ...first, ...LONG }]))[0].type).toBe('ok');
    await a.release([releaseOf('x', 'a', first.token)]);
    expect((await held(b, 'x')).token > tokenFrom).toBe(true);
    expect((await held(b, 'new')).token > tokenFrom).toBe(true);
  });

  it('refuses a document that it did not write', async () => {
    const { shared, a } = pair();
    await a.init();
    shared.put('x', 'hello');
    await expect(a.read(['x'])).rejects.toThrow(/was not written by hustings/);
    shared.put(SETTINGS, '[]');
    await expect(a.read(['y'])).rejects.toThrow(/settings.*was not written by hustings/);
  });
});
