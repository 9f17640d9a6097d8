import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../../test-kit/command.ts';
import { runProcess } from '../../../../../../test-kit/limits/child-process.ts';
import type { AcquireRequest } from '../../../../src/lease/core/calls.ts';
import { StoreError } from '../../../../src/lease/core/store-error.ts';
import { openStore } from '../../../../src/lease/open-store.ts';
import { mountKind, sharedFileSystem, sharedKind } from '../../../../src/lease/stores/sqlite/file-system.ts';
import {
  SqliteLeaseStore,
  type SqliteStoreOptions,
} from '../../../../src/lease/stores/sqlite/sqlite-lease-store.ts';
import { loadSqlite } from '../../../../src/lease/stores/sqlite-library.ts';
import { claimOf } from '../../contract/single-call.ts';
import { storeContract } from '../../contract/store-contract.ts';

// The one that the store has: two copies of SQLite in one process would undo each other's locks.
const { DatabaseSync } = await loadSqlite();
const folder = temporaryFolder();
const shared = (): string => join(folder.path, 'leases.db');
let files = 0;
const newFile = (): string => join(folder.path, `file-${++files}.db`);
const open = (path: string, options?: SqliteStoreOptions) => SqliteLeaseStore.open(`sqlite:${path}`, options);
const claim = (id: string, more: Partial<AcquireRequest> = {}): AcquireRequest => claimOf('x', id, more);

/** On another connection, as another process would. */
function run(sql: string, ...values: readonly (string | number | bigint)[]) {
  const database = new DatabaseSync(shared(), { timeout: 5_000 });
  try {
    return database.prepare(sql).all(...values);
  } finally {
    database.close();
  }
}

storeContract('SQLite', {
  open: (options) => open(shared(), options),
  setToken: async (name, token) => {
    run('UPDATE hustings_lease SET token = ? WHERE name = ?', token, name);
  },
  setBack: async (name, ms) => {
    run(
      `UPDATE hustings_lease SET until_ms = until_ms + ?, not_before_ms = not_before_ms + ?,
         challenger_since_ms = challenger_since_ms + ?, challenger_until_ms = challenger_until_ms + ? WHERE name = ?`,
      ...[ms, ms, ms, ms, name],
    );
    run('UPDATE hustings_term SET start_ms = start_ms + ? WHERE name = ? AND end_ms IS NULL', ms, name);
  },
  putOffTick: async (name, fromMs, toMs) => {
    run('UPDATE hustings_tick SET tick_ms = ? WHERE name = ? AND tick_ms = ?', toMs, name, fromMs);
  },
  layout: {
    lower: async () => {
      for (const column of ['metadata', 'checkpoint', 'updates']) {
        run(`ALTER TABLE hustings_lease DROP COLUMN ${column}`);
      }
      run('ALTER TABLE hustings_term DROP COLUMN metadata');
      run('ALTER TABLE hustings_candidate DROP COLUMN place');
      run('UPDATE hustings_layout SET version = 3');
    },
    version: async () => {
      const [{ version, compatible_from }] = run('SELECT version, compatible_from FROM hustings_layout');
      return [Number(version), Number(compatible_from)];
    },
    raise: async (compatibleFrom) => {
      run('ALTER TABLE hustings_lease ADD COLUMN extra TEXT');
      run('UPDATE hustings_layout SET version = 5, compatible_from = ?', compatibleFrom);
    },
    restore: async () => {
      run('ALTER TABLE hustings_lease DROP COLUMN extra');
      run('UPDATE hustings_layout SET version = 4, compatible_from = 3');
    },
    setExtra: async (name, value) => {
      run('UPDATE hustings_lease SET extra = ? WHERE name = ?', value, name);
    },
    extra: async (name) => run('SELECT extra FROM hustings_lease WHERE name = ?', name)[0].extra as string,
  },
});

async function storeErrorText(work: Promise<unknown>): Promise<{ kind: string; message: string }> {
  try {
    await work;
  } catch (error) {
    expect(error).toBeInstanceOf(StoreError);
    const { kind, message } = error as StoreError;
    expect(message).not.toContain('\n');
    return { kind, message };
  }
  throw new Error('no StoreError was thrown');
}

