/** Installs packages into an empty folder, as `npm install` would, from what is packed here: the registry is not asked. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MANIFESTS } from '../../../scripts/sources.mjs';
import { runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { ROOT } from '../source-file.ts';

const LIMIT_MS = 240_000;

/** Ours are packed from their folders, the others from where they are installed, nested ones before those at the top. */
function folderOf(name: string, from: string): string {
  const ours = MANIFESTS.find((each) => each.name === name);
  if (ours !== undefined) return join(ROOT, ours.folder);
  const nested = join(from, 'node_modules', name);
  return existsSync(nested) ? nested : join(ROOT, 'node_modules', name);
}

/** Makes the folder of an ES module package, and installs packages with all that they need. */
export function installPacked(names: readonly string[], folder: string): void {
  const needed = new Map(names.map((name) => [name, folderOf(name, ROOT)]));
  for (const [, from] of needed) {
    const { dependencies = {} } = JSON.parse(readFileSync(join(from, 'package.json'), 'utf8'));
    for (const name of Object.keys(dependencies)) {
      if (!needed.has(name)) needed.set(name, folderOf(name, from));
    }
  }
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  const packs = mkdtempSync(join(tmpdir(), 'hustings-packs-'));
  try {
    runToSuccess('npm', ['pack', '--ignore-scripts', '--pack-destination', packs, ...needed.values()], {
      limitMs: LIMIT_MS,
    });
    const files = readdirSync(packs).map((file) => join(packs, file));
    runToSuccess('npm', ['install', '--offline', '--no-audit', '--no-fund', ...files], {
      cwd: folder,
      limitMs: LIMIT_MS,
    });
  } finally {
    rmSync(packs, { recursive: true, force: true });
  }
}
