import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProcess } from '../../../test-kit/limits/child-process.ts';
import { PURE } from '../arrows.ts';
import budgets from '../budgets.json' with { type: 'json' };
import { ROOT } from '../source-file.ts';
import { readManifest } from './manifest.ts';

const LIMIT_MS = 120_000;
const { name, exports, bin } = readManifest();
const doors = Object.keys(exports).map((path) => name + path.slice(1));
const pureDoors = doors.filter((door) => PURE.includes(door.slice(name.length + 1)));

function run(
  cwd: string,
  command: string,
  args: readonly string[],
): { status: number | null; output: string } {
  const { status, stdout, stderr } = runProcess(command, args, { cwd, limitMs: LIMIT_MS });
  return { status, output: `${stdout}${stderr}` };
}

/** Fails with the output unless the command exits with 0. */
function succeed(cwd: string, command: string, args: readonly string[]): string {
  const { status, output } = run(cwd, command, args);
  expect(status, `${command} ${args.join(' ')}\n${output}`).toBe(0);
  return output;
}

function typeCheck(
  folder: string,
  text: string,
  types: string[] = [],
): { status: number | null; output: string } {
  writeFileSync(join(folder, 'user.ts'), text);
  const compilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: false,
    target: 'ES2022',
    lib: ['ES2023', 'ESNext.Disposable'],
    types,
    typeRoots: [join(ROOT, 'node_modules/@types')],
    module: 'nodenext',
    moduleResolution: 'nodenext',
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
  return run(folder, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
}

describe('the package, packed and installed in an empty folder', () => {
  let base: string;
  let folder: string;
  let packed: string[];

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'hustings-pack-'));
    folder = join(base, 'user');
    mkdirSync(folder);
    succeed(ROOT, 'npm', ['pack', '--ignore-scripts', '--pack-destination', base]);
    const [tarball] = readdirSync(base).filter((file) => file.endsWith('.tgz'));
    packed = succeed(base, 'tar', ['-tzf', tarball]).trim().split('\n');
    writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
    succeed(folder, 'npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(base, tarball)]);
  }, LIMIT_MS);
  afterAll(() => base && rmSync(base, { recursive: true, force: true }));

  it('has the licences of the packages that are bundled into it', () => {
    const installed = join(folder, 'node_modules', name, 'dist');
    const ofPage = brotliDecompressSync(readFileSync(join(installed, 'lab/page/licences.txt.br'))).toString();
    for (const bundled of ['preact', '@codemirror/view', 'sucrase']) expect(ofPage).toContain(`${bundled} `);
    expect(ofPage.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(10);
    for (const file of readdirSync(join(installed, 'packages'))) {
      expect(readFileSync(join(installed, 'packages', file), 'utf8')).toContain(
        'Permission is hereby granted',
      );
    }
  });

  it('contains the build, the licence and the documents, and nothing else', () => {
    const expected =
      /^package\/(dist\/.+\.(js|d\.ts)|dist\/lab\/page\/.+\.br|package\.json|LICENSE|README\.md|SECURITY\.md)$/;
    expect(packed.filter((path) => !expected.test(path))).toEqual([]);
    expect(packed).toContain('package/LICENSE');
    expect(packed).toContain('package/dist/lab/page/index.html.br');
  });

  it('adds less than 3.2 MB, and no other package', () => {
    const modules = join(folder, 'node_modules');
    expect(readdirSync(modules).filter((each) => !each.startsWith('.'))).toEqual([name]);
    const files = readdirSync(modules, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    const bytes = files.reduce((sum, each) => sum + statSync(join(each.parentPath, each.name)).size, 0);
    // docs/installing.md has this figure. What a service never loads, such as the lab, counts too.
    expect(bytes).toBeLessThan(budgets.installedBytes);
  });

  it('has the packages that it imports, each with its licence', () => {
    const own = join(folder, 'node_modules', name, 'dist/packages');
    expect(readdirSync(own).sort()).toEqual(['commander.js', 'croner.js']);
    for (const file of readdirSync(own)) {
      expect(readFileSync(join(own, file), 'utf8')).toMatch(/^\/\* \w+\n.*Permission is hereby granted/s);
    }
    const script = `
      import { createElector } from '${name}';
      import { MemoryLeaseStore } from '${name}/lease/memory';
      const elector = await createElector({ name: 'a', store: new MemoryLeaseStore() });
      await elector.cron('61 * * * *', () => {}).catch((error) => console.log(error.message));
      await elector.close();`;
    const output = succeed(folder, process.execPath, ['--input-type=module', '-e', script]);
    expect(output).toContain("'61 * * * *'");
  });

  it('prints the line that installs esbuild where a file of the user needs it', () => {
    writeFileSync(join(folder, 'mine.ts'), 'export default {};\n');
    const { status, output } = run(folder, join(folder, 'node_modules', '.bin', name), [
      'check',
      './mine.ts',
    ]);
    expect(status).not.toBe(0);
    expect(output).toContain('npm install esbuild');
  });

  it('prints the line that installs the queue library where --queue needs it', () => {
    const worker = ['worker', '--queue', 'redis://127.0.0.1:1'];
    const { status, output } = run(folder, join(folder, 'node_modules', '.bin', name), worker);
    expect(status).toBe(3);
    expect(output).toContain('npm install bullmq ioredis');
  });

  it('uses the SQLite of Node, or prints the line that installs one', () => {
    const lead = ['lead', '--store', `sqlite:${join(folder, 'leases.db')}`, '--name', 'a', '--', 'true'];
    const { status, output } = run(folder, join(folder, 'node_modules', '.bin', name), lead);
    if (isBuiltin('node:sqlite')) expect(status, output).toBe(0);
    else expect(output).toContain('npm install @photostructure/sqlite');
  });

  it('has types that TypeScript 5.4 reads, where typed arrays are not generic', () => {
    const declarations = packed.filter((path) => path.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(100);
    const generic = declarations.filter((path) =>
      /\b(?:Int|Uint|Float|BigInt|BigUint)\d+(?:Clamped)?Array</.test(
        readFileSync(join(folder, 'node_modules', name, path.slice('package/'.length)), 'utf8'),
      ),
    );
    expect(generic).toEqual([]);
  });

  it('has doors that can each be imported first, and export something', () => {
    // A thread each: it has modules of its own, and starts faster than a process.
    const script = `
      import { Worker } from 'node:worker_threads';
      const count = (door) => new Promise((resolve, reject) => {
        const code = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage(Object.keys(await import(' + JSON.stringify(door) + ')).length)';
        new Worker(code, { eval: true }).on('message', resolve).on('error', reject);
      });
      const doors = ${JSON.stringify(doors)};
      const counts = [];
      for (const door of doors) counts.push([door, await count(door)]);
      console.log(JSON.stringify(counts));`;
    const counts = JSON.parse(succeed(folder, process.execPath, ['--input-type=module', '-e', script]));
    expect(counts.map(([door]: [string, number]) => door)).toEqual(doors);
    expect(counts.filter(([, count]: [string, number]) => count === 0)).toEqual([]);
  });

  const usesOf = (all: readonly string[]): string =>
    [
      ...all.map((door, i) => `import * as door${i} from '${door}';`),
      `export const doors: object[] = [${all.map((_, i) => `door${i}`).join(', ')}];`,
    ].join('\n');

  it('has types behind every door', { timeout: LIMIT_MS }, () => {
    expect(typeCheck(folder, usesOf(doors), ['node'])).toEqual({ status: 0, output: '' });
  });

  it('needs neither the types of Node nor of a browser behind the doors of pure layers', {
    timeout: LIMIT_MS,
  }, () => {
    expect(pureDoors.length).toBeGreaterThan(0);
    expect(typeCheck(folder, usesOf(pureDoors))).toEqual({ status: 0, output: '' });
  });

  it('has no door that is not in exports, and the type check would detect one', {
    timeout: LIMIT_MS,
  }, () => {
    const { status, output } = typeCheck(
      folder,
      `import '${name}/dist/index.js';\nimport * as x from '${name}/none';\nx;`,
    );
    expect(status).not.toBe(0);
    expect(output).toContain(`'${name}/none'`);
  });

  it('has the wrong twins, which the build writes and git does not keep', () => {
    const path = 'algorithms/broken/generated/echo-extinct';
    expect(packed).toContain(`package/dist/${path}.js`);
    const hustings = join(folder, 'node_modules', '.bin', name);
    const search = ['check', 'echo-extinct', '--ids', '1,2,3', '--topology', 'ring'];
    expect(run(folder, hustings, search).status).toBe(1);
  });

  it.each(Object.keys(bin))('has the command %s', (command) => {
    expect(succeed(folder, join(folder, 'node_modules', '.bin', command), ['--help'])).toContain(command);
  });
});