describe('the file of leases', () => {
  it('is created at its default place with its folder, with permissions for this user only', async () => {
    const before = process.env.XDG_STATE_HOME;
    process.env.XDG_STATE_HOME = join(folder.path, 'new');
    const path = join(folder.path, 'new', 'hustings', 'leases.db');
    const store = await open(path);
    process.env.XDG_STATE_HOME = before;
    if (before === undefined) delete process.env.XDG_STATE_HOME;
    const end = store.watch('x', () => {});
    await store.acquire([claim('a')]);
    const modes = readdirSync(join(path, '..')).map((each) => [
      each,
      (statSync(join(path, '..', each)).mode & 0o777).toString(8),
    ]);
    expect(Object.fromEntries(modes)).toEqual({
      'leases.db': '600',
      'leases.db-wal': '600',
      'leases.db-shm': '600',
      'leases.db-notify': '600',
    });
    expect((statSync(join(folder.path, 'new')).mode & 0o777).toString(8)).toBe('700');
    expect((await store.probe()).warnings).toEqual([]);
    chmodSync(path, 0o644);
    expect((await store.probe()).warnings).toEqual([expect.stringContaining('chmod 600')]);
    end();
    await store.close();
  });

  it('may have a relative path with spaces and percent signs', async () => {
    const before = process.cwd();
    process.chdir(folder.path);
    try {
      await (await openStore('sqlite:./with space 100%25.db')).close();
    } finally {
      process.chdir(before);
    }
    expect(readdirSync(folder.path)).toContain('with space 100%25.db');
  });

  it('of another program is refused and not changed', async () => {
    const path = newFile();
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE theirs (a)');
    database.close();
    const before = readFileSync(path);
    expect(await storeErrorText(open(path))).toEqual({
      kind: 'unusable',
      message: expect.stringContaining('another program'),
    });
    expect(readFileSync(path).equals(before)).toBe(true);
  });

  it('that is not a database is refused and not changed', async () => {
    const path = newFile();
    writeFileSync(path, 'some notes of mine\n'.repeat(300));
    expect(await storeErrorText(open(path))).toEqual({
      kind: 'unusable',
      message: expect.stringContaining('not a SQLite database'),
    });
    expect(readFileSync(path, 'utf8')).toMatch(/^some notes/);
  });

  it.each([0.9, 0.5, 0.1])('that is truncated to %d of its length is refused', async (part) => {
    const path = newFile();
    const store = await open(path);
    await store.acquire(Array.from({ length: 300 }, (_, index) => claim('a', { name: `x${index}` })));
    await store.close();
    const database = new DatabaseSync(path);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    const copy = newFile();
    copyFileSync(path, copy);
    truncateSync(copy, Math.floor(statSync(copy).size * part));
    const use = open(copy).then(async (torn) => {
      try {
        return await torn.read(Array.from({ length: 300 }, (_, index) => `x${index}`));
      } finally {
        await torn.close();
      }
    });
    expect((await storeErrorText(use)).kind).toBe('unusable');
  });

  it('that is empty is used as a new one: its creator was killed before it wrote', async () => {
    const path = newFile();
    writeFileSync(path, '');
    const store = await open(path);
    expect((await store.acquire([claim('a')]))[0].type).toBe('ok');
    await store.close();
  });

  it.each([
    ['DROP TABLE hustings_layout', 'is none'],
    ['DELETE FROM hustings_layout', 'is none'],
    ['UPDATE hustings_layout SET version = 2, compatible_from = 2', 'version 2, for version 2 and later'],
    ['UPDATE hustings_layout SET version = 9, compatible_from = 7', 'version 9, for version 7 and later'],
  ])('with another layout is refused: %s', async (change, found) => {
    const path = newFile();
    await (await open(path)).close();
    const database = new DatabaseSync(path);
    database.exec(change);
    database.close();
    const { kind, message } = await storeErrorText(open(path));
    expect(kind).toBe('unprepared');
    expect(message).toContain(found);
  });

  it('with a path through a file, or to a folder, is refused', async () => {
    const path = newFile();
    writeFileSync(path, '');
    expect((await storeErrorText(open(join(path, 'leases.db')))).kind).toBe('unusable');
    expect((await storeErrorText(open(folder.path))).message).toContain('add the name of the file');
  });

  it('without write permission is refused', async ({ skip }) => {
    if (process.getuid?.() !== 0) {
      const closed = join(folder.path, 'closed');
      mkdirSync(closed, { mode: 0o500 });
      expect((await storeErrorText(open(join(closed, 'leases.db')))).kind).toBe('denied');
      return;
    }
    skip(process.platform !== 'linux', 'root may write everywhere here');
    expect((await storeErrorText(open('/sys/leases.db'))).kind).toBe('denied');
  });

  it('that is removed or replaced while in use is detected', async () => {
    const path = newFile();
    const store = await open(path);
    await store.acquire([claim('a')]);
    renameSync(path, `${path}.away`);
    expect(await storeErrorText(store.read(['x']))).toMatchObject({ kind: 'unusable' });
    writeFileSync(path, '');
    expect((await storeErrorText(store.acquire([claim('a')]))).message).toContain('removed or replaced');
    rmSync(path);
    renameSync(`${path}.away`, path);
    expect((await store.read(['x']))[0].holder?.id).toBe('a');
    await store.close();
  });

  it('on a full disk refuses writes, and works again when there is space', async ({ skip }) => {
    const disk = join(folder.path, 'small disk');
    mkdirSync(disk);
    const mounted = runProcess('mount', ['-t', 'tmpfs', '-o', 'size=192k', 'tmpfs', disk]);
    skip(mounted.status !== 0, 'a small disk cannot be mounted here');
    try {
      const store = await open(join(disk, 'leases.db'));
      const [first] = await store.acquire([claim('a')]);
      writeFileSync(join(disk, 'ballast'), '');
      // As much as fits.
      for (const size of [65_536, 4_096, 1]) {
        for (;;) {
          const had = statSync(join(disk, 'ballast')).size;
          try {
            writeFileSync(join(disk, 'ballast'), Buffer.alloc(size, 1), { flag: 'a' });
          } catch {
            break;
          }
          if (statSync(join(disk, 'ballast')).size === had) break;
        }
      }
      const many = Array.from({ length: 400 }, (_, index) => claim('b', { name: `y${index}` }));
      const { kind } = await storeErrorText(store.acquire(many));
      expect(['busy', 'unreachable']).toContain(kind);
      rmSync(join(disk, 'ballast'));
      const { token } = first as { token: bigint };
      expect((await store.read(['x', 'y0'])).map((record) => record.token)).toEqual([token, 0n]);
      expect((await store.renew([{ ...claim('a'), token }]))[0].type).toBe('ok');
      await store.close();
    } finally {
      // Lazily: a statement that is not collected yet keeps its file open.
      expect(runProcess('umount', ['-l', disk]).status).toBe(0);
    }
  });
});

