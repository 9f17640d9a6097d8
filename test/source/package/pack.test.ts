/** The packages as they are packed and installed in empty folders: `hustings` alone, and all of them. */
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOORS, MANIFESTS, PUBLIC_DOORS } from '../../../scripts/sources.mjs';
import { type Ended, runProcess, runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { isPure } from '../arrows.ts';
import budgets from '../budgets.json' with { type: 'json' };
import { ROOT } from '../source-file.ts';
import { installPacked } from './packed-install.ts';

const LIMIT_MS = 120_000;
const base = mkdtempSync(join(tmpdir(), 'hustings-pack-'));
const alone = join(base, 'alone');
const all = join(base, 'all');
const { version } = MANIFESTS[0];

beforeAll(() => {
  installPacked(['hustings'], alone);
  installPacked(
    MANIFESTS.map(({ name }) => name),
    all,
  );
}, 240_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const run = (cwd: string, command: string, args: readonly string[]): Ended =>
  runProcess(command, args, { cwd, limitMs: LIMIT_MS });
const hustings = (cwd: string, ...args: readonly string[]): Ended =>
  run(cwd, join(cwd, 'node_modules/.bin/hustings'), args);

const filesOf = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((each) => each.isFile())
    .map((each) => join(each.parentPath, each.name));
const bytesOf = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0);

function typeCheck(text: string, types: readonly string[] = []): Ended {
  writeFileSync(join(all, 'user.ts'), text);
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
  writeFileSync(join(all, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['user.ts'] }));
  return run(all, process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', '.']);
}

describe('hustings alone', () => {
  it('brings its base and two libraries, and no other package', () => {
    const modules = readdirSync(join(alone, 'node_modules')).filter((each) => !each.startsWith('.'));
    expect(modules.sort()).toEqual(['@hustings', 'commander', 'croner', 'hustings']);
    expect(readdirSync(join(alone, 'node_modules/@hustings'))).toEqual(['base']);
  });

  it('is as small as test/source/budgets.json says, packed and unpacked', () => {
    const folder = join(alone, 'node_modules/hustings');
    expect(bytesOf(filesOf(folder))).toBeLessThan(budgets.hustings.unpackedBytes);
    const pack = ['pack', '--ignore-scripts', '--pack-destination', base, join(ROOT, 'packages/hustings')];
    runToSuccess('npm', pack, { limitMs: LIMIT_MS });
    const [tarball] = readdirSync(base).filter((file) => file.endsWith('.tgz'));
    expect(statSync(join(base, tarball)).size).toBeLessThan(budgets.hustings.packedBytes);
  });

  it('prints the line that installs a package where its verb is called, with and without an installation', () => {
    const { status, stderr } = hustings(alone, 'simulate', 'peterson', '--nodes', '4');
    expect(status).toBe(2);
    expect(stderr).toContain(`npm install @hustings/study@${version};`);
    expect(stderr).toContain(`npx -p hustings@${version} -p @hustings/study@${version} hustings simulate …`);
    const help = hustings(alone, '--help').stdout;
    expect(help).toContain('  lead           run a command');
    expect(help).toContain('  @hustings/study: welcome, algorithms, run, simulate,');
  });

  it('leads: the library, and the program with the SQLite of Node or the line that installs one', () => {
    const script = `
      import { createElector } from 'hustings';
      import { MemoryLeaseStore } from 'hustings/lease/memory';
      const elector = createElector({ name: 'a', store: new MemoryLeaseStore() });
      await elector.cron('61 * * * *', () => {}).catch((error) => console.log(error.message));
      await elector.runOnce((lead) => console.log(lead.token));
      await elector.close();`;
    const { stdout } = runToSuccess(process.execPath, ['--input-type=module', '-e', script], { cwd: alone });
    expect(stdout).toMatch(/'61 \* \* \* \*'.*\n\d+n\n$/s);
    const store = `sqlite:${join(alone, 'leases.db')}`;
    const lead = hustings(alone, 'lead', 'a', '--store', store, '--', 'true');
    if (isBuiltin('node:sqlite')) expect(lead.status, lead.stderr).toBe(0);
    else expect(lead.stderr).toContain('npm install @photostructure/sqlite');
  });
});

describe('all packages', () => {
  it.each(MANIFESTS)('$name contains its build, its licence and its page, and nothing else', ({ name }) => {
    const folder = join(all, 'node_modules', name);
    const files = filesOf(folder).map((file) => file.slice(folder.length + 1));
    const expected =
      /^(dist\/.+\.(js|d\.ts)|dist\/cjs\/package\.json|dist\/page\/.+\.br|bin\/hustings[\w-]*\.js|package\.json|LICENSE|README\.md)$/;
    expect(files.filter((path) => !expected.test(path) && !path.startsWith('node_modules/'))).toEqual([]);
    for (const file of ['LICENSE', 'README.md', 'package.json']) expect(files).toContain(file);
  });

  it.each(MANIFESTS)(
    '$name has the version of all, and names the exact version of the others',
    (manifest) => {
      expect(manifest.version).toBe(version);
      for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
        if (/^(@hustings\/|hustings$)/.test(name)) expect([name, wanted]).toEqual([name, version]);
      }
    },
  );

  it('have the licences of the libraries that are bundled into the page of the lab', () => {
    const page = join(all, 'node_modules/@hustings/lab/dist/page');
    const licences = brotliDecompressSync(readFileSync(join(page, 'licences.txt.br'))).toString();
    for (const bundled of ['preact', '@codemirror/view', 'sucrase'])
      expect(licences).toContain(`${bundled} `);
    expect(licences.match(/Permission is hereby granted/g)?.length).toBeGreaterThan(10);
    expect(filesOf(page).map((file) => file.slice(page.length + 1))).toContain('index.html.br');
  });

  it('have every verb: the program finds them, and lists them', () => {
    const { stdout, status } = hustings(all, '--help');
    expect(status).toBe(0);
    expect(stdout).not.toContain('not installed');
    for (const verb of ['lead', 'cluster', 'check', 'reproduce', 'worker', 'lab']) {
      expect(stdout).toMatch(new RegExp(`^  ${verb} `, 'm'));
      expect(hustings(all, verb, '--help').stdout).toContain(`hustings ${verb}`);
    }
  });

  it('refuse a package of another version, with the line that installs the right ones', () => {
    const folder = join(all, 'node_modules/@hustings/study');
    const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
    writeFileSync(
      join(folder, 'package.json'),
      manifest.replace(`"version": "${version}"`, '"version": "0.0.9"'),
    );
    try {
      const { status, stderr } = hustings(all, 'algorithms');
      expect(status).toBe(2);
      expect(stderr).toContain(`has 0.0.9: npm install hustings@${version} @hustings/study@${version}`);
    } finally {
      writeFileSync(join(folder, 'package.json'), manifest);
    }
  });

  it('are found from the working directory if they are not beside the program', () => {
    const away = join(alone, 'node_modules/.bin/hustings');
    expect(run(all, away, ['algorithms', 'peterson']).stdout).toContain('Peterson');
  });

  it('have a lab that runs by its own name', () => {
    const lab = run(all, join(all, 'node_modules/.bin/hustings-lab'), ['--help']);
    expect(lab.stdout).toContain('Serves the lab');
  });

  it('do without the queue until --queue is given, and name it then', () => {
    const folder = join(all, 'node_modules/@hustings/queue');
    renameSync(folder, `${folder}.away`);
    try {
      const sweep = ['sweep', 'peterson', '--nodes', '4', '--runs', '2'];
      expect(hustings(all, ...sweep).status).toBe(0);
      const { status, stderr } = hustings(all, ...sweep, '--queue', 'redis://127.0.0.1:1');
      expect(status).toBe(2);
      expect(stderr).toContain(`npm install hustings@${version} @hustings/queue@${version}`);
    } finally {
      renameSync(`${folder}.away`, folder);
    }
  });

  it('print the line that installs esbuild where a file of the user needs it', () => {
    writeFileSync(join(all, 'mine.ts'), 'export default {};\n');
    const { status, stderr } = hustings(all, 'check', './mine.ts');
    expect(status).not.toBe(0);
    expect(stderr).toContain('npm install esbuild');
  });

  it('have the wrong twins, which the build writes and git does not keep', () => {
    const search = ['check', 'echo-extinct', '--ids', '1,2,3', '--topology', 'ring'];
    expect(hustings(all, ...search).status).toBe(1);
  });

  it('have types that TypeScript 5.4 reads, where typed arrays are not generic', () => {
    const declarations = MANIFESTS.flatMap(({ name }) =>
      filesOf(join(all, 'node_modules', name, 'dist')),
    ).filter((path) => path.endsWith('.d.ts'));
    expect(declarations.length).toBeGreaterThan(100);
    const generic = /\b(?:Int|Uint|Float|BigInt|BigUint)\d+(?:Clamped)?Array</;
    expect(declarations.filter((path) => generic.test(readFileSync(path, 'utf8')))).toEqual([]);
  });

  it('have doors that can each be imported first, and export something', () => {
    // A thread each: it has modules of its own, and starts faster than a process.
    const script = `
      import { Worker } from 'node:worker_threads';
      const count = (door) => new Promise((resolve, reject) => {
        const code = 'import { parentPort } from "node:worker_threads"; parentPort.postMessage(Object.keys(await import(' + JSON.stringify(door) + ')).length)';
        new Worker(code, { eval: true }).on('message', resolve).on('error', reject);
      });
      const doors = ${JSON.stringify(DOORS.map(({ specifier }) => specifier))};
      const counts = [];
      for (const door of doors) counts.push([door, await count(door)]);
      console.log(JSON.stringify(counts));`;
    const { stdout } = runToSuccess(process.execPath, ['--input-type=module', '-e', script], { cwd: all });
    const counts: [string, number][] = JSON.parse(stdout);
    expect(counts).toHaveLength(DOORS.length);
    expect(counts.filter(([, count]) => count === 0)).toEqual([]);
  });

  const usesOf = (doors: readonly string[]): string =>
    [
      ...doors.map((door, i) => `import * as door${i} from '${door}';`),
      `export const doors: object[] = [${doors.map((_, i) => `door${i}`).join(', ')}];`,
    ].join('\n');

  it('have types behind every door', { timeout: LIMIT_MS }, () => {
    const doors = PUBLIC_DOORS.map(({ specifier }) => specifier);
    expect(typeCheck(usesOf(doors), ['node'])).toMatchObject({ status: 0, stdout: '' });
  });

  it('need neither the types of Node nor of a browser behind the doors of pure folders', {
    timeout: LIMIT_MS,
  }, () => {
    const pure = PUBLIC_DOORS.filter(({ source }) => isPure(source)).map(({ specifier }) => specifier);
    expect(pure).toContain('@hustings/study/kernel');
    expect(typeCheck(usesOf(pure))).toMatchObject({ status: 0, stdout: '' });
  });

  it('have no door that is not in exports, and the type check would detect one', {
    timeout: LIMIT_MS,
  }, () => {
    const { status, stdout } = typeCheck(
      `import 'hustings/dist/index.js';\nimport * as x from 'hustings/none';\nx;`,
    );
    expect(status).not.toBe(0);
    expect(stdout).toContain("'hustings/none'");
  });
});
