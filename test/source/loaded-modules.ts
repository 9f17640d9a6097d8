/** The compiled modules that a fresh process of Node loads. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { runProcess } from '../../test-kit/limits/child-process.ts';
import { ROOT } from './source-file.ts';

const PACKAGES = pathToFileURL(join(ROOT, 'packages/')).href;

/** The address of a compiled file, such as hustings/index.js: the package, and the path under its dist/. */
export function builtUrl(file: string): string {
  return `${PACKAGES}${file.replace('/', '/dist/')}`;
}

/** A loader hook in a thread of its own: prints the URL of each module before it is loaded. */
const HOOK = `
import { writeSync } from 'node:fs';
export async function load(url, context, next) {
  writeSync(1, url + '\\n');
  return next(url, context);
}`;

/** The modules that a fresh Node process loads when it runs `code`, as for `builtUrl`, or as URLs. */
export function modulesLoadedBy(code: string): string[] {
  const script = `
    import { register } from 'node:module';
    register('data:text/javascript,' + encodeURIComponent(${JSON.stringify(HOOK)}));
    ${code}`;
  const { status, stdout, stderr } = runProcess(process.execPath, ['--input-type=module', '-e', script]);
  expect(stderr).toBe('');
  expect(status).toBe(0);
  const urls = stdout
    .trim()
    .split('\n')
    .filter((url) => url.startsWith('file:'));
  return urls.map((url) =>
    url.startsWith(PACKAGES) ? url.slice(PACKAGES.length).replace('/dist/', '/') : url,
  );
}