describe('a second store on the same file in one process', () => {
  it('keeps the locks of the first', async ({ skip }) => {
    skip(!existsSync('/proc/locks'), 'this system does not list its locks');
    const path = newFile();
    const first = await open(path);
    await first.acquire([claim('a')]);
    // As long as it holds this one, nobody else takes its log for left behind.
    const held = (): boolean => {
      const ends = `:${statSync(path).ino}`;
      const locks = readFileSync('/proc/locks', 'latin1')
        .split('\n')
        .map((line) => line.trim().split(/\s+/));
      return locks.some((fields) => fields[5]?.endsWith(ends) && fields[4] === String(process.pid));
    };
    expect(held()).toBe(true);
    const second = await open(path);
    expect(held()).toBe(true);
    await second.close();
    await first.probe();
    expect(held()).toBe(true);
    await first.close();
  });
});

describe('while another process writes', () => {
  it('a call fails as busy after a while, without blocking this process', async () => {
    const path = newFile();
    const store = await open(path);
    const writer = new DatabaseSync(path);
    writer.exec('BEGIN IMMEDIATE');
    let ticks = 0;
    const timer = setInterval(() => ticks++, 1);
    expect((await storeErrorText(store.acquire([claim('a')]))).kind).toBe('busy');
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(0);
    expect((await store.read(['x']))[0].token).toBe(0n);
    writer.exec('ROLLBACK');
    expect((await store.acquire([claim('a')]))[0].type).toBe('ok');
    writer.close();
    await store.close();
  });
});

