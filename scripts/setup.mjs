// Makes the working tree ready to run: installs what the lock file names and builds dist, when either is missing or
// out of date. Needs Node and npm alone, so that `npm start` works on a fresh machine.
//
// Guarantees: quiet and quick when there is nothing to do; two at once do not spoil each other's work.
// Does not guarantee: that node_modules was not changed by hand after it was installed.

import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runLimited } from './limited.mjs';
import { withLock } from './lock.mjs';
import { TwinError, writeTwins } from './twins.mjs';
import { ignorePrivateDeclarations } from './unreached-declarations.mjs';

/** @typedef {{ install?: string, platform?: string, build?: string, lab?: string }} Stamp */
/** @typedef {{ install: boolean, build: boolean, force: boolean, lab: boolean }} Plan */

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
// The compiler and the linter are native programs: a tree shared between two kinds of machine needs both.
const PLATFORM = `${process.platform}-${process.arch}`;

/** A failure whose text is all that the reader needs: no stack is printed. */
export class SetupError extends Error {
  /** @param {string} message */
  constructor(message) {
    super(message);
    this.name = 'SetupError';
    this.code = 'SETUP_FAILED';
  }
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
  for (const [i, part] of wanted.entries()) {
    if (found[i] > part) return;
    if (found[i] < part) {
      throw new SetupError(
        `Node ${range} is needed, this is ${version}. Install a newer Node, then run this again.`,
      );
    }
  }
}

/** @param {string} root @param {string[]} paths files, or folders which are read whole; the missing ones are skipped */
export function contentHash(root, paths) {
  const hash = createHash('sha256');
  for (const path of paths.flatMap((path) => filesUnder(root, path))) {
    hash
      .update(`${path}\0`)
      .update(readFileSync(join(root, path)))
      .update('\0');
  }
  return hash.digest('hex');
}

/** @param {string} root @param {string} path @returns {string[]} sorted, so that the order of a directory does not matter */
function filesUnder(root, path) {
  try {
    const entries = readdirSync(join(root, path), { withFileTypes: true });
    return entries
      .flatMap((entry) =>
        entry.isDirectory() ? filesUnder(root, `${path}/${entry.name}`) : [`${path}/${entry.name}`],
      )
      .sort();
  } catch (error) {
    const { code } = /** @type {NodeJS.ErrnoException} */ (error);
    if (code === 'ENOTDIR') return [path];
    if (code === 'ENOENT') return [];
    throw error;
  }
}

/** The sources of the bundle of the lab, scripts/lab.mjs. A test compares them with the imports of the page. */
export const LAB_INPUTS = [
  'src/base',
  'src/kernel',
  'src/algorithms',
  'src/properties',
  'src/simulator',
  'src/sweep',
  'src/checker',
  'src/drawing',
  'src/lease/core',
  'src/cluster/gate',
  'src/cluster/record',
  'src/cluster/view',
  'src/lab/model',
  'src/lab/page',
  'src/lab/workers',
  'vite.config.ts',
  'scripts/lab.mjs',
  'package-lock.json',
];

/** @param {string} root */
function hashes(root) {
  const install = contentHash(root, ['package.json', 'package-lock.json']);
  const configs = readdirSync(root)
    .filter((name) => /^tsconfig.*\.json$/.test(name))
    .sort();
  return {
    install,
    build: contentHash(root, [
      ...configs,
      'package-lock.json',
      'src',
      'scripts/bundled-packages.mjs',
      'scripts/minify.mjs',
    ]),
    lab: contentHash(root, LAB_INPUTS),
  };
}

/** @param {string} root */
const stampPath = (root) => join(root, 'node_modules', '.hustings', 'setup.json');

/** @param {string} root @returns {Stamp} */
function readStamp(root) {
  return readJson(stampPath(root)) ?? {};
}

/** @param {string} root @param {Stamp} change */
function writeStamp(root, change) {
  const stamp = { ...readStamp(root), ...change };
  mkdirSync(dirname(stampPath(root)), { recursive: true });
  writeFileSync(stampPath(root), `${JSON.stringify(stamp, null, 2)}\n`);
}

/** @param {string} path */
function readJson(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Whether the lock file was made for the dependencies that package.json names.
 * @param {string} root
 */
export function lockAgrees(root) {
  const manifest = readJson(join(root, 'package.json')) ?? {};
  const locked = readJson(join(root, 'package-lock.json'))?.packages?.[''];
  return ['dependencies', 'devDependencies', 'optionalDependencies'].every(
    (kind) => locked && JSON.stringify(manifest[kind] ?? {}) === JSON.stringify(locked[kind] ?? {}),
  );
}

/**
 * Whether npm's own record of node_modules has all that the lock file names: true after somebody ran `npm install`
 * by hand, whose work is then not done again.
 * @param {string} root
 */
export function installedByHand(root) {
  const lock = readJson(join(root, 'package-lock.json'))?.packages;
  const installed = readJson(join(root, 'node_modules', '.package-lock.json'))?.packages;
  if (!lock || !installed || !lockAgrees(root)) return false;
  return Object.entries(lock).every(
    ([path, { version, optional }]) => path === '' || optional || installed[path]?.version === version,
  );
}

/** @param {string} root @returns {Plan} what is to be done */
export function plan(root) {
  const stamp = readStamp(root);
  const now = hashes(root);
  const samePlatform = stamp.platform === undefined || stamp.platform === PLATFORM;
  const install =
    !existsSync(join(root, 'node_modules')) ||
    !samePlatform ||
    (stamp.install !== now.install && !installedByHand(root));
  // The compiler trusts its own record of what it wrote; an output that somebody deleted comes back by force only.
  const force = filesUnder(root, 'src')
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path) && !/^src\/lab\/(page|workers)\//.test(path))
    .some((path) => !existsSync(join(root, path.replace(/^src/, 'dist').replace(/\.tsx?$/, '.js'))));
  const lab = existsSync(join(root, 'dist/lab/page/index.html.br')) && stamp.lab === now.lab;
  return {
    install,
    build: install || force || stamp.build !== now.build,
    force,
    lab: !lab && existsSync(join(root, 'src/lab/page')),
  };
}

