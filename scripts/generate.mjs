// Writes every generated file: the tests that compare them write them here. Most follow from packages/study/src/algorithms/registry.ts: the
// exports of packages/study/src/algorithms/index.ts, the traces, docs/checked.md, the pages and pictures of docs/algorithms, the list in
// docs/index.md and every "N algorithms" of the docs.
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
 * The text of packages/study/src/algorithms/index.ts, but for the order of its lines.
 * @param {string} registry the text of packages/study/src/algorithms/registry.ts
 */
export function indexText(registry) {
  const algorithms = [...registry.matchAll(/^import (\{ \w+ \} from '\.\/[^']+';)$/gm)];
  return [
    '/** Every algorithm by name, and the wrong twins. Written by `npm run generate` from registry.ts. */',
    ...[...FURTHER, ...algorithms.map(([, names]) => `export ${names}`)],
    '',
  ].join('\n');
}

/** The tests that compare generated files, and write them here. Pages of algorithms show rows of docs/checked.md. */
export const WRITERS = {
  ofAlgorithms: [
    'packages/study/test/algorithms/traces.test.ts',
    'test/docs/algorithms/checked.test.ts',
    'test/docs/sections.test.ts',
  ],
  others: [
    'packages/study/test/algorithms/broken/twins.test.ts',
    'test/docs/algorithms/why-this-line.test.ts',
    'test/docs/leases-checked.test.ts',
    'test/docs/pages-for-services.test.ts',
    'test/docs/pages-for-students.test.ts',
    'test/readme/picture.test.ts',
  ],
  pages: ['test/docs/algorithms/algorithm-pages.test.ts'],
};

/** @param {string} title @param {string[]} command */
function run(title, command) {
  console.log(`generate: ${title}`);
  const { status } = runLimited(process.execPath, command, {
    cwd: ROOT,
    env: { ...process.env, HUSTINGS_GOLDEN: 'rewrite' },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (status === 0) return;
  console.error(`generate: ${title} failed; run the same tests without HUSTINGS_GOLDEN to see why`);
  process.exit(1);
}

/** @param {readonly string[]} names */
function generate(names) {
  const index = join(ROOT, 'packages/study/src/algorithms/index.ts');
  writeFileSync(
    index,
    indexText(readFileSync(join(ROOT, 'packages/study/src/algorithms/registry.ts'), 'utf8')),
  );
  run('packages/study/src/algorithms/index.ts', [
    tool('@biomejs/biome/bin/biome'),
    'check',
    '--write',
    index,
  ]);
  const any = names.join('|');
  const only = names.length === 0 ? [] : ['-t', `/(${any})/.*trace|(${any}):|results|sections|/(${any}).md`];
  const vitest = [tool('vitest/vitest.mjs'), 'run', ...only];
  const others = names.length === 0 ? WRITERS.others : [];
  run('traces, searches, lists', [...vitest, ...WRITERS.ofAlgorithms, ...others]);
  run('pages and pictures of algorithms', [...vitest, ...WRITERS.pages]);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href)
  generate(process.argv.slice(2));
