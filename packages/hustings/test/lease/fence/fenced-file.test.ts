import { once } from 'node:events';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryFolder } from '../../../../../test-kit/command.ts';
import { startProcess } from '../../../../../test-kit/limits/child-process.ts';
import { withFileLock } from '../../../src/lease/fence/file-lock.ts';
import {
  FenceRejections,
  FileFenceMarks,
  fencedAppend,
  fencedWrite,
} from '../../../src/lease/fence/index.ts';
import { markIn, parseMarks, withMark } from '../../../src/lease/fence/mark-file.ts';
import { expectLaw, falls, terms } from './fence-law.ts';
import { runWriter } from './writers.ts';

const folder = temporaryFolder();
const name = 'billing';
let files = 0;
const fresh = (): string => join(folder.path, `file-${++files}`);
const linesOf = (path: string): bigint[] =>
  readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean).map(BigInt);

describe('a fenced file', () => {
  it('is replaced under the same or a newer token, and not changed under an older one', async () => {
    const path = fresh();
    const rejections = new FenceRejections();
    const onRejected = rejections.count;
    await fencedWrite(path, 'one', { name, token: 5n });
    await fencedWrite(path, 'two', { name, token: '5' });
    await expect(fencedWrite(path, 'late', { name, token: 4n, onRejected })).rejects.toMatchObject({
      refusal: 'stale',
    });
    expect(readFileSync(path, 'utf8')).toBe('two');
    await fencedWrite(path, new Uint8Array([0x33]), { name, token: 6n });
    expect(readFileSync(path, 'utf8')).toBe('3');
    expect(rejections.byKind.stale).toBe(1);
    expect(
      readdirSync(folder.path)
        .filter((each) => each.startsWith(`file-${files}`))
        .sort(),
    ).toEqual(['', '.fence', '.fence-lock'].map((end) => `file-${files}${end}`));
  });

  it('distinguishes tokens that are equal as numbers', async () => {
    const path = fresh();
    await fencedWrite(path, 'a', { name, token: 2n ** 53n + 1n });
    await expect(fencedWrite(path, 'b', { name, token: 2n ** 53n })).rejects.toMatchObject({
      refusal: 'stale',
    });
  });

  it('keeps its permissions, and has one mark under all its names', async () => {
    const path = fresh();
    writeFileSync(path, 'secret', { mode: 0o600 });
    symlinkSync(path, `${path}-link`);
    await fencedWrite(`${path}-link`, 'new', { name, token: 5n });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    chmodSync(path, 0o666);
    await fencedWrite(path, 'new', { name, token: 5n });
    expect(statSync(path).mode & 0o777).toBe(0o666);
    expect(lstatSync(`${path}-link`).isSymbolicLink()).toBe(true);
    await expect(fencedWrite(path, 'late', { name, token: 4n })).rejects.toMatchObject({ refusal: 'stale' });
  });

  it('is closed to older tokens also after a write that failed', async () => {
    const path = fresh();
    mkdirSync(path);
    await expect(fencedWrite(path, 'x', { name, token: 5n })).rejects.toThrow(
      /EISDIR|EEXIST|ENOTEMPTY|EPERM/,
    );
    rmSync(path, { recursive: true });
    await expect(fencedWrite(path, 'late', { name, token: 4n })).rejects.toMatchObject({ refusal: 'stale' });
    await fencedWrite(path, 'x', { name, token: 5n });
  });

  it('accepts appends of racing writers only in increasing order', async () => {
    const path = fresh();
    const sink = {
      write: (token: bigint) => fencedAppend(path, `${token}\n`, { name, token }),
      accepted: async () => linesOf(path),
    };
    expect(await expectLaw(sink, terms(3, 12))).toBeGreaterThan(0);
  });
});

describe('processes that race for a file', () => {
  it('write only under increasing tokens, even if some of them are killed at any time', async () => {
    const path = fresh();
    const killed = Array.from({ length: 4 }, (_, i) =>
      runWriter({ kind: 'file', path, terms: 1_000, killAfter: 3 + 4 * i }),
    );
    const whole = [
      runWriter({ kind: 'file', path, terms: 15 }),
      runWriter({ kind: 'file', path, terms: 20 }),
    ];
    const told = await Promise.all([...killed, ...whole]);
    const written = told.reduce((sum, each) => sum + each.written, 0);
    const lines = linesOf(path);
    expect(falls(lines), lines.join(' ')).toBe(false);
    expect(lines.length).toBeGreaterThanOrEqual(written);
    expect(lines.length).toBeLessThanOrEqual(written + killed.length);
    expect(told.some(({ stale }) => stale > 0)).toBe(true);
  });

  it('write in any order without the fence: the race is real', async () => {
    const path = fresh();
    await Promise.all([1, 2].map(() => runWriter({ kind: 'file', path, terms: 15, check: 'none' })));
    expect(falls(linesOf(path))).toBe(true);
  });
});

