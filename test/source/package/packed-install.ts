/** Installs packages into an empty folder, as `npm install` would, from what is packed here: the registry is not asked. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { ROOT } from '../source-file.ts';

const LIMIT_MS = 240_000;

/** Makes the folder of an ES module package, and installs this package and others with all that they need. */
export function installPacked(names: readonly string[], folder: string): void {
  const needed = new Set(names);
  for (const name of needed) {
    if (name === 'hustings') continue;
    const manifest = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    for (const other of Object.keys(JSON.parse(manifest).dependencies ?? {})) needed.add(other);
  }
  const folders = [...needed].map((name) => (name === 'hustings' ? ROOT : join(ROOT, 'node_modules', name)));
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  const packs = mkdtempSync(join(tmpdir(), 'hustings-packs-'));
  try {
    runToSuccess('npm', ['pack', '--ignore-scripts', '--pack-destination', packs, ...folders], {
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
