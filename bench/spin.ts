/**
 * Runs Debian's `spin` on bench/dolev-klawe-rodeh.pml. Spin generates a C program for the model, which is compiled in a
 * temporary folder; only its run is timed, by its own clock.
 *
 * Partial-order reduction is off, because all states are counted, and so is the search for acceptance cycles, because the
 * graph has no cycle. Spin checks slightly less than hustings, which also checks terminal states.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Count } from './checker-child.ts';

/** Spin counts an initial step; see the model. */
const EXTRA_TRANSITIONS = 1;
const FLAGS = ['-O2', '-w', '-DSAFETY', '-DNOREDUCE'];
/** Spin's clock shows hundredths of a second. */
const MIN_SECONDS = 0.01;

export class Spin {
  private readonly folder = mkdtempSync(join(tmpdir(), 'hustings-spin-'));

  /** The installed version; null without Spin or a C compiler. */
  static installed(): string | null {
    const spin = spawnSync('spin', ['-V'], { encoding: 'utf8' });
    const gcc = spawnSync('gcc', ['--version']);
    if (spin.status !== 0 || gcc.status !== 0) return null;
    return /Spin Version ([\d.]+)/.exec(spin.stdout)?.[1] ?? 'of unknown version';
  }

  constructor(model: string, nodes: number) {
    this.run('spin', [`-DN=${nodes}`, '-a', model]);
  }

  /** Compiles the search. */
  compile(name: string, flags: readonly string[]): void {
    this.run('gcc', [...FLAGS, ...flags, '-o', name, 'pan.c']);
  }

  search(name: string): Count {
    const output = this.run(join(this.folder, name), []);
    const number = (pattern: RegExp): number => {
      const found = pattern.exec(output);
      if (found === null) throw new Error(`Spin did not print ${pattern.source}:\n${output}`);
      return Number(found[1]);
    };
    const states = number(/^\s*([\de.+]+) states, stored/m);
    const stored = number(/state-vector as stored = (\d+) byte/) + number(/byte \+ (\d+) byte overhead/);
    return {
      states,
      transitions: number(/^\s*([\de.+]+) transitions/m) - EXTRA_TRANSITIONS,
      sound: number(/errors: (\d+)/) === 0,
      seconds: Math.max(MIN_SECONDS, number(/elapsed time ([\d.e+-]+) seconds/)),
      bytes: stored * states,
      peakBytes: number(/([\d.]+)\s+total actual memory usage/) * 2 ** 20,
    };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  private run(command: string, args: readonly string[]): string {
    const { status, stdout, stderr, error } = spawnSync(command, args, {
      cwd: this.folder,
      encoding: 'utf8',
    });
    if (status === 0) return stdout;
    throw new Error(`${command} ${args.join(' ')} failed: ${error?.message ?? ''}\n${stdout}${stderr}`);
  }
}