describe('the lock of a file', () => {
  it('is kept by a stopped process, and free as soon as the process is killed', async () => {
    const path = fresh();
    const script = fileURLToPath(new URL('./lock-holder.mjs', import.meta.url));
    const holder = startProcess(process.execPath, [script, path], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      await once(holder.stdout, 'data');
      holder.kill('SIGSTOP');
      const waiting = withFileLock(path, { waitMs: 50 }, async () => 'mine');
      await expect(waiting).rejects.toMatchObject({ code: 'HUSTINGS_STORE_BUSY' });
    } finally {
      holder.kill('SIGKILL');
      await once(holder, 'close');
    }
    await expect(withFileLock(path, { waitMs: 0 }, async () => 'mine')).resolves.toBe('mine');
  });

  it('is released by work that fails', async () => {
    const path = fresh();
    const failing = withFileLock(path, {}, () => Promise.reject(new Error('disk full')));
    await expect(failing).rejects.toThrow('disk full');
    await expect(withFileLock(path, { waitMs: 0 }, async () => 'mine')).resolves.toBe('mine');
  });

  it('names the lock file after the timeout', async () => {
    const path = fresh();
    await withFileLock(path, {}, async () => {
      const second = withFileLock(path, { waitMs: 30 }, async () => {});
      await expect(second).rejects.toMatchObject({ code: 'HUSTINGS_STORE_BUSY' });
    });
  });

  it('refuses a lock file that is not empty', async () => {
    const path = fresh();
    writeFileSync(path, 'x'.repeat(5_000));
    await expect(withFileLock(path, {}, async () => {})).rejects.toMatchObject({
      code: 'HUSTINGS_STORE_UNUSABLE',
    });
  });
});

describe('the marks in a file', () => {
  const text = [13n, 25n, 49n].reduce((before, token) => withMark(parseMarks(before), { name, token }), '');

  it('are those of the highest valid line, wherever the file was torn or edited, and damaged lines are reported', () => {
    const damage = fc.oneof(
      fc.record({ kind: fc.constant('cut'), at: fc.nat(text.length) }),
      fc.record({ kind: fc.constantFrom('0', '7', '9', 'x', '\n', '\u0000'), at: fc.nat(text.length - 1) }),
    );
    fc.assert(
      fc.property(damage, ({ kind, at }) => {
        const damaged = kind === 'cut' ? text.slice(0, at) : text.slice(0, at) + kind + text.slice(at + 1);
        const marks = parseMarks(damaged);
        const mark = markIn(marks, name);
        expect([0n, 13n, 25n, 49n]).toContain(mark);
        if (damaged !== text && mark !== 49n) {
          expect(marks.badLines.length > 0 || damaged === '' || damaged.endsWith('\n')).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('do not grow with the terms', () => {
    let grown = '';
    for (let token = 1n; token <= 100n; token++) grown = withMark(parseMarks(grown), { name, token });
    expect(grown.split('\n')).toHaveLength(5);
  });

  it('are shared, survive a restart, and are separate for each election', async () => {
    const path = fresh();
    const [one, other] = [new FileFenceMarks(path), new FileFenceMarks(path)];
    expect(await one.raise(name, 7n)).toBe(7n);
    expect(await other.raise(name, 6n)).toBe(7n);
    expect(await other.raise('Billing', 1n)).toBe(1n);
    expect(await new FileFenceMarks(path).read(name)).toBe(7n);
  });

  it('that are damaged are reported once, removed at the next raise, and refuse no newer token', async () => {
    const path = fresh();
    writeFileSync(path, `${text.slice(0, -5)}`);
    const said: string[] = [];
    const marks = new FileFenceMarks(path, { onDamage: (message) => said.push(message) });
    expect(await marks.read(name)).toBe(25n);
    expect(await marks.read(name)).toBe(25n);
    expect(said).toEqual([expect.stringMatching(/is damaged at line 3; .* older ones hold/)]);
    expect(await marks.raise(name, 24n)).toBe(25n);
    expect(await marks.raise(name, 50n)).toBe(50n);
    expect(parseMarks(readFileSync(path, 'utf8')).badLines).toEqual([]);
  });

  it('that are damaged emit a process warning by default', async () => {
    const path = fresh();
    writeFileSync(path, 'garbage\n');
    const warning = new Promise((resolve) => process.once('warning', resolve));
    expect(await new FileFenceMarks(path).read(name)).toBe(0n);
    expect(await warning).toMatchObject({ code: 'HUSTINGS_FENCE_DAMAGED' });
  });
});
