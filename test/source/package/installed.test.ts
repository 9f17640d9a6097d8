/**
 * The package as it is packed and installed: the install line of the README with the blocks below it, and a service on Redis that is
 * bundled with no further flag.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { describeWith, startRedis } from '../../../test-kit/servers/index.ts';
import { commandsOf, parseBlocks } from '../../readme/blocks.ts';
import { ROOT } from '../source-file.ts';
import { installPacked } from './packed-install.ts';

const LIMIT_MS = 240_000;
const blocks = parseBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8'));
const installs = blocks.findIndex(({ code }) => code.startsWith('npm install hustings'));
const [line] = commandsOf(blocks[installs]);
const [job, program] = blocks.slice(installs + 1);
const base = mkdtempSync(join(tmpdir(), 'hustings-install-'));
const folder = join(base, 'user');

function succeed(command: string, args: readonly string[], cwd = folder): string {
  const { stdout, stderr } = runToSuccess(command, args, { cwd, limitMs: LIMIT_MS });
  return `${stdout}${stderr}`;
}

const SERVICE = `
import { createElector } from 'hustings';
async function main() {
  const elector = createElector({ store: process.argv[2], name: 'job', ttlMs: 2_000 });
  await elector.runOnce(async (lead) => console.log(lead.token > 0n ? 'leads' : 'has no token'));
  await elector.close();
}
main().catch((error) => { console.error(error); process.exitCode = 1; });
`;

const library = (path: string): string => JSON.stringify(join(ROOT, 'node_modules', path));
const BUNDLERS = {
  esbuild: `
    import { build } from ${library('esbuild/lib/main.js')};
    const options = { entryPoints: ['service.js'], bundle: true, platform: 'node', logLevel: 'warning' };
    await build({ ...options, outfile: 'esbuild/service.cjs' });`,
  'vite, for a server': `
    import { build } from ${library('vite/dist/node/index.js')};
    await build({ logLevel: 'warn', build: { ssr: 'service.js', outDir: 'vite' }, ssr: { noExternal: true } });`,
} as const;

beforeAll(async () => {
  const [npm, install, ...names] = line.text.split(' ');
  expect([npm, install]).toEqual(['npm', 'install']);
  installPacked([...names, 'ioredis'], folder);
  writeFileSync(join(folder, 'service.js'), SERVICE);
}, LIMIT_MS);
afterAll(() => rmSync(base, { recursive: true, force: true }));

it(
  'the first job of the README runs after its install line: one of three processes runs it',
  () => {
    const output = commandsOf(job).map(({ text }) => succeed('bash', ['-c', text]));
    expect(output[0].match(/^only one of us says this$/gm)).toHaveLength(1);
    expect(output[1].match(/ released /g)).toHaveLength(1);
  },
  LIMIT_MS,
);

it(
  'the first program of the README runs after its install line',
  () => {
    // It has no types, so that Node alone runs it too.
    writeFileSync(join(folder, 'billing.js'), program.code);
    expect(succeed(process.execPath, ['billing.js'])).toMatch(/^billing with fencing token \d+$/m);
  },
  LIMIT_MS,
);

await describeWith('redis-server', 'a service on Redis', () => {
  it.each(Object.entries(BUNDLERS))(
    'is bundled by %s, and leads',
    async (name, program) => {
      const run = (cwd: string, words: readonly string[]) =>
        runToSuccess(process.execPath, words, { cwd, limitMs: LIMIT_MS });
      expect(run(folder, ['--input-type=module', '-e', program]).stderr).toBe('');
      // Elsewhere, so that nothing but the bundle is found.
      const bundle = mkdtempSync(join(tmpdir(), 'hustings-bundle-'));
      const server = await startRedis();
      try {
        cpSync(join(folder, name.split(',')[0]), bundle, { recursive: true });
        const [file] = readdirSync(bundle).filter((each) => /^service\.c?js$/.test(each));
        writeFileSync(join(bundle, 'package.json'), '{ "type": "module" }');
        expect(run(bundle, [file, server.url]).stdout).toBe('leads\n');
      } finally {
        await server.stop();
        rmSync(bundle, { recursive: true, force: true });
      }
    },
    LIMIT_MS,
  );
});
