// Makes the working tree ready to run: installs what the lock file names, compiles the packages, bundles the page of the lab.
// Needs Node and npm alone, so that `npm start` and `npm test` work on a fresh clone. Quick when there is nothing to do.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runLimited } from './limited.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/** A failure whose text is all that the reader needs: no stack is printed. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
    this.code = 'SETUP_FAILED';
  }
}

/** @param {string} path */
function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
}

/**
 * @param {string} version such as "20.20.0"
 * @param {string} range as in package.json's engines: ">=20" or ">=20.11"
 */
export function checkNode(version, range) {
  const wanted = range
    .replace(/^>=\s*/, '')
    .split('.')
    .map(Number);
  const found = version.replace(/^v/, '').split('.').map(Number);
  const differs = wanted.findIndex((part, index) => found[index] !== part);
  if (differs >= 0 && found[differs] < wanted[differs]) {
    throw new SetupError(
      `Node ${range} is needed, this is ${version}. Install a newer Node, then run this again.`,
    );
  }
}

/**
 * Whether npm's record of node_modules has all that the lock file names.
 * @param {string} root
 */
export function isInstalled(root) {
  const { packages: locked = {} } = readJson(join(root, 'package-lock.json'));
  const { packages: installed = {} } = readJson(join(root, 'node_modules', '.package-lock.json'));
  return Object.entries(locked).every(
    ([path, { version, optional }]) =>
      !path.startsWith('node_modules/') || optional || installed[path]?.version === version,
  );
}

/**
 * Not `npm ci`: it refuses a lock file that lacks the optional packages of other platforms.
 * @param {string} root
 */
function install(root) {
  const args = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  // Under `npm start` the running npm is the one to use; by hand, the one on the path.
  const cli = process.env.npm_execpath;
  const done = cli?.endsWith('.js')
    ? runLimited(process.execPath, [cli, ...args], { cwd: root })
    : runLimited('npm', args, { cwd: root, shell: process.platform === 'win32' });
  if (done.status === 0) return;
  throw new SetupError(
    `npm install failed:\n${`${done.stdout}${done.stderr}`.trim()}\n` +
      'If the network is down, run this again when it is back.',
  );
}

/** @param {string} root */
export function compile(root) {
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-b', 'tsconfig.packages.json', '--pretty', String(process.stderr.isTTY === true)];
  const done = runLimited(process.execPath, args, { cwd: root });
  if (done.status === 0) return;
  throw new SetupError(
    `the build failed:\n${`${done.stdout}${done.stderr}`.trim()}\nFix these errors, then run this again.`,
  );
}

/**
 * Whether each source of the bundle is older than the bundle. The bundle lists its sources.
 * @param {string} root
 */
export function isLabCurrent(root) {
  const inputs = join(root, 'packages/lab/dist/page-inputs.json');
  if (!existsSync(inputs)) return false;
  const builtMs = statSync(inputs).mtimeMs;
  /** @type {readonly string[]} */
  const paths = JSON.parse(readFileSync(inputs, 'utf8'));
  return paths.every(
    (path) => (statSync(join(root, path), { throwIfNoEntry: false })?.mtimeMs ?? Infinity) < builtMs,
  );
}

/** @param {{ root?: string, log?: (line: string) => void }} [options] */
export async function setup({ root = ROOT, log = (line) => console.error(line) } = {}) {
  checkNode(process.versions.node, readJson(join(root, 'package.json')).engines.node);
  if (!isInstalled(root)) {
    log('hustings: installing dependencies …');
    install(root);
  }
  // Not at the head of this file: these need what was just installed.
  const { writeTwins } = await import('./twins.mjs');
  await writeTwins(root);
  if (!existsSync(join(root, 'packages/lab/dist'))) log('hustings: building …');
  compile(root);
  const { writeCommonJs } = await import('./commonjs.mjs');
  writeCommonJs(root);
  if (!isLabCurrent(root)) {
    log('hustings: bundling the lab …');
    const { buildLab } = await import('./lab.mjs');
    await buildLab(root);
  }
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await setup();
  } catch (error) {
    const { code, message } = /** @type {Error & { code?: string }} */ (error);
    if (code !== 'SETUP_FAILED' && code !== 'TWIN_FAILED') throw error;
    console.error(`hustings: ${message}`);
    process.exitCode = 1;
  }
}
