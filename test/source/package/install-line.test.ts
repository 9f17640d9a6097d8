/** The first minute of a user: the install line of the README, and the blocks below it, with the package as it is packed. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { setup } from '../../../scripts/setup.mjs';
import { runToSuccess } from '../../limits/child-process.ts';
import { commandsOf, parseBlocks } from '../../readme/blocks.ts';
import { ROOT } from '../source-file.ts';

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

/** The packages of the line and those that they need, packed from what is installed here: the registry is not asked. */
function packed(names: readonly string[]): string[] {
  const needed = new Set(names);
  for (const name of needed) {
    if (name === 'hustings') continue;
    const manifest = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    for (const other of Object.keys(JSON.parse(manifest).dependencies ?? {})) needed.add(other);
  }
  const folders = [...needed].map((name) => (name === 'hustings' ? ROOT : join(ROOT, 'node_modules', name)));
  succeed('npm', ['pack', '--ignore-scripts', '--pack-destination', base, ...folders], base);
  return readdirSync(base)
    .filter((file) => file.endsWith('.tgz'))
    .map((file) => join(base, file));
}

beforeAll(async () => {
  await setup({ mayInstall: false });
  mkdirSync(folder);
  writeFileSync(join(folder, 'package.json'), '{ "type": "module", "private": true }\n');
  const [npm, install, ...names] = line.text.split(' ');
  succeed(npm, [install, '--offline', '--no-audit', '--no-fund', ...packed(names)]);
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
