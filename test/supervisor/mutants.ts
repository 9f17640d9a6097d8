import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from '../source/source-file.ts';

const WRAPPER = pathToFileURL(join(ROOT, 'dist/supervisor/')).href;

/** Wrong wrappers, to show that the fleet of the tests sees what they do. Each is a module for Node to load first. */
export const MUTANTS = {
  /** The lease is given back when the command was asked to stop, not when it is dead. */
  'released before the command is dead': (folder: string) =>
    write(
      folder,
      `const { Guard } = await import('${WRAPPER}guard.js');
      const { run, stop } = Guard.prototype;
      Guard.prototype.run = function (command) {
        const end = run.call(this, command);
        const asked = new Promise((resolve) => { this.asked = resolve; });
        return Promise.race([end, asked]);
      };
      Guard.prototype.stop = function (graceMs) {
        stop.call(this, graceMs);
        this.asked({ kind: 'ended', code: 0, signal: null, asked: true });
      };
      Guard.prototype.kill = () => {};`,
    ),
  /** The guard kills nobody. */
  'not killed at the deadline': (folder: string) => {
    const guard = readFileSync(join(ROOT, 'dist/supervisor/guard-main.js'), 'utf8')
      .replaceAll("from './", `from '${WRAPPER}`)
      .replace("child?.kill('SIGKILL');", '')
      .replace('return killOwnSession();', 'return;');
    const file = join(folder, 'guard.mjs');
    writeFileSync(file, guard);
    return write(
      folder,
      `const { Guard } = await import('${WRAPPER}guard.js');
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
