// Puts the packages that hustings imports at run time into dist/packages, minified, and points the compiled files there. An
// installation then has no dependencies: the packages themselves are five times as large, with their manuals, declarations and
// copies for other module systems. Each file begins with its licence.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const PACKAGES = ['commander', 'croner'];
const FOLDER = 'packages';
const IMPORT = new RegExp(`\\b(from|import)(\\s*)(["'])(${PACKAGES.join('|')})\\3`, 'g');

/** @param {string} root */
export async function bundlePackages(root) {
  await Promise.all(
    PACKAGES.map((name) => {
      const licence = readFileSync(join(root, 'node_modules', name, 'LICENSE'), 'utf8');
      return build({
        stdin: { contents: `export * from '${name}';`, resolveDir: root },
        outfile: join(root, 'dist', FOLDER, `${name}.js`),
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
        minify: true,
        lineLimit: 120,
        legalComments: 'none',
        banner: {
          // A package of CommonJS requires the modules of Node.
          js: `/* ${name}\n${licence.trim()}\n*/\nimport{createRequire}from"node:module";const require=createRequire(import.meta.url);`,
        },
      });
    }),
  );
}

/** @param {string} path of a file in dist, relative to it @param {string} code @returns {string} */
export function withBundledPackages(path, code) {
  const up = '../'.repeat(path.split(/[\\/]/).length - 1) || './';
  return code.replace(IMPORT, `$1$2$3${up}${FOLDER}/$4.js$3`);
}
