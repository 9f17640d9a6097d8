/**
 * The identity of the running build. Only processes with the same identity share work, because another build may give other
 * figures, and another V8 other last bits of logarithms and powers.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, sep } from 'node:path';

export interface BuildIdentity {
  /** Names its keys. */
  readonly hash: string;
  /** For people. */
  readonly text: string;
}

/** Hashes the compiled files of packages, with their paths, and the version of V8. The packages are looked for from a module. */
export function identityOf(version: string, packages: readonly string[], module: string): BuildIdentity {
  const v8 = process.versions.v8.split('.').slice(0, 2).join('.');
  const hash = createHash('sha256').update(`V8 ${v8}\n`);
  const { resolve } = createRequire(module);
  for (const name of packages) {
    const folder = join(dirname(resolve(`${name}/package.json`)), 'dist');
    const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.js'))
      .sort();
    for (const path of paths) {
      const content = createHash('sha256').update(readFileSync(join(folder, path)));
      hash.update(`${name} ${path.split(sep).join('/')} ${content.digest('hex')}\n`);
    }
  }
  const digest = hash.digest('hex').slice(0, 12);
  return { hash: digest, text: `hustings ${version} (build ${digest}, V8 ${v8})` };
}
