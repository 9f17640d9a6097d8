// `npm test`: type-check, lint, tests, in that order; all of them even when one fails, then one summary.
// Arguments go to the test runner: `npm test -- packages/study/test/kernel`. `--long` includes the long tests.
//
// Guaranteed: it ends. Each step has a limit, each test file another one (test-kit/limits), and processes that the tests have
// left behind are named and killed, and count as a failure.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const MINUTE_MS = 60_000;
// A server that a test has stopped may take seconds to end in order.
const LEFTOVER_WAIT_MS = 20_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tool = (/** @type {string} */ path) => join(root, 'node_modules', path);

// The tests run the commands of the README, and the README says `npm test`.
if (process.env.HUSTINGS_README_RUN) {
  console.error('npm test was called from within the tests. Nothing was run.');
  process.exit(1);
}

const args = process.argv.slice(2).filter((arg) => arg !== '--long');
const isLong = process.argv.includes('--long');
if (isLong) process.env.HUSTINGS_LONG = '1';
// The name of test-kit/limits/process-tree.ts: every process that a test starts inherits it.
const mark = `HUSTINGS_TEST_RUN=${process.pid}-${Date.now()}`;
process.env.HUSTINGS_TEST_RUN = mark.split('=')[1];

const steps = [
  { name: 'types', command: [tool('typescript/bin/tsc'), '-b'], limitMs: 15 * MINUTE_MS },
  { name: 'lint', command: [tool('@biomejs/biome/bin/biome'), 'check', '.'], limitMs: 15 * MINUTE_MS },
  {
    name: 'tests',
    command: [tool('vitest/vitest.mjs'), 'run', ...args],
    limitMs: (isLong ? 480 : 75) * MINUTE_MS,
  },
];

// Ctrl-C reaches the step as well, which ends by it.
let isInterrupted = false;
process.on('SIGINT', () => {
  isInterrupted = true;
});

/** @param {readonly string[]} command @param {number} limitMs @returns {Promise<boolean>} whether it succeeded */
async function passes(command, limitMs) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: 'inherit',
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  const status = await new Promise((resolve) => child.on('exit', resolve).on('error', () => resolve(null)));
  if (child.killed) console.error(`${command.join(' ')} was still running after ${limitMs / MINUTE_MS} min.`);
  return status === 0;
}

/** The processes of this run by their marks, apart from this one and what is not of this user. Empty without /proc. */
function leftovers() {
  const read = (/** @type {string} */ pid, /** @type {string} */ file) => {
    try {
      return readFileSync(`/proc/${pid}/${file}`, 'latin1').split('\0');
    } catch {
      return [];
    }
  };
  const pids = process.platform === 'linux' ? readdirSync('/proc').filter((name) => /^\d+$/.test(name)) : [];
  return pids
    .filter((pid) => Number(pid) !== process.pid && read(pid, 'environ').includes(mark))
    .map((pid) => ({ pid: Number(pid), command: read(pid, 'cmdline').join(' ').trim() }));
}

/** @returns {Promise<boolean>} whether the tests left no process behind */
async function nothingIsLeft() {
  for (const endMs = performance.now() + LEFTOVER_WAIT_MS; performance.now() < endMs; await sleep(200)) {
    if (leftovers().length === 0) return true;
  }
  for (const { pid, command } of leftovers()) {
    console.error(`a test left a process behind, which was killed: ${command}`);
    try {
      process.kill(pid, 'SIGKILL');
    } catch {}
  }
  return false;
}

const results = [];
for (const { name, command, limitMs } of steps) {
  if (isInterrupted) break;
  const startMs = performance.now();
  const hasPassed = await passes(command, limitMs);
  const isClean = name !== 'tests' || (await nothingIsLeft());
  const passed = hasPassed && isClean;
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  results.push({ passed, text: `${name} ${passed ? 'passed' : 'FAILED'} (${seconds} s)` });
}

console.log(results.map(({ text }) => text).join(', '));
process.exitCode = results.length === steps.length && results.every(({ passed }) => passed) ? 0 : 1;
