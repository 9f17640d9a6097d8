// The doors of the packages as files of src: vite and vitest read the sources, and Node reads what is compiled from them.

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = join(dirname(dirname(fileURLToPath(import.meta.url))), 'packages');

/** @param {string} text */
const escaped = (text) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** The doors, in the order of package.json: an alias of vite for each. */
export function sourceAliases() {
  return readdirSync(PACKAGES).flatMap((folder) => {
    const { name, exports } = JSON.parse(readFileSync(join(PACKAGES, folder, 'package.json'), 'utf8'));
    return Object.entries(exports)
      .filter(([door]) => door !== './package.json')
      .map(([door, target]) => ({
        find: new RegExp(`^${escaped(name + door.slice(1)).replace('\\*', '(.+)')}$`),
        replacement: join(PACKAGES, folder, target.default)
          .replace('/dist/', '/src/')
          .replace('*', '$1')
          .replace(/\.js$/, '.ts'),
      }));
  });
}
