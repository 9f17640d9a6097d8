/**
 * The identity of the running build. Only processes with the same identity share work, because another build may give other
 * figures, and another V8 other last bits of logarithms and powers.
 */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export interface BuildIdentity {
  /** Names its keys. */
  readonly hash: string;
  /** For people. */
  readonly text: string;
}

/** Hashes the compiled files of this package, with their paths, and the version of V8. */
export function identityOf(version: string): BuildIdentity {
  const folder = fileURLToPath(new URL('../../../../src/', import.meta.url));
  const v8 = process.versions.v8.split('.').slice(0, 2).join('.');
  const hash = createHash('sha256').update(`V8 ${v8}\n`);
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /(?<!\.d)\.(js|ts)$/.test(path))
    .sort();
  for (const path of paths) {
    const content = createHash('sha256').update(readFileSync(join(folder, path)));
    hash.update(`${path.split(sep).join('/')} ${content.digest('hex')}\n`);
  }
  const digest = hash.digest('hex').slice(0, 12);
  return { hash: digest, text: `hustings ${version} (build ${digest}, V8 ${v8})` };
}
