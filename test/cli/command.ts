import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { setup } from '../../scripts/setup.mjs';
import { ROOT } from '../source/source-file.ts';

export const MAIN = join(ROOT, 'dist/cli/main.js');
const LIMIT_MS = 60_000;

export interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the built command, as a user does. */
export function hustings(args: readonly string[], cwd?: string, env: NodeJS.ProcessEnv = {}): Ended {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd,
    encoding: 'utf8',
    timeout: LIMIT_MS,
    maxBuffer: 1 << 28,
    env: { ...process.env, ...env },
  });
  return { status, stdout, stderr };
}

/** Builds the command first: a test is to see the sources as they are now. */
export function buildBefore(): void {
  beforeAll(async () => {
    await setup({ mayInstall: false });
  }, 120_000);
}

/** A folder that is there while the tests of a file run. */
export function temporaryFolder(): { readonly path: string } {
  const folder = { path: '' };
  beforeAll(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'hustings-cli-'));
  });
  afterAll(() => rmSync(folder.path, { recursive: true, force: true }));
  return folder;
}
