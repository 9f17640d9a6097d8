// Writes everything that follows from src/algorithms/registry.ts and the files that it names: the exports of
// src/algorithms/index.ts, the golden traces, docs/checked.md, the pages and pictures of docs/algorithms, the list in
// docs/index.md and every "N algorithms" of the docs. The tests compare the same files; here they write them.
//
//   npm run generate              everything, in some minutes
//   npm run generate -- NAME …    what belongs to these algorithms, in seconds

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runLimited } from './limited.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const tool = (/** @type {string} */ path) => join(ROOT, 'node_modules', path);

/** Exports beside the algorithms themselves. */
const FURTHER = [
  "export type * from '../kernel/index.ts';",
  "export { type Attempt, attempts } from './anonymous/impossible/attempts.ts';",
  "export type { Mutation, PrintedMutation } from './broken/mutations.ts';",
  "export { asPrinted, type PrintedAlgorithm, type Twin, type TwinSearch, twins } from './broken/twins.ts';",
  "export { type AlgorithmFamily, algorithmFamilies, registry } from './registry.ts';",
];

/**
 * The text of src/algorithms/index.ts, but for the order of its lines.
 * @param {string} registry the text of src/algorithms/registry.ts
 */
export function indexText(registry) {
  const algorithms = [...registry.matchAll(/^import (\{ \w+ \} from '\.\/[^']+';)$/gm)];
  return [
    '/** Every algorithm by name, and the wrong twins. Written by `npm run generate` from registry.ts. */',
    ...[...FURTHER, ...algorithms.map(([, names]) => `export ${names}`)],
    '',
  ].join('\n');
}

/** @param {string} title @param {string[]} command */
function run(title, command) {
  console.log(`generate: ${title}`);
  const env = { ...process.env, HUSTINGS_GOLDEN: 'rewrite' };
  const { status } = runLimited(process.execPath, command, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return;
  console.error(`generate: ${title} failed; run the same tests without HUSTINGS_GOLDEN to see why`);
  process.exit(1);
}

/** @param {string} title @param {string[]} args */
const tests = (title, args) => run(title, [tool('vitest/vitest.mjs'), 'run', ...args]);

/** @param {readonly string[]} names */
function generate(names) {
  const index = join(ROOT, 'src/algorithms/index.ts');
  writeFileSync(index, indexText(readFileSync(join(ROOT, 'src/algorithms/registry.ts'), 'utf8')));
  run('src/algorithms/index.ts', [tool('@biomejs/biome/bin/biome'), 'check', '--write', index]);
  const any = names.join('|');
  const only = (/** @type {string} */ pattern) => (names.length === 0 ? [] : ['-t', pattern]);
  tests('golden traces', names.length === 0 ? ['test/algorithms'] : names.map((name) => `/${name}/${name}`));
  tests('docs/checked.md', ['test/docs/algorithms/checked.test.ts', ...only(`(${any}):|results`)]);
  tests('docs/algorithms, docs/index.md', [
    'test/docs/algorithms/algorithm-pages.test.ts',
    'test/docs/index-page.test.ts',
    'test/docs/algorithm-count.test.ts',
    ...only(`algorithms/(${any}).md|docs/index.md|number of algorithms`),
  ]);
  if (names.length === 0) tests('docs/why-this-line.md', ['test/docs/algorithms/why-this-line.test.ts']);
  if (names.length === 0) tests('docs/pictures.md', ['test/docs/pictures.test.ts']);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  generate(process.argv.slice(2));
