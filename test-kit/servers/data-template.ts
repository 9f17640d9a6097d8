/**
 * The data folder of a server, made once for all test files of a run and then copied: PostgreSQL and MariaDB take one to three
 * seconds of a processor to make theirs. vitest.config.ts names the place, and removes it at the end.
 */

import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { outputOf, startProcess } from '../limits/child-process.ts';

/** `make` writes a new folder at the path that it gets. `user` is the one that it runs as. */
export async function copyOfTemplate(
  name: string,
  to: string,
  make: (path: string) => Promise<void>,
  user?: { readonly uid: number; readonly gid: number },
): Promise<void> {
  const home = process.env.HUSTINGS_TEMPLATES;
  // Outside of a test run, such as in a benchmark.
  if (home === undefined) return make(to);
  const template = join(home, name);
  if (!existsSync(template)) {
    mkdirSync(home, { recursive: true });
    const own = mkdtempSync(join(home, 'making-'));
    // The other user must get through.
    for (const path of [home, own]) chmodSync(path, 0o755);
    if (user !== undefined) chownSync(own, user.uid, user.gid);
    await make(join(own, 'data'));
    try {
      renameSync(join(own, 'data'), template);
    } catch {
      // Another process was first.
    }
    rmSync(own, { recursive: true, force: true });
  }
  await runProgram('cp', ['-a', template, to]);
}

/** Resolves when it has ended with 0. */
export async function runProgram(
  program: string,
  args: readonly string[],
  options: object = {},
): Promise<void> {
  const child = startProcess(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const output = outputOf(child);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`${program} ended with ${code}: ${output.both}`);
}
