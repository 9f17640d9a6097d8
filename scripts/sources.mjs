// The doors of the packages, as their package.json name them, and the files of src behind them: vite and vitest read the sources,
// and Node reads what is compiled from them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The module and its declarations. The conditions before `default` name the same module, or its copy in CommonJS.
 * @typedef {{ types: string, default: string }} Built
 */
/** @typedef {{ default: Built | string, types?: string, require?: Built } | string} Target */
/**
 * What is read of a package.json. The folder is relative to the root of the repository.
 * @typedef {{ folder: string, name: string, version: string, exports: Record<string, Target>, bin?: Record<string, string>,
 *   dependencies?: Record<string, string> }} Manifest
 */
/**
 * An entry of `exports` that names one file. The specifier is what a user imports.
 * @typedef {{ specifier: string, package: string, source: string, types: string }} Door
 */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** @type {readonly Manifest[]} */
export const MANIFESTS = readdirSync(join(ROOT, 'packages')).map((name) => {
  const folder = `packages/${name}`;
  return { ...JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8')), folder };
});

/** @param {Exclude<Target, string>} files */
const fileOf = ({ default: built }) => (typeof built === 'string' ? built : built.default);

/** @type {readonly Door[]} */
const ENTRIES = MANIFESTS.flatMap(({ name, folder, exports }) =>
  Object.entries(exports).flatMap(([door, files]) =>
    typeof files === 'string'
      ? []
      : [
          {
            specifier: name + door.slice(1),
            package: name,
            source: join(folder, fileOf(files).replace('/dist/', '/src/').replace(/\.js$/, '.ts')),
            types: join(folder, fileOf(files).replace(/\.js$/, '.d.ts')),
          },
        ],
  ),
);

export const DOORS = ENTRIES.filter(({ specifier }) => !specifier.includes('*'));

/** The doors through which our packages reach one another. */
const PRIVATE = /^@hustings\/base|\/(verbs|shared|recordings)$/;

export const PUBLIC_DOORS = DOORS.filter(({ specifier }) => !PRIVATE.test(specifier));

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

const PATTERNS = ENTRIES.map(({ specifier, source, types }) => ({
  find: new RegExp(`^${escaped(specifier).replace('\\*', '(.+)')}$`),
  source: source.replace('*', '$1'),
  types: types.replace('*', '$1'),
}));

/** An alias of vite for each door. */
export function sourceAliases() {
  return PATTERNS.map(({ find, source }) => ({ find, replacement: join(ROOT, source) }));
}

/**
 * The declarations behind a specifier of one of our packages.
 * @param {string} specifier
 */
export function builtDoor(specifier) {
  const door = PATTERNS.find(({ find }) => find.test(specifier));
  return door && specifier.replace(door.find, door.types);
}
