/** The compiled packages in a folder of their own, as an installation has them, without asking npm. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { MANIFESTS } from '../scripts/sources.mjs';
import { ROOT } from '../test/source/source-file.ts';

/**
 * Copies our packages into `folder/node_modules`. Libraries are linked, apart from those that `without` names, for a machine on
 * which they are not installed.
 */
export function installBuilt(folder: string, without: readonly string[] = []): void {
  const modules = join(folder, 'node_modules');
  mkdirSync(join(modules, '@hustings'), { recursive: true });
  for (const { name, folder: from } of MANIFESTS) {
    for (const each of ['package.json', 'dist', 'bin']) {
      if (existsSync(join(ROOT, from, each)))
        cpSync(join(ROOT, from, each), join(modules, name, each), { recursive: true });
    }
  }
  const ours = MANIFESTS.map(({ name }) => name);
  for (const name of readdirSync(join(ROOT, 'node_modules'))) {
    if (name.startsWith('.') || name === '@hustings' || ours.includes(name) || without.includes(name))
      continue;
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
}
