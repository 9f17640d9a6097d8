/**
 * The script with which the page Write checks types. It is not part of the package: it is put together from the TypeScript that
 * is installed beside hustings, the library of the language that comes with it, and the declarations of the kernel.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';

const LIBRARY = 'lib.es2023.d.ts';

/** Without TypeScript it is empty: a script that is absent would be an error in the console of every reader. */
export async function typeCheckerScript(folder = typescriptFolder()): Promise<string> {
  if (folder === null) return '';
  const [compiler, library, kernel, base] = await Promise.all([
    readFile(join(folder, 'typescript.js'), 'utf8'),
    readLinked(folder, LIBRARY, /\/\/\/ <reference lib="([\w.]+)"/g, (_, name) => `lib.${name}.d.ts`),
    readDeclarations('@hustings/study', 'kernel'),
    // The classes of errors.
    readDeclarations('@hustings/base', '.'),
  ]);
  const declarations = Object.fromEntries([
    ...library.map(([path, text]) => [`/lib/${path}`, text]),
    ...kernel.map(([path, text]) => [posix.join('/kernel', path), text]),
    ...base.map(([path, text]) => [posix.join('/base', path), text]),
  ]);
  const script = compiler.replace(/\n\/\/# sourceMappingURL=\S*\s*$/, '\n');
  return `${script}self.declarations = ${JSON.stringify(declarations)};\n`;
}

/** TypeScript up to version 6 is one file of JavaScript; version 7 is a native program. */
function typescriptFolder(): string | null {
  const { resolve } = createRequire(import.meta.url);
  for (const name of ['typescript6', 'typescript']) {
    try {
      return dirname(resolve(`${name}/lib/typescript.js`));
    } catch {
      // Not installed, or too new.
    }
  }
  return null;
}

/** The declarations of a package that the index of one of its folders reaches. */
function readDeclarations(name: string, folder: string): Promise<[path: string, text: string][]> {
  const { resolve } = createRequire(import.meta.url);
  const built = join(dirname(resolve(`${name}/package.json`)), 'dist', folder);
  return readLinked(built, 'index.d.ts', /from '(\.[^']*)\.ts'/g, (path, other) =>
    posix.join(posix.dirname(path), `${other}.d.ts`),
  );
}

/** A file, and those that it refers to, by path. */
async function readLinked(
  folder: string,
  first: string,
  reference: RegExp,
  pathOf: (from: string, name: string) => string,
): Promise<[path: string, text: string][]> {
  const found = new Map<string, string>();
  const visit = async (path: string): Promise<void> => {
    if (found.has(path)) return;
    const text = await readFile(join(folder, path), 'utf8');
    found.set(path, text);
    for (const [, name] of text.matchAll(reference)) await visit(pathOf(path, name));
  };
  await visit(first);
  return [...found];
}
