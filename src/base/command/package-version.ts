import { readFileSync } from 'node:fs';

/** The version in package.json. Its path is the same from src/cli and from dist/cli. */
export function versionOfPackage(): string {
  return JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')).version;
}
