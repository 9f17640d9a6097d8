// `npm test`: type-check, lint, tests; all of them even when one fails, then one summary.
// Arguments go to the test runner: `npm test -- test/kernel`. `--long` includes the long tests.
//
// Of a whole run, the tests that only compute have a runner of their own. It has a low priority and takes the processors
// while the other tests wait for servers, timers and browsers. Its output is printed at the end: all of it if it fails.

import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

/** @typedef {import('node:child_process').ChildProcess} ChildProcess */
/** @typedef {{ name: string, passed: boolean, seconds: number }} Result */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tool = (/** @type {string} */ path) => join(root, 'node_modules', path);
/** The processors go to it only where nothing else asks for them. */
const BACKGROUND_NICE = 15;
/** Files that took longer are listed. */
const SLOW_MS = 5_000;

// The tests run the commands of the README, and the README says `npm test`.
if (process.env.HUSTINGS_README_RUN) {
  console.error('npm test was called from within the tests. Nothing was run.');
  process.exit(1);
}

const args = process.argv.slice(2).filter((arg) => arg !== '--long');
if (process.argv.includes('--long')) process.env.HUSTINGS_LONG = '1';

/** Where a process has a session of its own, Linux shares the processors among sessions, and not among processes. */
const hasSessions = process.platform === 'linux';
/** @type {Map<ChildProcess, () => void>} */
const running = new Map();
for (const signal of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
  process.once(signal, () => {
    for (const stop of running.values()) stop();
    process.exit(1);
  });
}

/**
 * @param {string} name @param {ChildProcess} child @param {() => void} stop
 * @returns {Promise<Result>}
 */
function ended(name, child, stop) {
  const startMs = performance.now();
  running.set(child, stop);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      running.delete(child);
      resolve({ name, passed: code === 0, seconds: (performance.now() - startMs) / 1000 });
    });
  });
}

/** @param {string} name @param {string[]} command */
function run(name, command) {
  const child = spawn(process.execPath, command, { cwd: root, stdio: 'inherit' });
  return ended(name, child, () => void child.kill());
}

/** @param {string} name @param {string[]} command @returns {Promise<Result & { output: string }>} */
async function runBeside(name, command) {
  const child = spawn(process.execPath, command, {
    cwd: root,
    detached: hasSessions,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const { pid } = child;
  if (pid !== undefined) lowerPriority(pid);
  let output = '';
  child.stdout.on('data', (data) => (output += data));
  child.stderr.on('data', (data) => (output += data));
  const result = await ended(name, child, () => {
    if (pid !== undefined) process.kill(hasSessions ? -pid : pid);
  });
  return { ...result, output };
}

/** @param {number} pid */
function lowerPriority(pid) {
  try {
    setPriority(pid, BACKGROUND_NICE);
    if (hasSessions) writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICE));
  } catch {
    // A system without priorities, or without groups of processes: the tests take longer.
  }
}

/** The slow files and the counts, of a run that passed. @param {string} output */
function shortened(output) {
  return output
    .split('\n')
    .filter((line) => {
      const text = stripVTControlCharacters(line);
      const [, ms] = /^ ✓ .*\.test\.ts \(.*\) (\d+)ms$/.exec(text) ?? [];
      return Number(ms ?? 0) > SLOW_MS || /^ *(Test Files|Tests|Duration) /.test(text);
    })
    .join('\n');
}

const vitest = [tool('vitest/vitest.mjs'), 'run'];
const isWhole = args.length === 0 && process.env.HUSTINGS_LONG !== '1';
const beside = isWhole ? runBeside('computing tests', [...vitest, '--project', 'computing']) : undefined;
const results = [
  await run('types', [tool('typescript/bin/tsc'), '-b']),
  await run('lint', [tool('@biomejs/biome/bin/biome'), 'check', '.']),
  await run('tests', [...vitest, ...(isWhole ? ['--project', '!computing'] : args)]),
];
if (beside !== undefined) {
  const { output, ...result } = await beside;
  console.log(`The tests that only compute:\n${result.passed ? shortened(output) : output}\n`);
  results.push(result);
}

console.log(
  results
    .map(({ name, passed, seconds }) => `${name} ${passed ? 'passed' : 'FAILED'} (${seconds.toFixed(1)} s)`)
    .join(', '),
);
process.exitCode = results.every(({ passed }) => passed) ? 0 : 1;