/** @param {string} root @param {string[]} args */
function npm(root, args) {
  // Under `npm start` the running npm is the one to use; by hand, the one on the path.
  const cli = process.env.npm_execpath;
  return cli?.endsWith('.js')
    ? runLimited(process.execPath, [cli, ...args], { cwd: root })
    : runLimited('npm', args, { cwd: root, shell: process.platform === 'win32' });
}

const NPM_OPTIONS = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];

/** @param {string} root @param {(line: string) => void} log */
function install(root, log) {
  const verb = existsSync(join(root, 'package-lock.json')) ? 'ci' : 'install';
  let done = npm(root, [verb, ...NPM_OPTIONS]);
  // `npm ci` refuses a lock file that lacks the optional packages of other platforms, which is what npm writes where
  // the registry does not carry them. `npm install` takes the same versions from that file; --no-save leaves it as is.
  if (verb === 'ci' && done.status !== 0 && /EUSAGE/.test(done.stderr) && lockAgrees(root)) {
    log('hustings: npm ci finds the lock file incomplete; installing the versions that it names …');
    done = npm(root, ['install', '--no-save', ...NPM_OPTIONS]);
  }
  if (done.status !== 0) {
    // What npm adds after "Clean install a project" is its manual.
    const said = outputOf(done).split('npm error Clean install a project')[0].trimEnd();
    throw new SetupError(
      `npm ${verb} failed:\n${said}\n` +
        'If the network is down, run this again when it is back. If package.json and package-lock.json disagree, ' +
        'run `npm install`, then this again.',
    );
  }
  writeStamp(root, { install: hashes(root).install, platform: PLATFORM });
}

/** @param {{ stdout: string, stderr: string }} done */
const outputOf = ({ stdout, stderr }) => `${stdout}${stderr}`.trim();

/** @param {string} root @param {boolean} force */
async function build(root, force) {
  await writeTwins(root);
  const { build: hash } = hashes(root); // before the build: an edit while it runs leaves the stamp out of date
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  const args = [tsc, '-b', 'tsconfig.build.json', '--pretty', String(process.stderr.isTTY === true)];
  const done = runLimited(process.execPath, force ? [...args, '--force'] : args, { cwd: root });
  if (done.status !== 0) {
    throw new SetupError(
      `the build failed:\n${outputOf(done)}\nFix these errors in src/, then run this again.`,
    );
  }
  prune(root);
  // Not above: esbuild is there only after the installation.
  const { bundlePackages } = await import('./bundled-packages.mjs');
  const { minify } = await import('./minify.mjs');
  await bundlePackages(root);
  await minify(join(root, 'dist'));
  makeExecutable(root);
  ignorePrivateDeclarations(root);
  writeStamp(root, { build: hash });
}

/**
 * Makes commands of the files that package.json names as such. The compiler writes plain files, and npx sets their mode
 * only when it links a folder for the first time: a tree that is cloned or built again could not be run.
 * @param {string} root
 */
export function makeExecutable(root) {
  for (const path of Object.values(readJson(join(root, 'package.json'))?.bin ?? {})) {
    chmodSync(join(root, path), 0o755);
  }
}

/**
 * Removes what was compiled from a source that is gone. Only outputs with a declaration beside them are the
 * compiler's; anything else in dist has another maker.
 * @param {string} root
 */
export function prune(root) {
  for (const path of filesUnder(root, 'dist').filter((path) => path.endsWith('.d.ts'))) {
    const stem = path.slice('dist/'.length, -'.d.ts'.length);
    if (existsSync(join(root, 'src', `${stem}.ts`)) || existsSync(join(root, 'src', `${stem}.tsx`))) continue;
    for (const end of ['.js', '.d.ts']) {
      rmSync(join(root, 'dist', stem + end), { force: true });
    }
  }
}

/**
 * @param {{ root?: string, log?: (line: string) => void, mayInstall?: boolean }} [options] mayInstall: false where
 *   node_modules is in use by the caller, such as a test, and must not be replaced under it
 * @returns {Promise<Plan>} what was done
 */
export async function setup({ root = ROOT, log = (line) => console.error(line), mayInstall = true } = {}) {
  checkNode(process.versions.node, readJson(join(root, 'package.json'))?.engines?.node ?? '>=20');
  const first = plan(root);
  if (!first.build && !first.lab && !(first.install && mayInstall)) return first;
  return withLock(join(root, '.setup'), log, async () => {
    const todo = plan(root); // again: the previous holder of the lock may have done it
    if (todo.install && mayInstall) {
      log('hustings: installing dependencies …');
      install(root, log);
    }
    if (todo.build) {
      log('hustings: building …');
      await build(root, todo.force);
    }
    if (todo.lab) {
      log('hustings: bundling the lab …');
      const { lab: hash } = hashes(root); // before, as above
      // Not at the head of this file: vite is there only after the installation.
      const { buildLab } = await import('./lab.mjs');
      await buildLab(root);
      writeStamp(root, { lab: hash });
    }
    return todo;
  });
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  try {
    await setup();
  } catch (error) {
    if (!(error instanceof SetupError) && !(error instanceof TwinError)) throw error;
    console.error(`hustings: ${error.message}`);
    process.exitCode = 1;
  }
}
