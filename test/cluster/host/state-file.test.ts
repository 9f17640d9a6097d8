import { mkdtemp, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StateFile } from '../../../src/cluster/host/state-file.ts';
import type { MemberRecord } from '../../../src/cluster/runtime/durable-outbox.ts';

const SLOT = 32_768;
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
  const file = new StateFile(path);
  await file.load();
  // Not awaited one by one: order is the file's own.
  await Promise.all(terms.map((term) => file.save(record(term))));
  await file.close();
}

async function load(): Promise<{ record: MemberRecord | null; warning: string | null }> {
  const file = new StateFile(path);
  try {
    return { record: await file.load(), warning: file.warning };
  } finally {
    await file.close();
  }
}

async function damage(position: number, text: string): Promise<void> {
  const file = await open(path, 'r+');
  await file.write(text, position);
  await file.close();
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
  await saveTerms(1, 2, 3);
  const before = await readFile(path);
  await saveTerms(4);
  const after = await readFile(path);
  const end = after.indexOf('\n', SLOT);
  for (let cut = 1; cut < end - SLOT - 20; cut += 7) {
    // The first bytes of the new record over the old one.
    const torn = Buffer.from(before);
    after.copy(torn, SLOT, SLOT, SLOT + cut);
    await writeFile(path, torn);
    const found = await load();
    expect([cut, found.record]).toEqual([cut, record(3)]);
    expect(found.warning).toContain('one of two records is skipped');
  }
});

test('an edited record is recognised and said', async () => {
  await saveTerms(1, 2);
  const text = (await readFile(path)).toString();
  await damage(text.lastIndexOf('"term":2') + 7, '9');
  const found = await load();
  expect(found.record).toEqual(record(1));
  expect(found.warning).toContain('torn or was edited');
});

test('a file without a whole record is refused, not taken for a member that has never run', async () => {
  await saveTerms(1);
  await damage(100, 'x');
  await expect(load()).rejects.toThrow(/is not the state of a member \(a checksum does not match/);
  await writeFile(path, 'x'.repeat(2 * SLOT));
  await expect(load()).rejects.toThrow('a record has no checksum');
});

test('a first save that was interrupted is no record: nothing was sent after it', async () => {
  await saveTerms(1);
  await truncate(path, 120);
  expect((await load()).record).toBeNull();
  expect((await load()).warning).toContain('has sent nothing yet');
});

test('a full disk is an error that names the file', async () => {
  const file = new StateFile('/dev/full');
  await file.load().catch(() => undefined);
  await expect(file.save(record(1))).rejects.toThrow(/\/dev\/full could not be written: .*ENOSPC/);
  await file.close();
});
