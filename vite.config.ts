import { defineConfig } from 'vite';

/** Bundles the page of the lab. scripts/lab.mjs decides where the files go, and compresses them. */
export default defineConfig({
  root: 'src/lab/page',
  // Relative addresses: the static site works in any folder of a web host.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
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
