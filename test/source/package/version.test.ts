import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MANIFESTS } from '../../../scripts/sources.mjs';
import { copyForRelease, type ReleaseCopy } from './release-copy.ts';

const CHANGELOG = '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- a\n\n## [100.9.0] - 2026-01-02\n\n- b\n';

let copy: ReleaseCopy;
beforeEach(() => {
  copy = copyForRelease();
  copy.write('CHANGELOG.md', CHANGELOG);
  expect(copy.run('version', ['100.9.0', '2026-01-02']).status).toBe(0);
  copy.write('CHANGELOG.md', CHANGELOG);
});
afterEach(() => copy.remove());

describe('npm run release:version', () => {
  it('sets the version of all packages, and the exact version of each that another one names', () => {
    expect(copy.run('version', ['100.10.0'])).toMatchObject({ status: 0, stderr: '' });
    const lock = JSON.parse(copy.read('package-lock.json'));
    const inLock = MANIFESTS.map(({ folder }) => lock.packages[folder]);
    const both = [...copy.manifests(), ...inLock];
    expect(both.map(({ version }) => version)).toEqual(both.map(() => '100.10.0'));
    const named = both.flatMap(({ dependencies = {} }) =>
      Object.entries(dependencies).filter(([name]) => MANIFESTS.some((each) => each.name === name)),
    );
    expect(named.length).toBeGreaterThan(20);
    expect(named.filter(([, version]) => version !== '100.10.0')).toEqual([]);
    expect(copy.read('kits/helm/hustings/Chart.yaml')).toContain('version: 100.10.0\nappVersion: 100.10.0\n');
  });

  it('changes nothing else in these files', () => {
    const versioned = (text: string): string => text.replaceAll('100.9.0', '100.10.0');
    const paths = MANIFESTS.map(({ folder }) => `${folder}/package.json`);
    const before = paths.map((path) => versioned(copy.read(path)));
    copy.run('version', ['100.10.0']);
    expect(paths.map(copy.read)).toEqual(before);
  });

  it('moves what is unreleased under the version and its date', () => {
    copy.run('version', ['100.10.0', '2026-03-04']);
    expect(copy.read('CHANGELOG.md')).toBe(
      CHANGELOG.replace('## [Unreleased]\n', '## [Unreleased]\n\n## [100.10.0] - 2026-03-04\n'),
    );
    copy.run('version', ['100.11.0']);
    const today = /^## \[100\.11\.0\] - (.*)$/m.exec(copy.read('CHANGELOG.md'))?.[1] ?? '';
    expect(Math.abs(Date.now() - Date.parse(today))).toBeLessThan(2 * 86_400_000);
  });

  it('sets the date of a section that has none, for the version that the packages have already', () => {
    copy.write('CHANGELOG.md', CHANGELOG.replace('2026-01-02', 'unreleased'));
    expect(copy.run('version', ['100.9.0', '2026-03-04']).status).toBe(0);
    expect(copy.read('CHANGELOG.md')).toBe(
      '# Changelog\n\n## [Unreleased]\n\n## [100.9.0] - 2026-03-04\n\n### Added\n\n- a\n\n- b\n',
    );
  });

  it.each([
    [['100.9.0'], 'the version must be larger than 100.9.0, not 100.9.0'],
    [['100.8.7'], 'the version must be larger than 100.9.0, not 100.8.7'],
    [['0.10'], 'the version must be X.Y.Z, not 0.10'],
    [[], 'the version must be X.Y.Z, not nothing'],
    [['101.0.0', 'tomorrow'], 'the date must be YYYY-MM-DD, not tomorrow'],
  ])('refuses %j in one line, and writes nothing', (args, message) => {
    copy.commit();
    expect(copy.run('version', args)).toMatchObject({ status: 1, stderr: `release:version: ${message}\n` });
    expect(copy.manifests().map(({ version }) => version)).toEqual(MANIFESTS.map(() => '100.9.0'));
    expect(copy.read('CHANGELOG.md')).toBe(CHANGELOG);
  });
});
