// What `npm test -- --changed` runs: the tests of the packages that a change can break. A test of a command runs what is compiled,
// so the imports of test files do not tell: the dependencies of the packages do.

import { runLimited } from './limited.mjs';
import { MANIFESTS } from './sources.mjs';

/** Files that no test reads. */
const HARMLESS = /^(LICENSE|\.editorconfig|\.gitattributes)$/;

/** @param {string} name @returns {string[]} the package and those that depend on it */
function withDependents(name) {
  const found = new Set([name]);
  for (const each of found) {
    for (const { name: other, dependencies = {} } of MANIFESTS) if (each in dependencies) found.add(other);
  }
  return [...found];
}

/**
 * The folders and files whose tests a change of these files can break; null for all.
 * @param {readonly string[]} paths from the root of the repository
 * @returns {string[] | null}
 */
export function affectedTests(paths) {
  const filters = new Set();
  for (const path of paths.filter((each) => !HARMLESS.test(each))) {
    const [, folder, part] = /^(packages\/[^/]+)\/(?:(test)\/)?/.exec(path) ?? [];
    const manifest = MANIFESTS.find((each) => each.folder === folder);
    if (part === 'test' && /\.test\.ts$/.test(path)) filters.add(path);
    else if (part === 'test') filters.add(`${folder}/`);
    else if (manifest !== undefined) {
      for (const name of withDependents(manifest.name)) {
        filters.add(`${MANIFESTS.find((each) => each.name === name)?.folder}/`);
      }
      // The documents, the packed packages and the rules of the source.
      filters.add('test/');
    } else if (/^test\/.*\.test\.ts$/.test(path)) filters.add(path);
    else if (/^(docs|examples|kits|README|test\/(docs|readme|examples))/.test(path)) filters.add('test/');
    else return null;
  }
  return [...filters].sort();
}

/** The files that differ from a commit, and those that git does not know yet. @param {string} root @param {string} since */
export function changedFiles(root, since) {
  const git = (/** @type {string[]} */ ...args) =>
    runLimited('git', args, { cwd: root }).stdout.split('\n').filter(Boolean);
  return [...git('diff', '--name-only', since), ...git('ls-files', '--others', '--exclude-standard')];
}
