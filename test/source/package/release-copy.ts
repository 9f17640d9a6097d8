/** What a release reads and writes, in a git repository of its own: the packages, the lock file, the changelog, the scripts. */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { MANIFESTS, type Manifest } from '../../../scripts/sources.mjs';
import { type Ended, runProcess, runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { ROOT } from '../source-file.ts';

const FILES = [
  ...MANIFESTS.map(({ folder }) => `${folder}/package.json`),
  ...['release', 'version', 'sources', 'limited'].map((name) => `scripts/${name}.mjs`),
  ...['package.json', 'package-lock.json', 'CHANGELOG.md', 'kits/helm/hustings/Chart.yaml'],
];

export interface ReleaseCopy {
  readonly folder: string;
  read(path: string): string;
  write(path: string, text: string): void;
  manifests(): Manifest[];
  /** Runs a script of the copy. */
  run(script: 'release' | 'version', args: readonly string[], env?: NodeJS.ProcessEnv): Ended;
  commit(): void;
  remove(): void;
}

export function copyForRelease(): ReleaseCopy {
  const folder = mkdtempSync(join(tmpdir(), 'hustings-release-'));
  const git = (...args: readonly string[]): Ended => runToSuccess('git', args, { cwd: folder });
  const copy: ReleaseCopy = {
    folder,
    read: (path) => readFileSync(join(folder, path), 'utf8'),
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    manifests: () => MANIFESTS.map(({ folder: path }) => JSON.parse(copy.read(`${path}/package.json`))),
    run: (script, args, env = {}) =>
      runProcess(process.execPath, [join(folder, 'scripts', `${script}.mjs`), ...args], {
        cwd: folder,
        env: { ...process.env, ...env },
      }),
    commit: () => {
      git('add', '.');
      git('-c', 'user.name=a', '-c', 'user.email=a@localhost', 'commit', '--quiet', '-m', 'a');
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
  for (const path of FILES) cpSync(join(ROOT, path), join(folder, path));
  // npm runs it before it packs a package; there is nothing to build.
  copy.write('scripts/setup.mjs', '');
  git('init', '--quiet');
  copy.commit();
  return copy;
}