describe('the clock', () => {
  const hostOf = (boot: string) => {
    const now = { monoMs: 1_000_000, wallMs: 1_700_000_000_000 };
    return { now, clock: { boot, monoMs: () => now.monoMs, wallMs: () => now.wallMs } };
  };

  it('of another boot does not judge a lease: a challenger that has observed it is granted it', async () => {
    const path = newFile();
    const before = await open(path, { clock: hostOf('first').clock });
    const [{ token }] = (await before.acquire([claim('a', { priority: 1 })])) as readonly { token: bigint }[];
    await before.acquire([claim('b', { priority: 2 })]);
    const { now, clock } = hostOf('second');
    // Long after the end, and long before it, on a clock that restarted.
    for (const monoMs of [2_000_000, 5_000]) {
      Object.assign(now, { monoMs, wallMs: now.wallMs + 30_000 });
      const after = await open(path, { clock });
      const [record] = await after.read(['x']);
      expect(record).toMatchObject({ token, holder: { id: 'a' }, remainingMs: null, durationMs: 60_000 });
      expect((await after.acquire([claim('c', { staleVersion: record.version - 1n })]))[0].type).toBe('held');
      await after.close();
    }
    // The holder's own boot still judges it: this is a container of the same host.
    expect((await before.renew([{ ...claim('a'), token }]))[0].type).toBe('ok');
    const after = await open(path, { clock });
    expect(await after.evict('x')).toBe(true);
    expect((await before.read(['x']))[0].remainingMs).toBe(60_000);
    const [{ version }] = await after.read(['x']);
    const [granted] = await after.acquire([claim('c', { staleVersion: version })]);
    expect(granted.type).toBe('ok');
    const next = (granted as { token: bigint }).token;
    expect(next > token).toBe(true);
    // Candidates of the earlier boot wait no more.
    expect((await after.renew([{ ...claim('c'), token: next }]))[0]).toMatchObject({
      type: 'ok',
      challenger: null,
    });
    expect((await after.history('x')).map(({ endMs }) => endMs)).toEqual([null, now.wallMs]);
    expect((await before.renew([{ ...claim('a'), token }]))[0].type).toBe('lost');
    await before.close();
    await after.close();
  });

  it('of another boot leaves a free lease free', async () => {
    const path = newFile();
    const before = await open(path, { clock: hostOf('first').clock });
    const [{ token }] = (await before.acquire([claim('a')])) as readonly { token: bigint }[];
    await before.release([
      { name: 'x', nonce: 'a-nonce', token, reason: 'released', successor: null, reserveMs: 0 },
    ]);
    const after = await open(path, { clock: hostOf('second').clock });
    expect((await after.acquire([claim('b')]))[0].type).toBe('ok');
    await before.close();
    await after.close();
  });

  it('of another boot prunes a lease that was not written for its whole duration', async () => {
    const path = newFile();
    const before = await open(path, { clock: hostOf('first').clock });
    await before.acquire([claim('a')]);
    const { now, clock } = hostOf('second');
    const after = await open(path, { clock });
    expect(await after.prune(0)).toEqual([]);
    now.wallMs += 2 * 60_000;
    expect(await after.prune(0)).toEqual(['x']);
    await before.close();
    await after.close();
  });

  it('without a boot id waits for a lease with more time left than it was granted for', async () => {
    const path = newFile();
    const { now, clock } = hostOf('');
    const store = await open(path, { clock });
    await store.acquire([claim('a')]);
    now.monoMs = 950_000;
    expect((await store.read(['x']))[0]).toMatchObject({ holder: { id: 'a' }, remainingMs: null });
    now.monoMs = 1_030_000;
    expect((await store.read(['x']))[0]).toMatchObject({ holder: { id: 'a' }, remainingMs: 30_000 });
    now.monoMs = 1_060_000;
    expect((await store.read(['x']))[0].holder).toBeNull();
    await store.close();
  });

  it('on the wall may be set without moving the end of a lease', async () => {
    const { now, clock } = hostOf('b');
    const store = await open(newFile(), { clock });
    await store.acquire([claim('a')]);
    for (const hours of [-5, 5]) {
      now.wallMs += hours * 3_600_000;
      expect((await store.read(['x']))[0].remainingMs).toBe(60_000);
    }
    await store.close();
  });
});

