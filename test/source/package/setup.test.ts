import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkNode, isInstalled, isLabCurrent } from '../../../scripts/setup.mjs';
import { ROOT } from '../source-file.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'hustings-setup-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(path: string, content: object): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), JSON.stringify(content));
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

describe('the dependencies', () => {
  const a = { version: '1.0.0' };
  const locked = {
    '': {},
    'packages/a': { version: '0.1.0' },
    'node_modules/a': a,
    'node_modules/only-elsewhere': { version: '1.0.0', optional: true },
  };

  it('are installed if npm has recorded each version of the lock file, apart from other platforms', () => {
    write('package-lock.json', { packages: locked });
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': a } });
    expect(isInstalled(root)).toBe(true);
  });

  it('are not installed on a fresh clone, or if the lock file was changed since', () => {
    write('package-lock.json', { packages: locked });
    expect(isInstalled(root)).toBe(false);
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    expect(isInstalled(root)).toBe(false);
  });
});

describe('the bundle of the lab', () => {
  it('lists its sources, in all packages that it is made of', () => {
    const path = join(ROOT, 'packages/lab/dist/page-inputs.json');
    const inputs: string[] = JSON.parse(readFileSync(path, 'utf8'));
    for (const folder of [
      'lab/src/page/run',
      'lab/src/workers',
      'study/src/algorithms/ring',
      'cluster/src/record',
    ]) {
      expect(inputs).toContainEqual(expect.stringContaining(`packages/${folder}/`));
    }
    expect(inputs.filter((each) => !existsSync(join(ROOT, each)))).toEqual([]);
  });

  it('is made again if one of them was changed or removed since', () => {
    write('packages/lab/src/a.ts', {});
    write('packages/lab/dist/page-inputs.json', ['packages/lab/src/a.ts']);
    const set = (path: string, seconds: number): void => utimesSync(join(root, path), seconds, seconds);
    set('packages/lab/dist/page-inputs.json', 2_000);
    set('packages/lab/src/a.ts', 1_000);
    expect(isLabCurrent(root)).toBe(true);
    set('packages/lab/src/a.ts', 3_000);
    expect(isLabCurrent(root)).toBe(false);
    rmSync(join(root, 'packages/lab/src/a.ts'));
    expect(isLabCurrent(root)).toBe(false);
  });
});
