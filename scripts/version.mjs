// Sets the version of all packages: `npm run release:version -- X.Y.Z`, with the date of the release behind it if it is not today.
// It writes the package.json files, the lock file, the Helm chart, and the heading of the section in CHANGELOG.md.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MANIFESTS } from './sources.mjs';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const UNRELEASED = '\n## [Unreleased]\n';
/** A section that was written before its date is known, such as the first one: it belongs to the next release. */
const UNDATED = /^## \[(\d.*)\] - (?!\d).*\n\n/m;

const [version = 'nothing', date = new Date().toISOString().slice(0, 10)] = process.argv.slice(2);
const { version: current } = MANIFESTS[0];

/** @param {string} path @param {(text: string) => string} change */
const rewrite = (path, change) =>
  writeFileSync(join(ROOT, path), change(readFileSync(join(ROOT, path), 'utf8')));

/** @param {{ version: string, dependencies?: Record<string, string> }} manifest a package.json, or its entry in the lock file */
function setVersion(manifest) {
  manifest.version = version;
  for (const { name } of MANIFESTS) {
    if (manifest.dependencies?.[name] !== undefined) manifest.dependencies[name] = version;
  }
  return manifest;
}

/** @param {string} changelog */
function refusal(changelog) {
  if (!/^\d+\.\d+\.\d+$/.test(version)) return `the version must be X.Y.Z, not ${version}`;
  if (!/^\d{4}-\d\d-\d\d$/.test(date)) return `the date must be YYYY-MM-DD, not ${date}`;
  if (!changelog.includes(UNRELEASED)) return 'CHANGELOG.md has no section "## [Unreleased]": add it';
  const isLarger = version.localeCompare(current, 'en', { numeric: true }) > 0;
  if (isLarger || (version === current && UNDATED.exec(changelog)?.[1] === version)) return undefined;
  return `the version must be larger than ${current}, not ${version}`;
}

const refused = refusal(readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8'));
if (refused === undefined) {
  for (const { folder } of MANIFESTS) {
    rewrite(`${folder}/package.json`, (text) => `${JSON.stringify(setVersion(JSON.parse(text)), null, 2)}\n`);
  }
  rewrite('package-lock.json', (text) => {
    const lock = JSON.parse(text);
    for (const { folder } of MANIFESTS) setVersion(lock.packages[folder]);
    return `${JSON.stringify(lock, null, 2)}\n`;
  });
  rewrite('kits/helm/hustings/Chart.yaml', (text) =>
    text.replace(/^(version|appVersion): .*$/gm, `$1: ${version}`),
  );
  rewrite('CHANGELOG.md', (text) =>
    text.replace(UNDATED, '').replace(UNRELEASED, `${UNRELEASED}\n## [${version}] - ${date}\n`),
  );
} else {
  console.error(`release:version: ${refused}`);
  process.exitCode = 1;
}
