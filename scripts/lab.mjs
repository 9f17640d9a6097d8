// Bundles the page of the lab: compressed into packages/lab/dist/page for the package and its server, or, with --site, as plain
// files into dist-site for any web host.

import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { build } from 'vite';
import { SECURITY_HEADERS } from '../packages/lab/dist/server/security-headers.js';
import { typeCheckerScript } from '../packages/lab/dist/server/type-checker-script.js';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * The files of the page, and the sources that they are made of.
 * @param {string} root
 */
async function bundle(root) {
  const built = await build({
    configFile: join(root, 'vite.config.ts'),
    root: join(root, 'packages/lab/src/page'),
    logLevel: 'warn',
    build: { write: false },
  });
  if (!('output' in built)) throw new Error('vite must return one bundle');
  const modules = built.output.flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
  const paths = modules.map((id) => relative(root, id.replace(/\?.*/, '')));
  const isOwn = (/** @type {string} */ path) => /^packages\//.test(path) && existsSync(join(root, path));
  return {
    inputs: [...new Set(paths.filter(isOwn))].sort().concat('vite.config.ts', 'package-lock.json'),
    files: built.output.map((file) => ({
      name: file.fileName,
      content: Buffer.from(file.type === 'chunk' ? file.code : file.source),
    })),
  };
}

/**
 * Writes into a new folder and renames it at the end: a server that runs meanwhile sees the old files or the new ones.
 * @param {string} folder
 * @param {readonly { name: string, content: Uint8Array }[]} files
 */
function replaceFolder(folder, files) {
  const next = `${folder}.next`;
  rmSync(next, { recursive: true, force: true });
  for (const { name, content } of files) {
    mkdirSync(dirname(join(next, name)), { recursive: true });
    writeFileSync(join(next, name), content);
  }
  rmSync(folder, { recursive: true, force: true });
  renameSync(next, folder);
}

/** Compressed only: a browser on this machine takes the files as they are, and the server inflates them for others. */
export async function buildLab(root = ROOT) {
  const compress = promisify(brotliCompress);
  const { files: plain, inputs } = await bundle(root);
  const files = await Promise.all(
    plain.map(async ({ name, content }) => ({
      name: `${name}.br`,
      content: await compress(content, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: content.length } }),
    })),
  );
  replaceFolder(join(root, 'packages/lab/dist/page'), files);
  writeFileSync(join(root, 'packages/lab/dist/page-inputs.json'), JSON.stringify(inputs));
}

/**
 * A web host may send no headers: the policy stands in the page. There frames cannot be forbidden, and need not be.
 * @param {{ name: string, content: Uint8Array }} file
 */
function withPolicy({ name, content }) {
  const policy = SECURITY_HEADERS['content-security-policy'].replace(/; frame-ancestors [^;]*/, '');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}" />`;
  const text = Buffer.from(content).toString('utf8').replace('<head>', `<head>${meta}`);
  return { name, content: Buffer.from(text) };
}

/** The static site, with the TypeScript that checks types on the page Write. */
export async function buildSite(root = ROOT, folder = join(root, 'dist-site')) {
  const { files } = await bundle(root);
  replaceFolder(
    folder,
    files.map((file) => (file.name === 'index.html' ? withPolicy(file) : file)),
  );
  writeFileSync(join(folder, 'typescript.js'), await typeCheckerScript());
  return folder;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  if (process.argv.includes('--site')) console.log(`The lab as a static site: ${await buildSite()}`);
  else await buildLab();
}
