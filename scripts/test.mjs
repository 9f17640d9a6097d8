// `npm test`: type-check, lint, tests, in that order; all of them even when one fails, then one summary.
// Arguments go to the test runner: `npm test -- test/kernel`. `--long` includes the long tests.

import { spawnSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tool = (/** @type {string} */ path) => join(root, 'node_modules', path);

// The tests run the commands of the README, and the README says `npm test`.
if (process.env.HUSTINGS_README_RUN) {
  console.error('npm test was called from within the tests. Nothing was run.');
  process.exit(1);
}

const args = process.argv.slice(2).filter((arg) => arg !== '--long');
if (process.argv.includes('--long')) process.env.HUSTINGS_LONG = '1';

const steps = [
  { name: 'types', command: [tool('typescript/bin/tsc'), '-b'] },
  { name: 'lint', command: [tool('@biomejs/biome/bin/biome'), 'check', '.'] },
  { name: 'tests', command: [tool('vitest/vitest.mjs'), 'run', ...args] },
];

const results = steps.map(({ name, command }) => {
  const startMs = performance.now();
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: 'inherit' });
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  return { passed: status === 0, text: `${name} ${status === 0 ? 'passed' : 'FAILED'} (${seconds} s)` };
});

console.log(results.map(({ text }) => text).join(', '));
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
