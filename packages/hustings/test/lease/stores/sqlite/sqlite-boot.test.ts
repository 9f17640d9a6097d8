/** Rows of another boot: after a reboot, or of a container with a boot id of its own. */
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../../test-kit/command.ts';
import type { AcquireRequest } from '../../../../src/lease/core/calls.ts';
import { SqliteLeaseStore } from '../../../../src/lease/stores/sqlite/sqlite-lease-store.ts';
import { loadSqlite } from '../../../../src/lease/stores/sqlite-library.ts';
import { claimOf } from '../../contract/single-call.ts';

const folder = temporaryFolder();
let files = 0;
const newFile = (): string => join(folder.path, `file-${++files}.db`);
const TTL_MS = 60_000;
/** The TTL, and the margin of 1/15. */
const WAIT_MS = 64_000;
const HOLD_MS = 24 * 3_600_000;

/** Each call is made by a process of its own, which opens the file and ends after the call. */
function hostOf(path: string, boot: string, monoMs: number) {
  const now = { monoMs, wallMs: 1_700_000_000_000 };
  const clock = { boot, monoMs: () => now.monoMs, wallMs: () => now.wallMs };
  async function call<T>(work: (store: SqliteLeaseStore) => Promise<T>): Promise<T> {
    const store = await SqliteLeaseStore.open(`sqlite:${path}`, { clock });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }
  const acquire = (id: string, more: Partial<AcquireRequest> = {}) =>
    call(async (store) => (await store.acquire([claimOf('x', id, { ttlMs: TTL_MS, ...more })]))[0]);
  /** Acquires the lease and releases it at once. */
  async function runOnce(id: string, holdAtLeastMs: number): Promise<string> {
    const answer = await acquire(id, { holdAtLeastMs });
    if (answer.type !== 'ok') return answer.type;
    const { nonce } = claimOf('x', id);
    const release = { name: 'x', nonce, token: answer.token, reason: 'released', successor: null } as const;
    await call((store) => store.release([{ ...release, reserveMs: 0 }]));
    return 'ran';
  }
  const pass = (ms: number): void => {
    now.monoMs += ms;
    now.wallMs += ms;
  };
  return { now, call, acquire, runOnce, pass };
}

async function marksOf(path: string): Promise<number> {
  const { DatabaseSync } = await loadSqlite();
  const database = new DatabaseSync(path, { timeout: 5_000 });
  try {
    return database.prepare('SELECT * FROM hustings_observation').all().length;
  } finally {
    database.close();
  }
}

