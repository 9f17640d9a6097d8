import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../../test/source/source-file.ts';
import { temporaryFolder } from '../../../../../../test-kit/command.ts';
import { outputOf, runProcess, startProcess } from '../../../../../../test-kit/limits/child-process.ts';
import { overlaps } from '../../../../src/lease/audit.ts';
import { SqliteLeaseStore } from '../../../../src/lease/stores/sqlite/sqlite-lease-store.ts';
import { loadSqlite } from '../../../../src/lease/stores/sqlite-library.ts';

// The one that the store has: two copies of SQLite in one process would undo each other's locks.
const { DatabaseSync } = await loadSqlite();
const folder = temporaryFolder();
const MODULE = pathToFileURL(
  join(ROOT, 'packages/hustings/dist/lease/stores/sqlite/sqlite-lease-store.js'),
).href;
const RACER = join(ROOT, 'packages/hustings/test/lease/stores/sqlite/sqlite-racer.mjs');

const running = new Set<ChildProcess>();
afterAll(() => {
  for (const child of running) child.kill('SIGKILL');
});

/** A racer, and the tokens that it has been given so far. */
function race(path: string, id: string, times: number) {
  const child = startProcess(process.execPath, [
    '--no-warnings',
    RACER,
    MODULE,
    `sqlite:${path}`,
    id,
    String(times),
  ]);
  running.add(child);
  const output = outputOf(child);
  const ended = once(child, 'close').then(() => running.delete(child));
  const tokens = (): bigint[] => output.stdout.split('\n').slice(0, -1).map(BigInt);
  return { child, ended, tokens, output };
}

const ascending = (a: bigint, b: bigint): number => (a < b ? -1 : 1);

describe('processes at one file of leases', () => {
  it('that race get tokens of their own, and each is in the history', async () => {
    const path = join(folder.path, 'race.db');
    const times = 60;
    const racers = ['a', 'b', 'c', 'd'].map((id) => race(path, id, times));
    await Promise.all(racers.map(({ ended }) => ended));
    expect(racers.map(({ output }) => output.stderr).join('')).toBe('');
    const given = racers.map(({ tokens }) => tokens());
    expect(given.map((tokens) => tokens.length)).toEqual([times, times, times, times]);
    const all = given.flat().sort(ascending);
    expect(new Set(all).size).toBe(4 * times);
    const store = await SqliteLeaseStore.open(`sqlite:${path}`);
    const terms = await store.history('x');
    expect(terms.map(({ token }) => token)).toEqual(all.reverse());
    expect(overlaps(terms)).toEqual([]);
    await store.close();
  });

  it('that are killed during writes lose no acknowledged write, and tokens increase', async () => {
    const path = join(folder.path, 'killed.db');
    const answered: bigint[] = [];
    for (let round = 0; round < 6; round++) {
      const racers = ['a', 'b'].map((id) => race(path, `${id}${round}`, 1_000_000));
      while (racers.every(({ tokens }) => tokens().length === 0)) await sleep(5);
      await sleep(Math.random() * 40);
      for (const { child } of racers) child.kill('SIGKILL');
      await Promise.all(racers.map(({ ended }) => ended));
      expect(racers.map(({ output }) => output.stderr).join('')).toBe('');
      const given = racers.flatMap(({ tokens }) => tokens()).sort(ascending);
      if (answered.length > 0) expect(given[0] > answered.at(-1)!).toBe(true);
      answered.push(...given);

      const store = await SqliteLeaseStore.open(`sqlite:${path}`);
      const [record] = await store.read(['x']);
      expect(record.token >= answered.at(-1)!).toBe(true);
      const terms = await store.history('x');
      const recorded = new Set(terms.map(({ token }) => token));
      expect(answered.filter((token) => !recorded.has(token))).toEqual([]);
      expect(terms[0].token).toBe(record.token);
      // A leader that was killed still holds the lease; here its death is known.
      if (record.holder !== null) {
        const { nonce } = record.holder;
        const claim = {
          name: 'x',
          id: 'm',
          nonce: `m${round}`,
          ttlMs: 1_000,
          priority: 0,
          processProof: '',
          staleVersion: null,
          holdAtLeastMs: 0,
          registerMs: 0,
        };
        const [answer] = await store.acquire([{ ...claim, goneNonce: nonce }]);
        const { token } = answer as { token: bigint };
        expect(token > record.token).toBe(true);
        answered.push(token);
        await store.release([
          {
            name: 'x',
            nonce: claim.nonce,
            token,
            reason: 'released',
            successor: null,
            reserveMs: 0,
          },
        ]);
      }
      expect(overlaps(await store.history('x'))).toEqual([]);
      await store.close();
    }
    const database = new DatabaseSync(path);
    expect(Object.values(database.prepare('PRAGMA integrity_check').get()!)).toEqual(['ok']);
    database.close();
  });

  it('that are killed during its creation leave a file that can be opened', async () => {
    for (let round = 0; round < 5; round++) {
      const path = join(folder.path, `new-${round}.db`);
      const racers = ['a', 'b'].map((id) => race(path, id, 1_000_000));
      while (!existsSync(path)) await sleep(1);
      await sleep(Math.random() * 8);
      for (const { child } of racers) child.kill('SIGKILL');
      await Promise.all(racers.map(({ ended }) => ended));
      const store = await SqliteLeaseStore.open(`sqlite:${path}`);
      const given = racers.flatMap(({ tokens }) => tokens());
      const { token } = (await store.read(['x']))[0];
      expect(given.every((each) => each <= token)).toBe(true);
      await store.close();
    }
  });

  it('can exit with an open and watched store', () => {
    const script = `
      const { SqliteLeaseStore } = await import(${JSON.stringify(MODULE)});
      const store = await SqliteLeaseStore.open(${JSON.stringify(`sqlite:${join(folder.path, 'idle.db')}`)});
      store.watch('x', () => {});
      await store.read(['x']);`;
    const { status, stderr } = runProcess(
      process.execPath,
      ['--no-warnings', '--input-type=module', '--eval', script],
      { limitMs: 30_000 },
    );
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });
});
