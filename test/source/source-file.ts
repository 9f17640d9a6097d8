import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A file of the repository: its path from the root, with forward slashes, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

export const ROOT = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** The files under a folder of the repository, without those that .gitignore excludes. */
export function readFiles(folder: string, root = ROOT): SourceFile[] {
  const isIgnored = readIgnore(root);
  const files: SourceFile[] = [];
  const visit = (path: string): void => {
    for (const entry of readdirSync(join(root, path), { withFileTypes: true })) {
      const child = path === '.' ? entry.name : `${path}/${entry.name}`;
      if (isIgnored(child)) continue;
      if (entry.isDirectory()) visit(child);
      else if (entry.isFile() && !isPicture(child))
        files.push({ path: child, text: readFileSync(join(root, child), 'utf8') });
    }
  };
  if (existsSync(join(root, folder))) visit(folder);
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The files that the packages are made of. */
export function readPackageFiles(root = ROOT): SourceFile[] {
  return readFiles('packages', root).filter(({ path }) => /^packages\/[^/]+\/src\//.test(path));
}

/** The sources of the packages: TypeScript only, without declarations of what a bundler adds. */
export function readSources(root = ROOT): SourceFile[] {
  return readPackageFiles(root).filter(({ path }) => /(?<!\.d)\.tsx?$/.test(path));
}

/** The tests of the packages and of the repository, and what they use. */
export function readTests(root = ROOT): SourceFile[] {
  const ofPackages = readFiles('packages', root).filter(({ path }) => /^packages\/[^/]+\/test\//.test(path));
  return [...ofPackages, ...readFiles('test', root), ...readFiles('test-kit', root)];
}

/** Packages of one subject: their folders are no layers, apart from the command line. */
const WHOLE = ['cluster', 'claims', 'queue'];

/** The package and the first folder under its src/, such as study/kernel; the package alone for a file that lies in src/ itself. */
export function layerOf(path: string): string {
  const [, name, folder] = /^packages\/([^/]+)\/src\/(?:([^/]+)\/)?/.exec(path) ?? [];
  if (name === undefined) return '';
  const isWhole = folder === undefined || (WHOLE.includes(name) && folder !== 'cli');
  return isWhole ? name : `${name}/${folder}`;
}

/** Files without text. */
function isPicture(path: string): boolean {
  return path.endsWith('.png');
}

/** Supports the patterns of our .gitignore: `folder/`, `name` and `*.end`. */
function readIgnore(root: string): (path: string) => boolean {
  const lines = readFileSync(join(root, '.gitignore'), 'utf8').split('\n').filter(Boolean);
  const named = lines.filter((line) => !line.startsWith('*.')).map((line) => line.replace(/\/$/, ''));
  const folders = ['.git', ...named];
  const ends = lines.filter((line) => line.startsWith('*.')).map((line) => line.slice(1));
  return (path) =>
    folders.some((folder) => path === folder || path.endsWith(`/${folder}`)) ||
    ends.some((end) => path.endsWith(end));
}
