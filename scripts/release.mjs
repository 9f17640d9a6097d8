// Publishes all packages of one version: `npm run release -- vX.Y.Z`. With --dry-run it packs them and publishes nothing.
//
// Guaranteed: nothing is published if a check fails, and a package is published after those that it depends on. The same command
// continues a release that has stopped half-way: it leaves out what the registry has.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLimited } from './limited.mjs';
import { MANIFESTS } from './sources.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const isDryRun = process.argv.includes('--dry-run');
const [tag = 'nothing'] = process.argv.slice(2).filter((arg) => arg !== '--dry-run');
const version = tag.slice(1);

/** @param {string} command @param {string[]} args */
const run = (command, ...args) => runLimited(command, args, { cwd: ROOT });

/** @param {Pick<import('./sources.mjs').Manifest, 'dependencies'>} manifest */
const ownDependencies = ({ dependencies = {} }) => MANIFESTS.filter(({ name }) => name in dependencies);

/** @param {import('./sources.mjs').Manifest} manifest */
function wrongVersions({ name, version: own, dependencies = {} }) {
  const named = ownDependencies({ dependencies }).filter((other) => dependencies[other.name] !== version);
  return [
    ...(own === version ? [] : [`${name} has the version ${own}`]),
    ...named.map((other) => `${name} names ${other.name} ${dependencies[other.name]}`),
  ];
}

function problems() {
  if (!/^v\d+\.\d+\.\d+$/.test(tag)) return [`the tag must be vX.Y.Z, not ${tag}`];
  const changelog = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8');
  const [, dated] = changelog.split(`\n## [${version}] - `);
  const { status, stdout, stderr } = run('git', 'status', '--porcelain');
  return [
    ...MANIFESTS.flatMap(wrongVersions),
    ...(/^\d{4}-\d\d-\d\d\n/.test(dated)
      ? []
      : [`CHANGELOG.md has no section "## [${version}] - YYYY-MM-DD"`]),
    ...(status === 0 && stdout === '' ? [] : [`the working tree is not clean: ${(stdout + stderr).trim()}`]),
  ];
}

/** @type {Set<import('./sources.mjs').Manifest>} in the order of their dependencies */
const ordered = new Set();
/** @param {import('./sources.mjs').Manifest} manifest */
function addWithDependencies(manifest) {
  for (const each of ownDependencies(manifest)) addWithDependencies(each);
  ordered.add(manifest);
}
for (const manifest of MANIFESTS) addWithDependencies(manifest);

/** @param {import('./sources.mjs').Manifest} manifest @returns {boolean} whether the release can go on */
function publish({ name, folder }) {
  const known = isDryRun ? '' : run('npm', 'view', `${name}@${version}`, 'version').stdout.trim();
  if (known === version) {
    console.log(`${name} ${version}: is in the registry`);
    return true;
  }
  const command = isDryRun ? ['pack', '--dry-run'] : ['publish', '--provenance', '--access', 'public'];
  const { status, stdout, stderr } = run('npm', ...command, '-w', folder);
  if (status === 0) console.log(`${name} ${version}: ${isDryRun ? 'can be packed' : 'published'}`);
  else console.error(`release ${tag}: npm ${command[0]} of ${name} failed:\n${stdout}${stderr}`);
  return status === 0;
}

const found = problems();
for (const problem of found) console.error(`release ${tag}: ${problem}`);
if (found.length > 0 || ![...ordered].every(publish)) process.exitCode = 1;