describe('a lease of another boot', () => {
  it('is granted to a process that does not wait, once processes of its boot have observed it for its TTL', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).acquire('a');
    const second = hostOf(path, 'second', 5_000);
    expect((await second.acquire('b')).type).toBe('held');
    second.pass(WAIT_MS - 1);
    expect((await second.acquire('c')).type).toBe('held');
    expect((await second.call((store) => store.read(['x'])))[0]).toMatchObject({ remainingMs: null });
    second.pass(1);
    expect((await second.call((store) => store.read(['x'])))[0]).toMatchObject({
      holder: null,
      durationMs: 0,
    });
    expect((await second.acquire('d')).type).toBe('ok');
    const terms = await second.call((store) => store.history('x'));
    expect(terms.map(({ holder, cause }) => [holder, cause])).toEqual([
      ['d', null],
      ['a', 'expired'],
    ]);
  });

  it('is observed from the start after each renewal', async () => {
    const path = newFile();
    const first = hostOf(path, 'first', 1_000_000);
    await first.acquire('a');
    const second = hostOf(path, 'second', 5_000);
    await second.acquire('b');
    second.pass(WAIT_MS - 1);
    await first.acquire('a');
    second.pass(1);
    expect((await second.acquire('b')).type).toBe('held');
    second.pass(WAIT_MS - 1);
    expect((await second.acquire('b')).type).toBe('held');
    second.pass(1);
    expect((await second.acquire('b')).type).toBe('ok');
  });

  it('does not expire by the wall clock', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).acquire('a');
    const second = hostOf(path, 'second', 5_000);
    await second.acquire('b');
    second.now.wallMs += 10 * HOLD_MS;
    second.now.monoMs += WAIT_MS - 1;
    expect((await second.acquire('b')).type).toBe('held');
  });

  it('is observed by each boot on its own clock: none resets the time of another', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).acquire('a');
    const hosts = [hostOf(path, 'second', 5_000), hostOf(path, 'third', 9_000_000)];
    const answers: string[] = [];
    for (let polls = 0; polls <= 8; polls++) {
      for (const host of hosts) answers.push((await host.acquire('b')).type);
      for (const host of hosts) host.pass(WAIT_MS / 8);
    }
    expect(answers.indexOf('ok')).toBe(16);
  });

  it('counts nothing that a clock has yet to reach', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).acquire('a');
    await hostOf(path, 'second', 9_000_000).acquire('b');
    const restored = hostOf(path, 'second', 5_000);
    expect((await restored.acquire('b')).type).toBe('held');
    restored.pass(WAIT_MS);
    expect((await restored.acquire('b')).type).toBe('ok');
  });

  it('does not wait longer for a candidate that has observed it by itself', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).acquire('a');
    const second = hostOf(path, 'second', 5_000);
    const [{ version }] = await second.call((store) => store.read(['x']));
    expect((await second.acquire('b')).type).toBe('held');
    expect((await second.acquire('b', { staleVersion: version })).type).toBe('ok');
  });

  it('leaves no marks of boots that are over', async () => {
    const path = newFile();
    const first = hostOf(path, 'first', 1_000_000);
    for (let boots = 0; boots < 5; boots++) {
      await first.acquire('a');
      await hostOf(path, `boot ${boots}`, 5_000).acquire('b');
    }
    expect(await marksOf(path)).toBe(1);
    const last = hostOf(path, 'last', 5_000);
    last.pass(10 * HOLD_MS);
    expect(await last.call((store) => store.prune(0))).toEqual(['x']);
    expect(await marksOf(path)).toBe(0);
  });
});

describe('a time to hold of another boot', () => {
  it('ends when the wall clock says so, without a wait of the same length', async () => {
    const path = newFile();
    expect(await hostOf(path, 'first', 1_000_000).runOnce('a', HOLD_MS)).toBe('ran');
    const second = hostOf(path, 'second', 5_000);
    second.now.wallMs += HOLD_MS - 10_000;
    expect(await second.runOnce('b', HOLD_MS)).toBe('held');
    expect((await second.call((store) => store.read(['x'])))[0].remainingMs).toBe(10_000);
    second.pass(9_999);
    expect(await second.runOnce('b', HOLD_MS)).toBe('held');
    second.pass(1);
    expect(await second.runOnce('b', HOLD_MS)).toBe('ran');
    expect(await second.runOnce('c', HOLD_MS)).toBe('held');
  });

  it('ends after its whole length on the clock of this boot, if the wall clock was set back', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).runOnce('a', HOLD_MS);
    const second = hostOf(path, 'second', 5_000);
    second.now.wallMs = 0;
    expect(await second.runOnce('b', HOLD_MS)).toBe('held');
    second.pass(HOLD_MS - 1);
    expect(await second.runOnce('b', HOLD_MS)).toBe('held');
    second.pass(1);
    expect(await second.runOnce('b', HOLD_MS)).toBe('ran');
  });

  it('does not lengthen the wait for a holder that lost its power after that time', async () => {
    const path = newFile();
    await hostOf(path, 'first', 1_000_000).acquire('a', { holdAtLeastMs: HOLD_MS });
    const second = hostOf(path, 'second', 5_000);
    second.now.wallMs += HOLD_MS;
    expect(await second.acquire('b')).toMatchObject({ type: 'held', record: { durationMs: TTL_MS } });
    second.pass(WAIT_MS);
    expect((await second.acquire('b')).type).toBe('ok');
  });
});
