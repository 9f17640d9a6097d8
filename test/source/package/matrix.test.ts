/**
 * What a service is built and run with: bundlers, CommonJS, Jest, three versions of TypeScript. From the packed packages, installed
 * in an empty folder.
 */
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MANIFESTS, PUBLIC_DOORS } from '../../../scripts/sources.mjs';
import { runProcess, runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { describeWith, startRedis } from '../../../test-kit/servers/index.ts';
import budgets from '../budgets.json' with { type: 'json' };
import { ROOT } from '../source-file.ts';
import { installPacked } from './packed-install.ts';

const LIMIT_MS = 240_000;
const base = mkdtempSync(join(tmpdir(), 'hustings-matrix-'));
const folder = join(base, 'user');
const DOORS = PUBLIC_DOORS.map(({ specifier }) => specifier);

beforeAll(() => {
  installPacked([...new Set(PUBLIC_DOORS.map((door) => door.package)), 'ioredis'], folder);
  writeFileSync(join(folder, 'service.js'), SERVICE);
}, LIMIT_MS);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const node = (args: readonly string[], cwd = folder) =>
  runToSuccess(process.execPath, args, { cwd, limitMs: LIMIT_MS });
const library = (path: string): string => join(ROOT, 'node_modules', path);
const imported = (path: string): string => JSON.stringify(library(path));

const SERVICE = `
import { createElector } from 'hustings';
async function main() {
  const elector = createElector({ store: process.argv[2], name: 'job', ttlMs: 2_000 });
  await elector.runOnce(async (lead) => console.log(lead.token > 0n ? 'leads' : 'has no token'));
  await elector.close();
}
main().catch((error) => { console.error(error); process.exitCode = 1; });
`;

/** Programs that bundle service.js into a folder of their name, without an option beyond the target. */
const BUNDLERS = {
  esbuild: `
    import { build } from ${imported('esbuild/lib/main.js')};
    const options = { entryPoints: ['service.js'], bundle: true, platform: 'node', logLevel: 'warning' };
    await build({ ...options, outfile: 'esbuild/service.cjs' });`,
  'esbuild-esm': `
    import { build } from ${imported('esbuild/lib/main.js')};
    const options = { entryPoints: ['service.js'], bundle: true, platform: 'node', logLevel: 'warning', format: 'esm' };
    // What every bundle of CommonJS in an ES module needs.
    const js = 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);';
    await build({ ...options, outfile: 'esbuild-esm/service.js', banner: { js } });`,
  webpack: `
    import webpack from ${imported('webpack/lib/index.js')};
    const output = { path: process.cwd() + '/webpack', filename: 'service.cjs' };
    const config = { mode: 'production', target: 'node20', entry: './service.js', output };
    await new Promise((resolve, reject) => webpack(config, (error, stats) => {
      if (error ?? stats.hasErrors()) reject(error ?? new Error(stats.toString()));
      else resolve();
    }));`,
  rollup: `
    import { rollup } from ${imported('rollup/dist/es/rollup.js')};
    import nodeResolve from ${imported('@rollup/plugin-node-resolve/dist/es/index.js')};
    // Two plug-ins for ioredis, which is CommonJS and reads JSON.
    import commonjs from ${imported('@rollup/plugin-commonjs/dist/es/index.js')};
    import json from ${imported('@rollup/plugin-json/dist/es/index.js')};
    // Clients of other stores are not installed; a helper of the compiler asks for the global this.
    const HARMLESS = ['CIRCULAR_DEPENDENCY', 'UNRESOLVED_IMPORT', 'THIS_IS_UNDEFINED'];
    const plugins = [nodeResolve({ preferBuiltins: true }), commonjs(), json()];
    const onwarn = ({ code, message }) => { if (!HARMLESS.includes(code)) throw new Error(message); };
    const bundle = await rollup({ input: 'service.js', plugins, onwarn });
    await bundle.write({ dir: 'rollup', format: 'es' });`,
  vite: `
    import { build } from ${imported('vite/dist/node/index.js')};
    await build({ logLevel: 'warn', build: { ssr: 'service.js', outDir: 'vite' }, ssr: { noExternal: true } });`,
} as const;

await describeWith('redis-server', 'a service on Redis', () => {
  it.each(Object.entries(BUNDLERS))(
    'is bundled by %s, and leads where nothing is installed',
    async (name, program) => {
      expect(node(['--input-type=module', '-e', program]).stderr).toBe('');
      const away = mkdtempSync(join(base, 'bundle-'));
      const server = await startRedis();
      try {
        cpSync(join(folder, name), away, { recursive: true });
        const [file] = readdirSync(away).filter((each) => /^service\.c?js$/.test(each));
        writeFileSync(join(away, 'package.json'), '{ "type": "module" }');
        expect(node([file, server.url], away).stdout).toBe('leads\n');
      } finally {
        await server.stop();
      }
    },
    LIMIT_MS,
  );
});

it(
  'a bundle with one store that is given as an object is small',
  () => {
    const entry = `
    import { createStoreElector } from 'hustings/elector';
    import { RedisLeaseStore } from 'hustings/lease/redis';
    import { Redis } from 'ioredis';
    const elector = createStoreElector({ store: await RedisLeaseStore.open(new Redis(process.argv[2])), name: 'job' });
    await elector.campaign(() => {});`;
    writeFileSync(join(folder, 'slim.js'), entry);
    const program = `
    import { build } from ${imported('esbuild/lib/main.js')};
    const options = { entryPoints: ['slim.js'], bundle: true, platform: 'node', format: 'esm', minify: true };
    await build({ ...options, splitting: true, external: ['ioredis'], outdir: 'slim', logLevel: 'warning' });`;
    node(['--input-type=module', '-e', program]);
    const files = readdirSync(join(folder, 'slim')).map((file) => join(folder, 'slim', file));
    const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
    expect(bytes).toBeLessThan(budgets.hustings.bundleBytes);
  },
  LIMIT_MS,
);

describe('CommonJS', () => {
  const doors = JSON.stringify(DOORS);
  const compare = `
    (async () => {
      for (const door of ${doors}) {
        const [required, imported] = [require(door), await import(door)];
        const names = Object.keys(imported).filter((name) => name !== 'module.exports');
        const same = names.filter((name) => required[name] === imported[name]);
        console.log(door, same.length === names.length ? 'same' : same.length === 0 ? 'copy' : 'mixed');
      }
    })();`;

  it(
    'gets the ES modules themselves from require, where Node can load them: one instance of each',
    () => {
      const { stdout } = node(['--input-type=commonjs', '-e', compare]);
      expect(stdout.trim().split('\n')).toEqual(DOORS.map((door) => `${door} same`));
    },
    LIMIT_MS,
  );

  it(
    'gets copies elsewhere, which know each other',
    () => {
      const flag = '--no-experimental-require-module';
      const program = `
      const { createElector, InputError } = require('hustings');
      const { MemoryLeaseStore } = require('hustings/lease/memory');
      for (const door of ${doors}) require(door);
      const elector = createElector({ name: 'job', store: new MemoryLeaseStore() });
      try { createElector({ name: 'job', store: 3 }); } catch (error) { console.log(error instanceof InputError); }
      elector.runOnce(() => console.log('leads')).then(() => elector.close());`;
      expect(node([flag, '--input-type=commonjs', '-e', program]).stdout).toBe('true\nleads\n');
    },
    LIMIT_MS,
  );
});

describe('test runners', () => {
  const test = (load: string): string => `
    ${load}
    test('leads', async () => {
      const { createElector, createTestKit } = await loaded();
      const kit = createTestKit();
      const elector = createElector({ store: kit.store, clock: kit.clock, name: 'job' });
      const lead = await elector.acquire();
      await kit.loseLease('job');
      expect(lead.signal.aborted).toBe(true);
    });`;

  it(
    'Jest, in its default mode: require, and import()',
    () => {
      const here = join(folder, 'jest');
      mkdirSync(here);
      writeFileSync(join(here, 'package.json'), '{ "private": true }');
      const required = `const loaded = async () => ({ ...require('hustings'), ...require('hustings/testing') });`;
      writeFileSync(join(here, 'required.test.js'), test(required));
      const ended = runProcess(process.execPath, [library('jest/bin/jest.js'), '--rootDir', here], {
        cwd: here,
        limitMs: LIMIT_MS,
        env: { ...process.env, NODE_OPTIONS: '' },
      });
      expect(ended.stderr).toContain('1 passed');
      expect(ended.status).toBe(0);
    },
    LIMIT_MS,
  );

  it(
    'Vitest',
    () => {
      const here = join(folder, 'vitest');
      mkdirSync(here);
      const imports = `import { expect, test } from ${imported('vitest/dist/index.js')};
      import { createElector } from 'hustings';
      import { createTestKit } from 'hustings/testing';
      const loaded = async () => ({ createElector, createTestKit });`;
      writeFileSync(join(here, 'imported.test.js'), test(imports));
      expect(node([library('vitest/vitest.mjs'), 'run', '--root', here], here).stdout).toContain('1 passed');
    },
    LIMIT_MS,
  );
});

describe('TypeScript', () => {
  const uses = DOORS.map((door, i) => `import * as door${i} from '${door}';`).join('\n');
  const SOURCE = `
    import { createElector, type Lead } from 'hustings';
    import { MemoryLeaseStore } from 'hustings/lease/memory';
    ${uses}
    export const doors: object[] = [${DOORS.map((_, i) => `door${i}`).join(', ')}];
    export async function main(work: (lead: Lead) => Promise<void>): Promise<void> {
      const elector = createElector({ store: new MemoryLeaseStore(), name: 'job' });
      await elector.campaign(work);
    }`;
  /** The file, what it is compiled to, and how modules are found. */
  const MODES = [
    ['user.cts', 'node16', 'node16'],
    ['user.cts', 'nodenext', 'nodenext'],
    ['user.mts', 'nodenext', 'nodenext'],
    ['user.ts', 'esnext', 'bundler'],
  ] as const;
  const COMPILERS = { '5.4': 'typescript-5.4', '5.9': 'typescript-5.9', '7': 'typescript' } as const;
  const cases = Object.keys(COMPILERS).flatMap((version) =>
    MODES.map((mode) => [version as keyof typeof COMPILERS, ...mode] as const),
  );

  it.each(cases)(
    '%s reads the types in %s with module %s, moduleResolution %s',
    (version, file, module, mode) => {
      writeFileSync(join(folder, file), SOURCE);
      const compilerOptions = {
        strict: true,
        noEmit: true,
        // The types of Node are newer than TypeScript 5.4.
        skipLibCheck: version === '5.4',
        target: 'ES2022',
        lib: ['ES2023', 'ESNext.Disposable'],
        types: ['node'],
        typeRoots: [library('@types')],
        module,
        moduleResolution: mode,
      };
      const config = `tsconfig.${version}.${module}.${file}.json`;
      writeFileSync(join(folder, config), JSON.stringify({ compilerOptions, files: [file] }));
      const compiler = library(`${COMPILERS[version]}/bin/tsc`);
      const { status, stdout } = runProcess(process.execPath, [compiler, '-p', config], {
        cwd: folder,
        limitMs: LIMIT_MS,
      });
      expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    },
    LIMIT_MS,
  );
});

describe.each(MANIFESTS.filter(({ name }) => PUBLIC_DOORS.some((door) => door.package === name)))(
  'the doors of $name',
  ({ name, folder: own }) => {
    it(
      'are without a finding of publint',
      () => {
        const program = `
        import { publint } from ${imported('publint/src/index-node.js')};
        const { messages } = await publint({ pkgDir: ${JSON.stringify(join(folder, 'node_modules', name))}, strict: true, pack: false });
        console.log(JSON.stringify(messages));`;
        expect(JSON.parse(node(['--input-type=module', '-e', program]).stdout)).toEqual([]);
      },
      LIMIT_MS,
    );

    it(
      'are without a finding of arethetypeswrong',
      () => {
        const packs = mkdtempSync(join(base, 'pack-'));
        runToSuccess('npm', ['pack', '--ignore-scripts', '--pack-destination', packs, join(ROOT, own)], {
          limitMs: LIMIT_MS,
        });
        const doors = PUBLIC_DOORS.filter((door) => door.package === name).map(
          ({ specifier }) => `.${specifier.slice(name.length)}`,
        );
        const attw = library('@arethetypeswrong/cli/dist/index.js');
        // Sub-paths do not exist in the oldest resolution, of TypeScript before 4.7.
        const args = [attw, join(packs, readdirSync(packs)[0]), '--profile', 'node16', '--format', 'json'];
        const { stdout } = runProcess(process.execPath, [...args, '--entrypoints', ...doors], {
          cwd: folder,
          limitMs: LIMIT_MS,
        });
        const { problems } = JSON.parse(stdout);
        expect(
          Object.values(problems)
            .flat()
            .filter((problem) => (problem as { resolutionKind?: string }).resolutionKind !== 'node10'),
        ).toEqual([]);
      },
      LIMIT_MS,
    );
  },
);
