/** The files of the page, which lie compressed in packages/lab/dist/page. */
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { typeCheckerScript } from './type-checker-script.ts';

/** The same folder from src and from dist. */
export const PAGE_FOLDER = fileURLToPath(new URL('../../dist/page', import.meta.url));

export interface PageFile {
  readonly content: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** No name begins with a dot, so that no path leaves the folder. */
const SAFE_PATH = /^(\/[\w-][\w.-]*)+$/;
/** Files with a hash of their content in their name never change. */
const HASHED_PATH = /^\/assets\//;

/**
 * The frame in which the page Write runs a reader's code. Its own policy, in the file, is for web hosts as well; this one makes
 * it a sandbox even if it is opened alone.
 */
const SANDBOX_PATH = /^\/assets\/frame-[\w-]+\.html$/;
const SANDBOX_POLICY = "sandbox allow-scripts; frame-ancestors 'self'";

const TYPE_CHECKER_PATH = '/typescript.js';

/** Undefined if there is no such file. */
export async function readPageFile(
  folder: string,
  path: string,
  acceptsBrotli: boolean,
): Promise<PageFile | undefined> {
  const file = path === '/' ? '/index.html' : path;
  if (!SAFE_PATH.test(file)) return undefined;
  const headers: Record<string, string> = {
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'cache-control': HASHED_PATH.test(file) ? 'public, max-age=31536000, immutable' : 'no-cache',
  };
  if (SANDBOX_PATH.test(file)) headers['content-security-policy'] = SANDBOX_POLICY;
  if (file === TYPE_CHECKER_PATH) return { content: Buffer.from(await typeCheckerScript()), headers };
  const compressed = await readIfThere(join(folder, `${file}.br`));
  if (compressed === undefined) return undefined;
  const vary = { ...headers, vary: 'accept-encoding' };
  if (acceptsBrotli) return { content: compressed, headers: { ...vary, 'content-encoding': 'br' } };
  return { content: await promisify(brotliDecompress)(compressed), headers: vary };
}

async function readIfThere(file: string): Promise<Buffer | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'EISDIR' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
