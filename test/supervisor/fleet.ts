import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { livingInSession } from '../../src/lease/host/process-table.ts';
import { send } from '../../src/supervisor/session-kill.ts';
import { MAIN } from '../cli/command.ts';
import { eventually } from './eventually.ts';

export type Temper = 'meek' | 'stubborn';

/**
 * Every command takes the same lock, and all that it forks hold it too: who does not get it has met another that still
 * runs. The stubborn one ignores SIGTERM and has forked three, one of them into a process group of its own.
 */
const SCRIPT = `
  exec 9>>"$DIR/lock"
  flock -n 9 || { echo "overlap $LABEL $HUSTINGS_TOKEN $(date +%s%3N) $PPID" >> "$DIR/log"; exit 99; }
  if [ "$TEMPER" = stubborn ]; then
    trap '' TERM
    sleep 1000 & set -m; sleep 1000 & set +m; sleep 1000 &
  else trap 'exit 0' TERM; fi
  echo "start $LABEL $HUSTINGS_TOKEN $(date +%s%3N) $PPID" >> "$DIR/log"
  while :; do sleep 0.05; done`;

/** A line that a command wrote when it began. */
export interface Start {
  readonly kind: string;
  readonly label: string;
  readonly token: bigint;
  readonly atMs: number;
  /** The process that started the command: its guard. */
  readonly guard: number;
}

/** Some wrappers of one election, in a folder of their own. */
export class Fleet {
  readonly wrappers = new Map<string, ChildProcess>();
  readonly #stderr = new Map<string, string>();

  constructor(
    readonly folder: string,
    readonly temper: Temper,
    readonly ttl: string,
  ) {
    mkdirSync(folder, { recursive: true });
  }

  /** Loaded by Node before the command. */
  preload: string | null = null;

  launch(label: string, ...options: string[]): ChildProcess {
    const preload = this.preload === null ? [] : ['--import', this.preload];
    const store = `sqlite:${join(this.folder, 'leases.db')}`;
    const words = ['lead', '--name', 'x', '--store', store, '--id', label, '--ttl', this.ttl, ...options];
    const wrapper = spawn(
      process.execPath,
      [...preload, MAIN, ...words, '--', 'bash', '--norc', '-c', SCRIPT],
      {
        env: { ...process.env, DIR: this.folder, LABEL: label, TEMPER: this.temper },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    wrapper.stderr.on('data', (data) => this.#stderr.set(label, this.stderrOf(label) + data));
    this.wrappers.set(label, wrapper);
    return wrapper;
  }

  stderrOf(label: string): string {
    return this.#stderr.get(label) ?? '';
  }

  /** What the commands wrote, in order. */
  lines(): Start[] {
    const path = join(this.folder, 'log');
    const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => {
        const [kind, label, token, atMs, guard] = line.split(' ');
        return { kind, label, token: BigInt(token), atMs: Number(atMs), guard: Number(guard) };
      });
  }

  /** The `count`th start, counted from 1. */
  start(count: number): Promise<Start> {
    return eventually(
      `${count} starts\n${[...this.#stderr].map(([label, text]) => `${label}: ${text}`).join('\n')}`,
      () => this.lines()[count - 1],
    );
  }

  /** Nothing outlives this, whatever a test has done before. */
  async end(): Promise<void> {
    for (const wrapper of this.wrappers.values()) wrapper.kill('SIGKILL');
    const left = () => this.lines().flatMap(({ guard }) => livingInSession(guard));
    await eventually('every command is dead', () => {
      // Guards see to it themselves, except those that are wrong on purpose.
      for (const { pid } of left()) send(pid, 'SIGKILL');
      return left().length === 0;
    });
  }
}
