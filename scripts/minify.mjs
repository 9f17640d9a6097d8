// Rewrites the compiled JavaScript without comments and indentation, more than a third of it (2.18 MB become 1.39 MB): every
// installation of the package downloads it. Names stay, but for those of SHORT_NAMES, and so do lines of a readable length, so that the stack of an error
// says where it came from; there are no source maps.
// The declarations keep their comments: editors show them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { withBundledPackages } from './bundled-packages.mjs';

/** Folders in whose errors nobody looks for a name of ours: what they refuse, their messages explain. */
const SHORT_NAMES =
  /^(algorithms|checker|cli|cluster\/(detector|init|maelstrom|record|runtime|view|wire)|drawing|kernel\/(machine|network|world)|lab|lease\/stores|queue|reproduce|sidecar|simulator|supervisor|sweep)\//;

/** @param {string} folder what the compiler wrote; what is minified already stays as it is */
export async function minify(folder) {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.js') && !/^packages[\\/]/.test(path),
  );
  await Promise.all(
    paths.map(async (path) => {
      const file = join(folder, path);
      const before = readFileSync(file, 'utf8');
      const { code } = await transform(withBundledPackages(path, before), {
        target: 'node20',
        minifyWhitespace: true,
        minifySyntax: true,
        minifyIdentifiers: SHORT_NAMES.test(path),
        lineLimit: 120,
        legalComments: 'none',
      });
      if (code !== before) writeFileSync(file, code);
    }),
  );
}
