import { spawnSync } from 'node:child_process';

// An installation on a slow network, or the tests that write the generated pages, take minutes; none takes half an hour.
const LIMIT_MS = 30 * 60_000;

/**
 * Runs a program to its end, which comes by itself or at the limit, by a signal that no program can catch.
 * @param {string} command @param {readonly string[]} args @param {import('node:child_process').SpawnSyncOptions} [options]
 */
export function runLimited(command, args, options = {}) {
  const done = spawnSync(command, args, {
    timeout: LIMIT_MS,
    ...options,
    encoding: 'utf8',
    killSignal: 'SIGKILL',
  });
  return { ...done, stdout: done.stdout ?? '', stderr: `${done.stderr ?? ''}${done.error?.message ?? ''}` };
}
