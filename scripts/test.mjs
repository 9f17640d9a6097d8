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
import { affectedTests, changedFiles } from './changed.mjs';

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

const changed = /^--changed(?:=(.+))?$/;
const args = process.argv.slice(2).filter((arg) => arg !== '--long' && !changed.test(arg));
const isChanged = process.argv.some((arg) => changed.test(arg));
const [, since = 'HEAD'] = process.argv.map((arg) => changed.exec(arg)).find((found) => found !== null) ?? [];
if (isChanged) {
  const filters = affectedTests(changedFiles(root, since));
  if (filters?.length === 0) {
    console.error(`Nothing that differs from ${since} can break a test. Nothing was run.`);
    process.exit(0);
  }
  args.push(...(filters ?? []));
}
const isLong = process.argv.includes('--long');
if (isLong) process.env.HUSTINGS_LONG = '1';
// The name of test-kit/limits/process-tree.ts: every process that a test starts inherits it.
const mark = `HUSTINGS_TEST_RUN=${process.pid}-${Date.now()}`;
process.env.HUSTINGS_TEST_RUN = mark.split('=')[1];

/** @typedef {{ name: string, command: string[], limitMs: number }} Step */
/** @type {Step[]} */
const checks = [
  { name: 'types', command: [tool('typescript/bin/tsc'), '-b'], limitMs: 15 * MINUTE_MS },
  { name: 'lint', command: [tool('@biomejs/biome/bin/biome'), 'check', '.'], limitMs: 15 * MINUTE_MS },
];
/** @type {Step} */
const tests = {
  name: 'tests',
  command: [tool('vitest/vitest.mjs'), 'run', ...args],
  limitMs: (isLong ? 480 : 75) * MINUTE_MS,
};

// Ctrl-C reaches the step as well, which ends by it.
let isInterrupted = false;
process.on('SIGINT', () => {
  isInterrupted = true;
});

/**
 * Resolves with whether it succeeded, and with its output, if that is kept for later.
 * @param {Step} step @param {boolean} isQuiet
 */
async function run({ command, limitMs }, isQuiet) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: isQuiet ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    // Without the mark: it may still run when the tests have ended.
    env: isQuiet ? { ...process.env, HUSTINGS_TEST_RUN: '' } : process.env,
    timeout: limitMs,
    killSignal: 'SIGKILL',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (data) => (output += data));
  const status = await new Promise((resolve) => child.on('close', resolve).on('error', () => resolve(null)));
  if (child.killed) output += `${command.join(' ')} was still running after ${limitMs / MINUTE_MS} min.\n`;
  return { passed: status === 0, output };
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

/** @type {{ passed: boolean, text: string }[]} */
const results = [];
let output = '';
/** @param {Step} step @param {boolean} isQuiet */
async function measure(step, isQuiet) {
  const startMs = performance.now();
  const ended = await run(step, isQuiet);
  if (!ended.passed) output += ended.output;
  const passed = ended.passed && (step !== tests || (await nothingIsLeft()));
  const seconds = ((performance.now() - startMs) / 1000).toFixed(1);
  results.push({ passed, text: `${step.name} ${passed ? 'passed' : 'FAILED'} (${seconds} s)` });
}

// The tests find the packages compiled: setup.mjs has done it.
const checking = (async () => {
  for (const step of checks) if (!isInterrupted) await measure(step, true);
})();
await measure(tests, false);
await checking;

// After the tests, where a reader looks.
process.stderr.write(output);
console.log(results.map(({ text }) => text).join(', '));
process.exitCode = results.length === checks.length + 1 && results.every(({ passed }) => passed) ? 0 : 1;
