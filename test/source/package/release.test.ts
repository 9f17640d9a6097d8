import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MANIFESTS } from '../../../scripts/sources.mjs';
import type { Ended } from '../../../test-kit/limits/child-process.ts';
import { copyForRelease, type ReleaseCopy } from './release-copy.ts';

/** A registry that keeps the folders of what was published, and refuses the package whose folder REFUSED names. */
const NPM = `#!/bin/sh
echo "$*" >>"$CALLS"
case "$1 $*" in
view*) name=\${2%@*}; grep -qx "packages/\${name#@hustings/}" "$PUBLISHED" && echo "\${2##*@}"; exit 0 ;;
publish*"$REFUSED") echo 'npm error 503' >&2; exit 1 ;;
esac
for folder; do :; done
echo "$folder" >>"$PUBLISHED"
`;

const VERSION = '109.8.7';
const TAG = `v${VERSION}`;

let copy: ReleaseCopy;
let base: string;
beforeEach(() => {
  copy = copyForRelease();
  expect(copy.run('version', [VERSION, '2026-01-02']).stderr).toBe('');
  copy.commit();
  base = mkdtempSync(join(tmpdir(), 'hustings-npm-'));
  writeFileSync(join(base, 'npm'), NPM, { mode: 0o755 });
  writeFileSync(join(base, 'published'), '');
});
afterEach(() => {
  copy.remove();
  rmSync(base, { recursive: true, force: true });
});

const linesOf = (file: string): string[] =>
  readFileSync(join(base, file), 'utf8').split('\n').filter(Boolean);
const release = (refused = 'nothing'): Ended =>
  copy.run('release', [TAG], {
    PATH: base + delimiter + process.env.PATH,
    CALLS: join(base, 'calls'),
    PUBLISHED: join(base, 'published'),
    REFUSED: refused,
  });

describe('npm run release', () => {
  it('publishes every package with its provenance, each after those that it depends on', () => {
    expect(release()).toMatchObject({ status: 0, stderr: '' });
    const order = linesOf('published');
    expect([...order].sort()).toEqual(MANIFESTS.map(({ folder }) => folder));
    for (const { folder, dependencies = {} } of MANIFESTS) {
      const needed = MANIFESTS.filter(({ name }) => name in dependencies);
      for (const each of needed) expect(order.indexOf(each.folder)).toBeLessThan(order.indexOf(folder));
    }
    expect(linesOf('calls')).toContain('publish --provenance --access public -w packages/hustings');
  });

  it('stops at a package that the registry refuses, and then publishes only what is missing', () => {
    const { status, stderr } = release('packages/study');
    expect(status).toBe(1);
    expect(stderr).toContain('npm publish of @hustings/study failed:\nnpm error 503');
    const first = linesOf('published');
    expect(first).toContain('packages/base');
    expect(first).not.toContain('packages/lab');
    const { stdout } = release();
    expect(stdout).toContain(`@hustings/base ${VERSION}: is in the registry`);
    expect(linesOf('published').sort()).toEqual(MANIFESTS.map(({ folder }) => folder));
  });

  it('packs every package with --dry-run, and asks no registry', () => {
    const noRegistry = { npm_config_registry: 'http://127.0.0.1:1' };
    const { status, stdout, stderr } = copy.run('release', [TAG, '--dry-run'], noRegistry);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.trim().split('\n').sort()).toEqual(
      MANIFESTS.map(({ name }) => `${name} ${VERSION}: can be packed`).sort(),
    );
  });
});

describe('npm run release publishes nothing', () => {
  const study = 'packages/study/package.json';
  const breaks: Readonly<Record<string, readonly [change: () => void, message: string]>> = {
    'if a package has another version': [
      () => copy.write(study, copy.read(study).replace(`"version": "${VERSION}"`, '"version": "9.8.6"')),
      '@hustings/study has the version 9.8.6',
    ],
    'if a package names another version of another one': [
      () => copy.write(study, copy.read(study).replace(`base": "${VERSION}"`, `base": "^${VERSION}"`)),
      `@hustings/study names @hustings/base ^${VERSION}`,
    ],
    'if the changelog has no section for it': [
      () => copy.write('CHANGELOG.md', copy.read('CHANGELOG.md').replace(`[${VERSION}]`, '[9.8.6]')),
      `CHANGELOG.md has no section "## [${VERSION}] - YYYY-MM-DD"`,
    ],
    'if the section has no date': [
      () => copy.write('CHANGELOG.md', copy.read('CHANGELOG.md').replace('2026-01-02', 'unreleased')),
      `CHANGELOG.md has no section "## [${VERSION}] - YYYY-MM-DD"`,
    ],
  };

  it.each(Object.entries(breaks))('%s', (_, [change, message]) => {
    change();
    copy.commit();
    expect(release()).toMatchObject({ status: 1, stdout: '', stderr: `release ${TAG}: ${message}\n` });
    expect(linesOf('published')).toEqual([]);
  });

  it('if the working tree has changes', () => {
    copy.write('note.md', '');
    expect(release()).toMatchObject({
      status: 1,
      stdout: '',
      stderr: `release ${TAG}: the working tree is not clean: ?? note.md\n`,
    });
  });

  it('if the tag is no version', () => {
    const { status, stderr } = copy.run('release', ['9.8']);
    expect([status, stderr]).toEqual([1, 'release 9.8: the tag must be vX.Y.Z, not 9.8\n']);
  });
});
