import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { hustings, temporaryFolder } from '../../../../test-kit/command.ts';
import { eventually } from '../../../../test-kit/eventually.ts';
import { deadlineIn } from '../../src/supervisor/deadline.ts';
import { DeadlineFile, readDeadline } from '../../src/supervisor/deadline-file.ts';

const folder = temporaryFolder();
const TERM = { name: 'x', token: 2n ** 60n, nonce: 'n' };
const create = () => DeadlineFile.create(TERM, deadlineIn(60_000), [folder.path])!;

describe('the deadline file', () => {
  it('contains the term and the deadline on both clocks, readable for other users', () => {
    const deadline = { monoMs: 12.5, wallMs: 1_700_000_000_000 };
    const file = DeadlineFile.create(TERM, deadline, [folder.path])!;
    expect(JSON.parse(readFileSync(file.path, 'utf8'))).toEqual({
      name: 'x',
      token: '1152921504606846976',
      nonce: 'n',
      deadline,
    });
    expect(statSync(file.path).mode & 0o044).toBe(0o044);
    expect(statSync(dirname(file.path)).mode & 0o077).toBe(0o055);
  });

  it('is replaced as a whole: a reader never sees a part, and the last of many updates stays', async () => {
    const file = create();
    for (let count = 1; count <= 500; count++) {
      file.update({ monoMs: count, wallMs: count });
      if (count % 10 === 0) await new Promise(setImmediate);
      expect(readDeadline(file.path, 'n')).not.toBeNull();
    }
    await eventually('the last one is written', () => readDeadline(file.path, 'n')?.monoMs === 500);
    await file.close();
    expect(existsSync(dirname(file.path))).toBe(false);
  });

  it('is made in the next folder if the first one cannot be used, and not at all if none can', () => {
    const absent = join(folder.path, 'absent');
    expect(DeadlineFile.create(TERM, deadlineIn(1), [absent, folder.path])?.path).toMatch(folder.path);
    expect(DeadlineFile.create(TERM, deadlineIn(1), [absent])).toBeNull();
  });

  it('keeps the earlier deadline if it cannot be written any more', async () => {
    const file = create();
    const before = readDeadline(file.path, 'n');
    mkdirSync(`${file.path}.next`);
    file.update(deadlineIn(120_000));
    await file.written();
    expect(readDeadline(file.path, 'n')).toEqual(before);
    await file.close();
    expect(readdirSync(folder.path)).not.toContain(dirname(file.path));
  });
});

describe('hustings assert', () => {
  const assertLease = (path: string | undefined, need?: string) =>
    hustings(['assert', ...(need === undefined ? [] : ['--need', need])], undefined, {
      HUSTINGS_NAME: 'x',
      HUSTINGS_NONCE: 'n',
      HUSTINGS_DEADLINE_FILE: path,
    });

  it('exits with 0 while the lease is certain for that time, and otherwise with 76', () => {
    const { path } = DeadlineFile.create(TERM, deadlineIn(600_000), [folder.path])!;
    for (const need of [undefined, '2s', '5m']) {
      expect(assertLease(path, need)).toEqual({ status: 0, stdout: '', stderr: '' });
    }
    const { status, stderr } = assertLease(path, '1h');
    expect(status).toBe(76);
    expect(stderr).toMatch(
      /^hustings: the lease of 'x' is certain for \d+ min.*, less than the 1 h of --need/,
    );
  });

  it('exits with 76 if one of the clocks has passed the deadline, and after the term', async () => {
    const { monoMs, wallMs } = deadlineIn(600_000);
    for (const deadline of [
      { monoMs: 1, wallMs },
      { monoMs, wallMs: Date.now() - 1 },
    ]) {
      const { status, stderr } = assertLease(DeadlineFile.create(TERM, deadline, [folder.path])!.path);
      expect({ status, stderr }).toEqual({ status: 76, stderr: "hustings: the lease of 'x' is over\n" });
    }
    const unnamed = {
      HUSTINGS_NONCE: 'n',
      HUSTINGS_DEADLINE_FILE: '/no/such/file',
      HUSTINGS_NAME: undefined,
    };
    expect(hustings(['assert'], undefined, unnamed).stderr).toBe('hustings: the lease is over\n');
    const file = create();
    await file.close();
    expect(assertLease(file.path).status).toBe(76);
    expect(
      assertLease(DeadlineFile.create({ ...TERM, nonce: 'later' }, deadlineIn(600_000), [folder.path])!.path)
        .status,
    ).toBe(76);
  });

  it('never exits with 0 without a file that it understands', () => {
    const none = assertLease(undefined);
    expect(none.status).toBe(2);
    expect(none.stderr).toContain('HUSTINGS_DEADLINE_FILE is not set');
    const damaged = join(folder.path, 'damaged');
    for (const text of [
      '',
      'x',
      '{}',
      '{"nonce":"n","deadline":{"monoMs":1e99}}',
      '{"nonce":"n","deadline":{"monoMs":"9","wallMs":null}}',
    ]) {
      writeFileSync(damaged, text);
      expect(assertLease(damaged).status, text).toBe(3);
    }
    expect(assertLease(folder.path).status).toBe(3);
  });
});
