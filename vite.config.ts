import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import * as kernel from '@hustings/study/kernel';
import { defineConfig, type Plugin } from 'vite';
import { API_FILES, type KernelSources, kernelApi } from './packages/lab/src/page/write/code/kernel-api.ts';
import { withRuleProbes } from './scripts/rule-probes.mjs';
import { sourceAliases } from './scripts/sources.mjs';

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
      if (!code.includes('/workers/') || !/\/lab\/src\/page\//.test(id)) return null;
      return code.replace(address, (_, path: string) => {
        const file = this.emitFile({ type: 'chunk', id: resolve(dirname(id), path) });
        return `import.meta.ROLLUP_FILE_URL_${file}`;
      });
    },
  };
}

/** The module that has what the editor completes: a quarter of the sources that it is read from. */
function kernelApiModule(): Plugin {
  const name = 'virtual:kernel-api';
  const source = (file: string): string =>
    readFileSync(`${import.meta.dirname}/packages/study/src/kernel/${file}.ts`, 'utf8');
  return {
    name: 'kernel-api',
    resolveId: (id) => (id === name ? name : null),
    load(id) {
      if (id !== name) return null;
      const sources = Object.fromEntries(API_FILES.map((file) => [file, source(file)])) as KernelSources;
      return `export default ${JSON.stringify(kernelApi(sources, Object.keys(kernel)))};`;
    },
  };
}

/** Leaves out what the transpiler has for JSX, Flow, React, Jest, old browsers, source maps and the check of its options: it is not called. */
function smallTranspiler(): Plugin {
  const unused =
    /\/sucrase\/dist\/esm\/(Options|computeSourceMap|parser\/plugins\/(flow|jsx\/index)|transformers\/(ESMImport|Flow|JSX|JestHoist|NumericSeparator|Optional\w+|React\w+)Transformer)\.js$/;
  return {
    name: 'small-transpiler',
    enforce: 'pre',
    load(id) {
      if (!unused.test(id)) return null;
      const code = readFileSync(id, 'utf8');
      const names = [...code.matchAll(/^export (?:function|const|class) (\w+)/gm)];
      const functions = names.map(([, each]) => `export function ${each}() {}`);
      return [...functions, ...(/^export default /m.test(code) ? ['export default class {}'] : [])].join(
        '\n',
      );
    },
  };
}

/** Algorithms tell the page which rules they run: see scripts/rule-probes.mjs. */
function ruleProbes(): Plugin {
  const log = resolve(import.meta.dirname, 'packages/lab/src/model/run/rule-log.ts');
  return {
    name: 'rule-probes',
    enforce: 'pre',
    transform(code, id) {
      const [, file] = /\/src\/algorithms\/(?:.+\/)?([^/]+)\.ts$/.exec(id) ?? [];
      return file === undefined ? null : withRuleProbes(code, file, log);
    },
  };
}

/** Writes licences.txt: the packages whose code is in the bundle, each with its licence. */
function licences(): Plugin {
  return {
    name: 'licences',
    apply: 'build',
    generateBundle(_options, files) {
      const modules = Object.values(files).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []));
      const folders = modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []);
      const texts = [...new Set(folders)].sort().map((folder) => {
        const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
        const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
        if (file === undefined) throw new Error(`${name} has no licence file: do not bundle it`);
        return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
      });
      this.emitFile({
        type: 'asset',
        fileName: 'licences.txt',
        source: texts.join(`\n${'-'.repeat(72)}\n\n`),
      });
    },
  };
}

/** Bundles the page of the lab. scripts/lab.mjs decides where the files go, and compresses them. */
export default defineConfig({
  root: 'packages/lab/src/page',
  // Relative addresses: the static site works in any folder of a web host.
  base: './',
  resolve: { alias: sourceAliases() },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [ruleProbes(), sharedWorkers(), kernelApiModule(), smallTranspiler(), licences()],
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
