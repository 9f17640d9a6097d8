// Writes a CommonJS copy of the compiled packages into dist/cjs, file by file, for Jest, for Node before 20.19 and for TypeScript in
// CommonJS; a bundle for each door would give each door classes of its own. Also keeps declarations out of the packages that no
// import of a user reaches: they are a tenth of `hustings`.
//
// Guaranteed: a file that is newer than its source stays as it is. A copy whose source is gone is removed.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { transformSync } from 'esbuild';
import ts from 'typescript6';
import { builtDoor, DOORS, MANIFESTS, PUBLIC_DOORS } from './sources.mjs';

/** Programs, and what only they load. */
const PROGRAMS = /^(cli|supervisor|sidecar|maelstrom|command)\/|-main\.js$/;

/** @param {string} folder @returns {string[]} the paths of its files, without those of the copy */
const filesIn = (folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => /\.(js|d\.ts)$/.test(path) && !path.startsWith('cjs/'));

/** @param {string} code a compiled module */
function toCommonJs(code) {
  const { outputText } = ts.transpileModule(
    code.replaceAll('import.meta.url', 'require("node:url").pathToFileURL(__filename).href'),
    {
      compilerOptions: {
        module: ts.ModuleKind.CommonJS,
        target: ts.ScriptTarget.ES2022,
        esModuleInterop: true,
        removeComments: true,
      },
    },
  );
  // Indents by two spaces instead of four, a tenth of the size.
  return transformSync(outputText, { target: 'node20', legalComments: 'none' }).code;
}

/**
 * The declarations that the doors of all packages reach, by their paths from the root.
 * @param {string} root
 */
function reachedDeclarations(root) {
  const reached = new Set(DOORS.map(({ types }) => types));
  for (const path of reached) {
    const text = readFileSync(join(root, path), 'utf8');
    for (const [, specifier] of text.matchAll(/(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g)) {
      const target = specifier.startsWith('.')
        ? posix.join(posix.dirname(path), specifier.replace(/\.[jt]s$/, '.d.ts'))
        : builtDoor(specifier);
      if (target !== undefined) reached.add(target);
    }
  }
  return reached;
}

/** @param {string} root */
export function writeCommonJs(root) {
  const reached = reachedDeclarations(root);
  for (const { folder } of MANIFESTS) {
    const dist = join(root, folder, 'dist');
    const built = filesIn(dist);
    const hasDoor =
      PUBLIC_DOORS.some(({ types }) => types.startsWith(`${folder}/`)) || folder === 'packages/base';
    const isPrivate = (/** @type {string} */ path) =>
      path.endsWith('.d.ts') && folder !== 'packages/base' && !reached.has(posix.join(folder, 'dist', path));
    // npm reads the list when it packs: no import of a user reaches these.
    writeFileSync(
      join(dist, '.npmignore'),
      built
        .filter(isPrivate)
        .map((path) => `/${path}\n`)
        .join(''),
    );
    if (hasDoor)
      writeCopy(
        dist,
        built.filter((path) => !isPrivate(path) && !PROGRAMS.test(path)),
      );
  }
}

/** @param {string} dist @param {readonly string[]} paths of the files that are copied */
function writeCopy(dist, paths) {
  const copy = join(dist, 'cjs');
  for (const path of paths) {
    const [from, to] = [join(dist, path), join(copy, path)];
    const copiedMs = statSync(to, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (copiedMs > statSync(from).mtimeMs) continue;
    const text = readFileSync(from, 'utf8');
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, path.endsWith('.js') ? toCommonJs(text) : text);
  }
  writeFileSync(join(copy, 'package.json'), '{ "type": "commonjs" }\n');
  const kept = new Set(paths);
  for (const path of filesIn(copy).filter((each) => !kept.has(each))) rmSync(join(copy, path));
}
