// The doors of the packages, as their package.json name them, and the files of src behind them: vite and vitest read the sources,
// and Node reads what is compiled from them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** @typedef {{ types: string, default: string } | string} Target */
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

/** @type {readonly Door[]} */
const ENTRIES = MANIFESTS.flatMap(({ name, folder, exports }) =>
  Object.entries(exports).flatMap(([door, files]) =>
    typeof files === 'string'
      ? []
      : [
          {
            specifier: name + door.slice(1),
            package: name,
            source: join(folder, files.default.replace('/dist/', '/src/').replace(/\.js$/, '.ts')),
            types: join(folder, files.types),
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

/** An alias of vite for each door. */
export function sourceAliases() {
  return ENTRIES.map(({ specifier, source }) => ({
    find: new RegExp(`^${escaped(specifier).replace('\\*', '(.+)')}$`),
    replacement: join(ROOT, source).replace('*', '$1'),
  }));
}
