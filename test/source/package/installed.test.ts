/** The install line of the README with the blocks below it, from the packed packages. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runToSuccess } from '../../../test-kit/limits/child-process.ts';
import { commandsOf, parseBlocks } from '../../readme/blocks.ts';
import { ROOT } from '../source-file.ts';
import { installPacked } from './packed-install.ts';

const LIMIT_MS = 240_000;
const blocks = parseBlocks(readFileSync(join(ROOT, 'README.md'), 'utf8'));
const installs = blocks.findIndex(({ code }) => code.startsWith('npm install hustings'));
const [line] = commandsOf(blocks[installs]);
const [program, job] = blocks.slice(installs + 1);
const base = mkdtempSync(join(tmpdir(), 'hustings-install-'));
const folder = join(base, 'user');

function succeed(command: string, args: readonly string[], cwd = folder): string {
  const { stdout, stderr } = runToSuccess(command, args, { cwd, limitMs: LIMIT_MS });
  return `${stdout}${stderr}`;
}

beforeAll(async () => {
  const [npm, install, ...names] = line.text.split(' ');
  expect([npm, install]).toEqual(['npm', 'install']);
  installPacked(names, folder);
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