describe('file systems that several hosts may write to', () => {
  it.each([
    [0x6969, '', 'NFS'],
    [0xfe534d42, '', 'SMB2'],
    [0xff534d42, '', 'CIFS'],
    [0x01021997, '', '9P'],
    [0x65735546, 'fuse.sshfs', 'fuse.sshfs'],
    [0x65735546, '', 'FUSE'],
  ])('are refused: %i %s', (magic, mount, name) => expect(sharedKind(magic, () => mount)).toBe(name));

  it.each([
    [0xef53, ''],
    [0x01021994, ''],
    [0x58465342, ''],
    [0x794c7630, ''],
    [0x65735546, 'fuseblk'],
  ])('are distinguished from local ones: %i %s', (magic, mount) =>
    expect(sharedKind(magic, () => mount)).toBeNull(),
  );

  it('are found by the mount of a folder', () => {
    const mounts = [
      '22 1 0:1 / / rw shared:1 - ext4 /dev/vda rw',
      '23 22 0:2 / /mnt rw - nfs4 host:/x rw',
      '24 23 0:3 / /mnt/with\\040space rw - fuse.sshfs me@host: rw',
      '25 22 0:4 / /mnt2 rw master:1 - fuseblk /dev/sdb rw',
      '26 22 0:4 / /mnt2 rw - tmpfs tmpfs rw',
    ].join('\n');
    expect(mountKind('/home', mounts)).toBe('ext4');
    expect(mountKind('/mnt', mounts)).toBe('nfs4');
    expect(mountKind('/mnt/a', mounts)).toBe('nfs4');
    expect(mountKind('/mnt/with space/b', mounts)).toBe('fuse.sshfs');
    expect(mountKind('/mntx', mounts)).toBe('ext4');
    expect(mountKind('/mnt2/c', mounts)).toBe('tmpfs');
    expect(sharedFileSystem(join(folder.path, 'is not there'))).toBeNull();
  });
});

describe('a notification of SQLite', () => {
  it('is for the election that changed, and not for the others in the file', async () => {
    const path = newFile();
    const [holder, watcher] = [await open(path), await open(path)];
    const heard: string[] = [];
    for (const name of ['a', 'b']) watcher.watch(name, () => heard.push(name));
    const claims = ['a', 'b'].map((name) => claimOf(name, 'h'));
    const granted = await holder.acquire(claims);
    const releaseOf = (i: number) => {
      const { name, nonce } = claims[i];
      const { token } = granted[i] as { token: bigint };
      return holder.release([{ name, nonce, token, reason: 'released', successor: null, reserveMs: 0 }]);
    };
    await releaseOf(0);
    await expect.poll(() => heard).toContain('a');
    heard.length = 0;
    await releaseOf(1);
    await expect.poll(() => heard).toContain('b');
    expect(heard).not.toContain('a');
    await holder.close();
    await watcher.close();
  });
});

describe('a SQLite file in a folder that is missing', () => {
  it('is refused: the folder may be a disk that is not mounted', async () => {
    const path = join(folder.path, 'not', 'mounted', 'leases.db');
    await expect(open(path)).rejects.toMatchObject({
      kind: 'unusable',
      message: expect.stringContaining('create it'),
    });
    expect(existsSync(join(folder.path, 'not'))).toBe(false);
  });
});
