// Writes the wrong twins and the algorithms as a source prints them: copies of right algorithms with the lines changed
// that packages/study/src/algorithms/broken/mutations.ts names. The copies are git-ignored; the build calls this script first.
//
// Guarantees: a twin differs from its right file in the lines of its entry (a wrong twin in one) and in the paths of its
// imports. A file whose text is already right keeps its time stamp. A copy without an entry is removed.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** @typedef {import('../packages/study/src/algorithms/broken/mutations.ts').Mutation} Mutation */
/** @typedef {import('../packages/study/src/algorithms/broken/mutations.ts').PrintedMutation} PrintedMutation */
/** @typedef {{ path: string, text: string }} RightFile */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const ALGORITHMS = 'packages/study/src/algorithms';
const BROKEN = `${ALGORITHMS}/broken`;
export const GENERATED = `${BROKEN}/generated`;

/** A mutation that does not fit its right file. The text is all that the reader needs. */
export class TwinError extends Error {
  /** @param {{ name: string }} mutation @param {string} message */
  constructor({ name }, message) {
    super(`the wrong twin ${name}: ${message}; correct its entry in ${BROKEN}/mutations.ts`);
    this.name = 'TwinError';
    this.code = 'TWIN_FAILED';
  }
}

/** @param {string} root @returns {Promise<readonly (Mutation | PrintedMutation)[]>} */
async function readMutations(root) {
  const { transform } = await import('esbuild');
  const text = readFileSync(join(root, BROKEN, 'mutations.ts'), 'utf8');
  const { code } = await transform(text, { loader: 'ts', format: 'esm' });
  const module = await import(`data:text/javascript;base64,${Buffer.from(code).toString('base64')}`);
  return [...module.mutations, ...(module.printed ?? [])];
}

/** @param {string} root @param {Mutation | PrintedMutation} mutation @returns {RightFile} */
export function rightFile(root, mutation) {
  const paths = readdirSync(join(root, ALGORITHMS), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== 'broken')
    .map((folder) => `${ALGORITHMS}/${folder.name}/${mutation.of}.ts`)
    .filter((path) => existsSync(join(root, path)));
  if (paths.length !== 1) throw new TwinError(mutation, `no file ${mutation.of}.ts in ${ALGORITHMS}/*`);
  return { path: paths[0], text: readFileSync(join(root, paths[0]), 'utf8') };
}

/**
 * The text of the twin, as if it stood beside its right file.
 * @param {RightFile} right @param {Mutation | PrintedMutation} mutation
 */
export function mutate({ path, text }, mutation) {
  const lines = 'lines' in mutation ? mutation.lines : [mutation.line];
  return lines.reduce((changed, [before, after]) => {
    const places = changed.split(before).length - 1;
    if (before === '' || `${before}${after}`.includes('\n') || before === after) {
      throw new TwinError(mutation, 'line must be two different texts, each within one line');
    }
    if (places !== 1)
      throw new TwinError(mutation, `${before} must occur once in ${path}, not ${places} times`);
    return changed.replace(before, () => after);
  }, text);
}

/** @param {string} text @param {string} from the path it was written for @param {string} to the path it moves to */
function moveImports(text, from, to) {
  return text.replace(/(from ')(\.{1,2}\/[^']+)(')/g, (_, open, target, close) => {
    const moved = posix.relative(posix.dirname(to), posix.join(posix.dirname(from), target));
    return `${open}${moved.startsWith('.') ? moved : `./${moved}`}${close}`;
  });
}

/** @param {string} name of a twin, such as raft-half @returns {string} such as raftHalf */
const identifier = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

/** @param {readonly { name: string, exported: string }[]} twins */
function indexOf(twins) {
  return [
    '/** The wrong twins by name. Written by scripts/twins.mjs. */',
    "import type { AnyAlgorithm } from '../../../kernel/index.ts';",
    ...twins.map(
      ({ name, exported }) => `import { ${exported} as ${identifier(name)} } from './${name}.ts';`,
    ),
    '',
    'export const mutants: Readonly<Record<string, AnyAlgorithm>> = {',
    ...twins.map(({ name }) => `  '${name}': ${identifier(name)},`),
    '};',
    '',
  ].join('\n');
}

/** @param {string} [root] */
export async function writeTwins(root = ROOT) {
  if (!existsSync(join(root, BROKEN, 'mutations.ts'))) return;
  const twins = (await readMutations(root)).map((mutation) => {
    const right = rightFile(root, mutation);
    const [, exported] = /^export const (\w+) = defineAlgorithm\(/m.exec(right.text) ?? [];
    if (exported === undefined) throw new TwinError(mutation, `${right.path} exports no algorithm`);
    const { name } = mutation;
    const text = moveImports(mutate(right, mutation), right.path, `${GENERATED}/${name}.ts`);
    return { name, exported, text };
  });
  const files = new Map(twins.map(({ name, text }) => [`${name}.ts`, text]));
  files.set('index.ts', indexOf(twins));
  const folder = join(root, GENERATED);
  mkdirSync(folder, { recursive: true });
  for (const file of readdirSync(folder)) if (!files.has(file)) rmSync(join(folder, file));
  for (const [file, text] of files) {
    const path = join(folder, file);
    if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await writeTwins();
  } catch (error) {
    if (!(error instanceof TwinError)) throw error;
    console.error(`hustings: ${error.message}`);
    process.exitCode = 1;
  }
}
