import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { PUBLIC_DOORS } from '../../../scripts/sources.mjs';
import { runProcess } from '../../../test-kit/limits/child-process.ts';
import { ROOT } from '../source-file.ts';

const LIMIT_MS = 300_000;
const NOT_INSTALLED = 69;
const out = mkdtempSync(join(tmpdir(), 'hustings-reference-'));
afterAll(() => rmSync(out, { recursive: true, force: true }));

it('the API reference covers every door and has no gap', { timeout: LIMIT_MS }, async ({ skip }) => {
  const { status, stdout, stderr } = runProcess(
    process.execPath,
    [join(ROOT, 'scripts/reference/main.mjs'), out],
    { limitMs: LIMIT_MS },
  );
  if (status === NOT_INSTALLED && process.env.CI !== 'true') skip(stderr);
  expect(status, `${stdout}${stderr}`).toBe(0);
  const index = readFileSync(join(out, 'index.html'), 'utf8');
  expect(PUBLIC_DOORS.filter(({ specifier }) => !index.includes(`>${specifier}<`))).toEqual([]);
});
