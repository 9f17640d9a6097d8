// Keeps declarations out of the package that no import of a user reaches: they are a tenth of it.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';

/** Imports and re-exports of other files of dist, also within a type. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]/g;

/** @param {string} root @returns {string[]} declarations in dist, relative to it, that no door of package.json reaches */
export function privateDeclarations(root) {
  const { exports = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const waiting = Object.values(exports).map(({ types }) => posix.normalize(types));
  /** @type {Set<string>} */
  const reached = new Set();
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path) || !existsSync(join(root, path))) continue;
    reached.add(path);
    for (const [, specifier] of readFileSync(join(root, path), 'utf8').matchAll(IMPORT)) {
      waiting.push(posix.join(posix.dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts')));
    }
  }
  return readdirSync(join(root, 'dist'), { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.d.ts') && !reached.has(`dist/${path}`))
    .sort();
}

/** npm reads the list when it packs. @param {string} root */
export function ignorePrivateDeclarations(root) {
  const paths = privateDeclarations(root);
  writeFileSync(join(root, 'dist', '.npmignore'), paths.map((path) => `/${path}\n`).join(''));
}
