import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DocumentLeaseStore } from '../../../../src/lease/stores/document/document-lease-store.ts';
import { claimOf, releaseOf } from '../../contract/single-call.ts';
import { Documents, MemoryDocumentServer } from './memory-document-server.ts';

const TTL_MS = 15_000;
const WAIT_MS = TTL_MS + TTL_MS / 15;

let nowMs = 0;
beforeEach(() => {
  nowMs = 1_000;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
});
afterEach(() => {
  vi.restoreAllMocks();
});

class Scene {
  readonly shared = new Documents();

  constructor() {
    this.shared.incarnation = 'first';
  }

  open(): DocumentLeaseStore {
    return new DocumentLeaseStore(new MemoryDocumentServer(this.shared));
  }

  get text(): string {
    return this.shared.get('x')!.text!;
  }

  /** The incarnation of the document. */
  get incarnation(): string | undefined {
    return JSON.parse(this.text).incarnation;
  }

  restore(backup: string, incarnation: string): void {
    this.shared.put('x', backup);
    this.shared.incarnation = incarnation;
  }
}

const acquire = async (store: DocumentLeaseStore, id: string, priority = 0) =>
  (await store.acquire([claimOf('x', id, { ttlMs: TTL_MS, registerMs: 60_000, priority })]))[0];

async function lead(store: DocumentLeaseStore, id: string): Promise<bigint> {
  const answer = await acquire(store, id);
  if (answer.type !== 'ok') throw new Error('not granted');
  return answer.token;
}

const renew = async (store: DocumentLeaseStore, id: string, token: bigint): Promise<string> =>
  (await store.renew([{ name: 'x', nonce: `${id}-nonce`, token, ttlMs: TTL_MS }]))[0].type;

/** The lease is free in the document, and a leader of the time after the backup may work. */
async function restored(): Promise<Scene> {
  const scene = new Scene();
  const a = scene.open();
  await a.release([releaseOf('x', 'a', await lead(a, 'a'))]);
  const backup = scene.text;
  const token = await lead(a, 'a');
  scene.restore(backup, 'second');
  expect(await renew(a, 'a', token)).toBe('lost');
  return scene;
}

/** The leader of the backup leads in the document, and another one may work that was elected after the backup. */
async function restoredWhileHeld(): Promise<
  Scene & { readonly leader: DocumentLeaseStore; readonly token: bigint }
> {
  const scene = new Scene();
  const leader = scene.open();
  const token = await lead(leader, 'a');
  await renew(leader, 'a', token);
  scene.restore(scene.text, 'second');
  return Object.assign(scene, { leader, token });
}

describe('a document of a replaced server', () => {
  it('grants nothing before a process has seen the replacement for one TTL and a fifteenth, and then belongs to it', async () => {
    const scene = await restored();
    const [b, c] = [scene.open(), scene.open()];
    expect(await acquire(b, 'b')).toMatchObject({ type: 'held', record: { remainingMs: WAIT_MS } });
    nowMs += WAIT_MS - 1;
    expect(await acquire(b, 'b')).toMatchObject({ type: 'held', record: { remainingMs: 1 } });
    expect((await acquire(c, 'c')).type).toBe('held');
    nowMs += 1;
    expect((await acquire(c, 'c')).type).toBe('held');
    expect(scene.incarnation).toBe('first');
    const token = await lead(b, 'b');
    expect(scene.incarnation).toBe('second');
    await b.release([releaseOf('x', 'b', token)]);
    expect((await acquire(c, 'c')).type).toBe('ok');
  });

  it('stays one of the server before when a waiting candidate is registered in it, and when its lease is released', async () => {
    const scene = await restoredWhileHeld();
    const b = scene.open();
    await acquire(b, 'b', 1);
    expect((await b.candidates('x')).map(({ id }) => id)).toEqual(['b']);
    expect(scene.incarnation).toBe('first');
    await scene.open().release([releaseOf('x', 'a', scene.token)]);
    expect(scene.incarnation).toBe('first');
    expect(await acquire(scene.open(), 'c')).toMatchObject({
      type: 'held',
      record: { remainingMs: WAIT_MS },
    });
  });

  it('belongs to the replacement when its leader has renewed its lease there for one TTL', async () => {
    const scene = await restoredWhileHeld();
    expect(await renew(scene.leader, 'a', scene.token)).toBe('ok');
    nowMs += WAIT_MS - 1;
    expect(await renew(scene.leader, 'a', scene.token)).toBe('ok');
    expect(scene.incarnation).toBe('first');
    nowMs += 1;
    expect(await renew(scene.leader, 'a', scene.token)).toBe('ok');
    expect(scene.incarnation).toBe('second');
  });

  it('waits again if the server is replaced once more', async () => {
    const scene = await restored();
    const b = scene.open();
    await acquire(b, 'b');
    nowMs += WAIT_MS;
    scene.shared.incarnation = 'third';
    expect(await acquire(b, 'b')).toMatchObject({ type: 'held', record: { remainingMs: WAIT_MS } });
    nowMs += WAIT_MS;
    expect((await acquire(b, 'b')).type).toBe('ok');
  });

  it('waits for all elections that are acquired together', async () => {
    const scene = await restored();
    const b = scene.open();
    const claims = ['x', 'y'].map((name) => claimOf(name, 'b', { ttlMs: TTL_MS }));
    const types = async () => (await b.acquireAll!(claims)).map(({ type }) => type);
    expect(await types()).toEqual(['held', 'held']);
    nowMs += WAIT_MS;
    expect(await types()).toEqual(['ok', 'ok']);
  });

  it('that was read before the replacement, and written after it, is read again', async () => {
    const scene = new Scene();
    const a = scene.open();
    await a.release([releaseOf('x', 'a', await lead(a, 'a'))]);
    scene.shared.beforeWrite = () => {
      scene.shared.incarnation = 'second';
    };
    expect((await acquire(a, 'a')).type).toBe('held');
    nowMs += WAIT_MS;
    expect((await acquire(a, 'a')).type).toBe('ok');
  });

  it('knows its server from the second write on, also if its leader never reads it', async () => {
    const scene = new Scene();
    const a = scene.open();
    const token = await lead(a, 'a');
    expect(scene.incarnation).toBeUndefined();
    scene.shared.reads = 0;
    await renew(a, 'a', token);
    expect(scene.shared.reads).toBe(0);
    expect(scene.incarnation).toBe('first');
  });
});

describe('a document without an incarnation', () => {
  it('grants what it says is free, and gets the incarnation of its server with the next write', async () => {
    const scene = await restored();
    const { incarnation: _, ...older } = JSON.parse(scene.text);
    scene.shared.put('x', JSON.stringify(older));
    expect((await acquire(scene.open(), 'b')).type).toBe('ok');
    expect(scene.incarnation).toBe('second');
  });
});
