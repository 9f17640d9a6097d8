// `npm run docs`: writes the API reference of every door of package.json into docs/reference, which git ignores.
// typedoc needs a TypeScript with a JavaScript API, which the compiler of the project does not have: both are installed
// in this folder, from its own lock file, the first time.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runLimited } from '../limited.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(dirname(HERE));

if (!existsSync(join(HERE, 'node_modules', 'typedoc'))) {
  console.error('hustings: installing typedoc …');
  const { status, stderr } = runLimited('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: HERE,
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`hustings: typedoc was not installed; run this again when the network is up:\n${stderr}`);
    process.exit(69);
  }
}

const { writeReference } = await import('./build.mjs');
const out = process.argv[2] ?? join(ROOT, 'docs', 'reference');
const problems = await writeReference(ROOT, out);
for (const problem of problems) console.error(problem);
if (problems.length > 0) console.error(`${problems.length} gaps: document or export what is named above.`);
else console.log(`${join(out, 'index.html')}: every export of every door is documented.`);
process.exitCode = problems.length > 0 ? 1 : 0;
