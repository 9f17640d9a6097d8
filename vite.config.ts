import { dirname, resolve } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/**
 * Bundles workers together with the page, so that they share its chunks: alone, each worker would have its own copy of the
 * kernel and of all algorithms. A chunk that a worker loads has no module that only the page imports.
 */
function sharedWorkers(): Plugin {
  const address = /new URL\('([^']*\/workers\/[^']+\.ts)', import\.meta\.url\)/g;
  return {
    name: 'shared-workers',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!code.includes('/workers/') || !/\/lab\/page\//.test(id)) return null;
      return code.replace(address, (_, path: string) => {
        const file = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
        return `import.meta.ROLLUP_FILE_URL_${file}`;
      });
    },
  };
}

/** Bundles the page of the lab. scripts/lab.mjs decides where the files go, and compresses them. */
export default defineConfig({
  root: 'src/lab/page',
  // Relative addresses: the static site works in any folder of a web host.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [sharedWorkers()],
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    // A data: URL would need more permissions in the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // A note about slow plug-ins is for their authors.
    rolldownOptions: { checks: { pluginTimings: false } },
  },
});
