import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateFile } from '../../src/host/state-file.ts';
import type { MemberRecord } from '../../src/runtime/durable-outbox.ts';

const COPY = 32_768;
const OWNER = { cluster: 'tests', id: 3 };
let folder: string;
let path: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hustings-state-'));
  path = join(folder, 'member.state');
});

afterEach(() => rm(folder, { recursive: true }));

const record = (term: number): MemberRecord => ({
  algorithm: 'raft',
  entered: 0,
  durable: { term, votedFor: 3 },
});

/** Saves these terms in order. */
async function saveTerms(...terms: number[]): Promise<void> {
  const file = new StateFile(path, OWNER);
  await file.load();
  // Not awaited one by one: order is the file's own.
  await Promise.all(terms.map((term) => file.save(record(term))));
  await file.close();
}

async function load(): Promise<{ record: MemberRecord | null; warning: string | null }> {
  const file = new StateFile(path, OWNER);
  try {
    return { record: await file.load(), warning: file.warning };
  } finally {
    await file.close();
  }
}

test('a member that has never run has no record', async () => {
  expect(await load()).toEqual({ record: null, warning: null });
});

test('the last of many saves is read, and saving goes on after a restart', async () => {
  await saveTerms(1, 2, 3);
  expect((await load()).record).toEqual(record(3));
  await saveTerms(4);
  expect(await load()).toEqual({ record: record(4), warning: null });
});

test('a save that was torn leaves the record before it, and says so', async () => {
  await saveTerms(1, 2);
  const before = await readFile(path);
  await saveTerms(3);
  const after = await readFile(path);
  const place = 2 * COPY;
  const end = after.indexOf('\n', place) - place;
  for (let cut = 1; cut < end - 20; cut += 7) {
    // The first bytes of the new record over both copies of the old one.
    const torn = Buffer.from(before);
    for (const copy of [place, place + COPY]) after.copy(torn, copy, copy, copy + cut);
    await writeFile(path, torn);
    const found = await load();
    expect([cut, found.record]).toEqual([cut, record(2)]);
    expect(found.warning).toContain('a copy of a record is skipped');
  }
});

test('a saved record survives damage to any byte of one of its copies', async () => {
  await saveTerms(1, 2, 3);
  const whole = await readFile(path);
  const end = whole.indexOf('\n', 2 * COPY) - 2 * COPY;
  for (const copy of [2 * COPY, 3 * COPY]) {
    for (let position = 0; position < end; position += 11) {
      const damaged = Buffer.from(whole);
      damaged[copy + position] ^= 1;
      await writeFile(path, damaged);
      const found = await load();
      expect([position, found.record]).toEqual([position, record(3)]);
      expect(found.warning).toContain('a copy of a record is skipped');
    }
  }
});

test('a damaged copy is written again, so that the other copy may be damaged after the next start', async () => {
  await saveTerms(1, 2, 3);
  const whole = await readFile(path);
  for (const copy of [2, 3, 2]) {
    const damaged = await readFile(path);
    damaged[copy * COPY + 70] ^= 1;
    await writeFile(path, damaged);
    const found = await load();
    expect([copy, found.record]).toEqual([copy, record(3)]);
    expect(found.warning).toContain('a copy of a record is skipped');
    expect((await readFile(path)).equals(whole)).toBe(true);
  }
  expect((await load()).warning).toBeNull();
});

test('a save of which only the first copy reached the disk is read, and is whole twice after the start', async () => {
  await saveTerms(1, 2, 3);
  const whole = await readFile(path);
  const half = Buffer.from(whole);
  half.fill(0, 3 * COPY);
  await writeFile(path, half);
  expect(await load()).toEqual({ record: record(3), warning: null });
  expect((await readFile(path)).equals(whole)).toBe(true);
});

test.each([
  ['is empty', 0],
  ['was cut within a record', 100],
  ['was cut after a whole record', COPY],
  ['lacks its last byte', 4 * COPY - 1],
])('a file that %s is refused, not taken for a member that has never run', async (_, length) => {
  await saveTerms(1);
  await truncate(path, length);
  await expect(load()).rejects.toThrow(/is not the state of a member \(it has fewer than 131072 bytes\)/);
});

test('a file without a whole record is refused, and an older copy is not advised', async () => {
  await saveTerms(1);
  await writeFile(path, 'x'.repeat(4 * COPY));
  const refused = load();
  await expect(refused).rejects.toThrow('a record has no checksum');
  await expect(refused).rejects.toThrow('add one with a new id and an empty folder');
  await writeFile(path, Buffer.alloc(4 * COPY));
  await expect(load()).rejects.toThrow('it is empty');
});

test('a first save that was interrupted is no record: nothing was sent after it', async () => {
  expect((await load()).record).toBeNull();
  const fresh = await readFile(path);
  await saveTerms(1);
  const after = await readFile(path);
  for (const copy of [2, 3]) after.copy(fresh, copy * COPY, copy * COPY, copy * COPY + 50);
  await writeFile(path, fresh);
  expect((await load()).record).toBeNull();
});

test('the state of another member, or of another cluster, is refused', async () => {
  await saveTerms(1);
  const other = new StateFile(path, { ...OWNER, id: 2 });
  await expect(other.load()).rejects.toThrow('is that of member 3 of the cluster tests: use another folder');
  await other.close();
  const elsewhere = new StateFile(path, { ...OWNER, cluster: 'other' });
  await expect(elsewhere.load()).rejects.toThrow('is that of member 3 of the cluster tests');
  await elsewhere.close();
});

test('a full disk is an error that names the file', async () => {
  const file = new StateFile('/dev/full', OWNER);
  await file.load().catch(() => undefined);
  await expect(file.save(record(1))).rejects.toThrow(/\/dev\/full could not be written: .*ENOSPC/);
  await file.close();
});
