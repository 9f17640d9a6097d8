import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from '../../../scripts/lock.mjs';
import {
  checkNode,
  contentHash,
  installedByHand,
  LAB_INPUTS,
  lockAgrees,
  makeExecutable,
  plan,
  prune,
} from '../../../scripts/setup.mjs';
import { importsOf } from '../imports.ts';
import { unreached } from '../reached.ts';
import { readSources } from '../source-file.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hustings-setup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: string | object = ''): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
}

/** A tree with one dependency, which npm has installed, and one source, which is not built. */
function writeTree(): void {
  write('package.json', { dependencies: { a: '1.0.0' } });
  const packages = { 'node_modules/a': { version: '1.0.0' } };
  const other = { 'node_modules/only-elsewhere': { version: '1.0.0', optional: true } };
  write('package-lock.json', { packages: { '': { dependencies: { a: '1.0.0' } }, ...packages, ...other } });
  write('node_modules/.package-lock.json', { packages });
  write('packages/study/src/kernel/a.ts', 'export const a = 1;');
}

describe('the version of Node', () => {
  it.each(['20.0.0', '20.20.1', 'v24.1.0', '100.0.0'])('%s is new enough', (version) => {
    expect(() => checkNode(version, '>=20')).not.toThrow();
  });
  it('is refused with a remedy if it is too old', () => {
    expect(() => checkNode('18.19.0', '>=20')).toThrow(
      'Node >=20 is needed, this is 18.19.0. Install a newer Node',
    );
    expect(() => checkNode('20.10.9', '>=20.11')).toThrow('>=20.11');
  });
});

describe('the plan', () => {
  it('is to install and build on a fresh machine', () => {
    writeTree();
    rmSync(join(root, 'node_modules'), { recursive: true });
    expect(plan(root)).toMatchObject({ install: true, build: true });
  });

  it('does not install again after a manual npm install', () => {
    writeTree();
    expect(installedByHand(root)).toBe(true);
    expect(plan(root)).toMatchObject({ install: false, build: true });
  });

  it('is to install if a version differs from the lock file', () => {
    writeTree();
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    expect(plan(root)).toMatchObject({ install: true });
  });

  it('is to install if package.json names a package that the lock file lacks', () => {
    writeTree();
    write('package.json', { dependencies: { a: '1.0.0', b: '1.0.0' } });
    expect(lockAgrees(root)).toBe(false);
    expect(plan(root)).toMatchObject({ install: true });
  });

  it('is to force a build if an output was deleted', () => {
    writeTree();
    expect(plan(root).force).toBe(true);
    write('packages/study/dist/kernel/a.js');
    expect(plan(root).force).toBe(false);
  });
});

describe('the bundle of the lab', () => {
  const files = readSources();

  it('is built if it is missing or older than its sources, and only if there are any', () => {
    writeTree();
    expect(plan(root).lab).toBe(false);
    write('packages/lab/src/page/main.tsx', 'one');
    expect(plan(root)).toMatchObject({ lab: true });
    write('packages/lab/dist/page/index.html.br');
    expect(plan(root)).toMatchObject({ lab: true });
    write('node_modules/.hustings/setup.json', { lab: contentHash(root, LAB_INPUTS) });
    expect(plan(root)).toMatchObject({ lab: false });
    write('packages/lab/src/page/main.tsx', 'two');
    expect(plan(root)).toMatchObject({ lab: true });
  });

  it('depends on every file that the page imports', () => {
    const rest = new Set(unreached(files, ['packages/lab/src/page/main.tsx']));
    const page = files.filter(({ path }) => !rest.has(path));
    expect(page.length).toBeGreaterThan(100);
    const others = page.flatMap(importsOf).flatMap(({ target }) => target ?? []);
    const isInput = (path: string): boolean =>
      LAB_INPUTS.some((input) => path === input || path.startsWith(`${input}/`));
    expect([...new Set(others)].filter((path) => !isInput(path))).toEqual([]);
  });
});

describe('the hash of a tree', () => {
  it('changes with a name and a content, and not with a time', () => {
    write('src/a.ts', 'one');
    const before = contentHash(root, ['src', 'absent.json']);
    utimesSync(join(root, 'src/a.ts'), 1, 1);
    expect(contentHash(root, ['src', 'absent.json'])).toBe(before);
    write('src/a.ts', 'two');
    expect(contentHash(root, ['src'])).not.toBe(before);
    write('src/a.ts', 'one');
    write('src/b.ts');
    expect(contentHash(root, ['src'])).not.toBe(before);
  });
});

describe('after a build', () => {
  it.skipIf(process.platform === 'win32')('its commands can be executed (Windows has no such mode)', () => {
    write('package.json', { bin: { tool: 'dist/tool.js' } });
    write('dist/tool.js');
    makeExecutable(root);
    expect(statSync(join(root, 'dist/tool.js')).mode & 0o111).toBe(0o111);
  });

  it('outputs of deleted sources are removed, and nothing else', () => {
    write('src/a.ts');
    for (const path of ['a.js', 'a.d.ts', 'gone.js', 'gone.d.ts', 'page.js']) {
      write(`dist/${path}`);
    }
    prune(root);
    expect(readdirSync(join(root, 'dist')).sort()).toEqual(['a.d.ts', 'a.js', 'page.js']);
  });
});

describe('the lock', () => {
  const quiet = (): void => {};

  it('is held by one process at a time, and released if the work fails', async () => {
    let inside = 0;
    let most = 0;
    const work = async (): Promise<void> => {
      most = Math.max(most, ++inside);
      await sleep(20);
      inside--;
      throw new Error('failed');
    };
    const results = await Promise.allSettled([1, 2, 3].map(() => withLock(root, quiet, work)));
    expect(most).toBe(1);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
    expect(readdirSync(root)).toEqual([]);
  });

  it('reports once which process it waits for', async () => {
    const lines: string[] = [];
    const first = withLock(root, quiet, () => sleep(250));
    await withLock(root, (line) => lines.push(line), quiet);
    await first;
    expect(lines).toEqual([expect.stringContaining(`waiting for process ${process.pid}`)]);
  });

  it.each([
    ['a process that died', { pid: 2 ** 30, host: hostname(), sinceMs: Date.now() }],
    ['another machine, long ago', { pid: 1, host: 'elsewhere.example', sinceMs: 0 }],
  ])('is taken over from %s', async (_, owner) => {
    write('lock/owner.json', owner);
    await expect(withLock(root, quiet, () => 'mine')).resolves.toBe('mine');
  });
});
