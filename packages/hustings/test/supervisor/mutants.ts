import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { transformSync } from 'esbuild';
import { ROOT } from '../../../../test/source/source-file.ts';

const SUPERVISOR = pathToFileURL(join(ROOT, 'packages/hustings/dist/supervisor/')).href;

/** Supervisors with one deliberate fault, which the fleet of the tests must detect. Each is a module that Node loads first. */
export const MUTANTS = {
  /** The lease is released when the command was told to stop, not when it is dead. */
  'released before the command is dead': (folder: string) =>
    write(
      folder,
      `const { Guard } = await import('${SUPERVISOR}guard.js');
      const { run, stop } = Guard.prototype;
      Guard.prototype.run = function (command) {
        const end = run.call(this, command);
        const asked = new Promise((resolve) => { this.asked = resolve; });
        return Promise.race([end, asked]);
      };
      Guard.prototype.stop = function (stopGraceMs) {
        stop.call(this, stopGraceMs);
        this.asked({ type: 'exited', code: 0, signal: null, wasStopped: true });
      };
      Guard.prototype.kill = () => {};`,
    ),
  /** The guard kills nothing. */
  'not killed at the deadline': (folder: string) => {
    const source = readFileSync(join(ROOT, 'packages/hustings/src/supervisor/guard-main.ts'), 'utf8');
    const mutated = source
      .replace("child?.kill('SIGKILL');", '')
      .replace(/return killOwnSession\(.*\);/, 'return undefined as never;');
    const { code } = transformSync(mutated, { loader: 'ts', format: 'esm' });
    const file = join(folder, 'guard.mjs');
    writeFileSync(
      file,
      code.replace(/from "(\.[^"]*)\.ts"/g, (_, path) => `from "${new URL(path, SUPERVISOR)}.js"`),
    );
    return write(
      folder,
      `const { Guard } = await import('${SUPERVISOR}guard.js');
      const { start } = Guard;
      Guard.start = (options) => start.call(Guard, { ...options, file: '${file}' });`,
    );
  },
} as const;

function write(folder: string, code: string): string {
  const file = join(folder, 'mutant.mjs');
  writeFileSync(file, code);
  return file;
}
