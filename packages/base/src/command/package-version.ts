import { readFileSync } from 'node:fs';

/** The version of all packages of hustings. The path of package.json is the same from src and from dist. */
export function versionOfPackage(): string {
  return JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')).version;
}
